"""The verifier of bundles: nothing but what they contain, without a service and without rules.

It was written from the published specification (`/docs/specification` of any server), and agrees
with its test vectors and with the JavaScript client's verifier, report by report.
"""
