"""A loopback proxy that adds a key to each request, for a suite that can send none. It passes on everything
else as it came, Host and Origin too."""

import http.client
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

# What belongs to one connection and not to what goes over it.
OF_THE_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "authorization"}


class Proxy:
    """Listens from the beginning, so that its port can be told to the server before that is started."""

    def __init__(self) -> None:
        self.server = _Listener(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def before(self, url: str, key: str) -> None:
        """Passes on to the server at this address, with this key."""
        self.server.upstream = url.removeprefix("http://")
        self.server.key = key
        Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    upstream: str
    key: str

    def handle_error(self, *_: object) -> None:
        """Says nothing of a client that went away in the middle."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        connection = http.client.HTTPConnection(self.server.upstream, timeout=60)
        connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in OF_THE_CONNECTION:
                connection.putheader(name, value)
        connection.putheader("Authorization", f"Bearer {self.server.key}")
        connection.endheaders(body)
        answer = connection.getresponse()
        content = answer.read()
        self.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in OF_THE_CONNECTION | {"content-length"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        connection.close()

    do_POST = do_GET = do_DELETE = do_OPTIONS = do_PUT = _pass_on

    def log_message(self, *_: object) -> None:
        """Says nothing: what went wrong, the suite tells."""
