"""The pages: the phone, the replay, the table; static files and the routes that serve them.

Nothing is built and nothing is fetched from elsewhere: what lies in `static` is what a browser
gets, beside it the JavaScript client, which is all that the pages know of the service.
"""
