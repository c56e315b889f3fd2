"""A server on this machine that plays OpenML, from files with an index: path, file, status.

It may be told to misbehave: `answers` of a path are given one after the other, the last for ever.
"""
import contextlib
import gzip
import http.server
import pathlib
import threading

# A test that waits longer than this for another process has failed.
PATIENCE_SECONDS = 60


class Answer:
    """What comes back for a path, and how."""

    def __init__(self, body=b"", status=200, headers=(), promised=None, before=None):
        self.body = body
        self.status = status
        self.headers = dict(headers)
        self.promised = promised  # Content-Length, if another than the body has; "none" for none
        self.before = before  # called before the body is sent

    def send(self, request):
        request.send_response(self.status)
        for name, value in self.headers.items():
            request.send_header(name, value)
        if self.promised != "none":
            length = len(self.body) if self.promised is None else self.promised
            request.send_header("Content-Length", str(length))
        request.end_headers()
        request.wfile.write(self.body)
        request.wfile.flush()
        if self.before is not None:
            self.before()


class Hangup:
    """The connection ends without a word."""

    def send(self, request):
        request.close_connection = True


class Server:
    def __init__(self, *folders):
        self.answers = {}
        self.requests = []
        for folder in folders:
            self.load(pathlib.Path(folder))
        self.lock = threading.Lock()

    def load(self, folder):
        index = next(path for name in ("index.txt", "index.tsv")
                     if (path := folder / name).exists())
        for line in index.read_text(encoding="utf-8").splitlines()[1:]:
            url, name, status = line.split()[:3]
            body = (folder / name).read_bytes()
            # OpenML's server packs what it sends; the files were kept as they came.
            headers = {"Content-Encoding": "gzip"} if name.endswith(".gz") else {}
            self.answers[url] = [Answer(body, int(status), headers)]

    def body(self, path):
        answer = self.answers[path][0]
        packed = "Content-Encoding" in answer.headers
        return gzip.decompress(answer.body) if packed else answer.body

    def answer(self, path, *answers):
        self.answers[path] = list(answers)

    def next_answer(self, path):
        with self.lock:
            self.requests.append(path)
            answers = self.answers.get(path, [Answer(b"Not found", 404)])
            return answers.pop(0) if len(answers) > 1 else answers[0]

    @contextlib.contextmanager
    def running(self, secured_by=None):
        """Gives the address. `secured_by` is a TLS context."""
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                with contextlib.suppress(ConnectionError):
                    owner.next_answer(self.path).send(self)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        scheme = "http"
        if secured_by is not None:
            server.socket = secured_by.wrap_socket(server.socket, server_side=True)
            server.handle_error = lambda *_: None  # a client that hangs up is what we look for
            scheme = "https"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield "%s://localhost:%d" % (scheme, server.server_address[1])
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
