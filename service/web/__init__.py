"""The pages: the phone, the replay, the table; their files and the routes that serve them.

The folder is a front-end project, too: `static` holds the modules of the pages, `package.json` the
packages that they use, and `build` makes of both what a browser gets; `guides` makes the guides of
the documentation. All that the pages know of the service is its JavaScript client. Nothing is
fetched from elsewhere when a page is shown.
"""
