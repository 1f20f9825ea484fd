"""Streams: how records reach those who follow a battle, over SSE and over sockets."""
