"""A host of static files: `static_server.py DIRECTORY`. Prints its address; packs what browsers take packed, as such
hosts do."""

import gzip
import mimetypes
import sys
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

mimetypes.add_type("application/wasm", ".wasm")
ROOT = Path(sys.argv[1]).resolve()


class Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = (ROOT / self.path.partition("?")[0].lstrip("/")).resolve()
        path = path / "index.html" if path.is_dir() else path
        if not path.is_relative_to(ROOT) or not path.is_file():
            return self.send_error(404)
        body = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        self.send_header("Content-Type", mimetypes.guess_type(path)[0] or "application/octet-stream")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        # A browser may leave a page while the rest of it is on its way.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
