"""HTTP: bytes in, bytes out; decoding, authentication, problems, the published contract."""
