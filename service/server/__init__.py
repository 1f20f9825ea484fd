"""The HTTP and WebSocket server under the application: protocols, worker processes, sockets."""
