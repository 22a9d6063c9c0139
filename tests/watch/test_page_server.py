"""The web server of trikal watch and trikal serve, as a client sees it that means well, one that does not, and one that stops."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time

import pytest

from conftest import TRIKAL, assert_same


class Served:
    """A running trikal with a page, and requests to it."""

    def __init__(self, command, cwd, where="stderr"):
        self.process = subprocess.Popen([TRIKAL, *command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        stream = getattr(self.process, where)
        line = stream.readline()
        found = re.search(r"(https?)://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
        assert found, line + self.process.stderr.read()
        self.scheme, self.port, self.token = found[1], int(found[2]), found[3]

    def get(self, path, token=True, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        if token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body, answer.headers

    def rows(self, path):
        status, body, _ = self.get(path)
        assert status == 200, body
        data = json.loads(body)
        return [dict(zip(data["columns"], row)) for row in data["rows"]]

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=30)


@pytest.fixture
def served():
    running = []

    def start(*arguments, **more):
        running.append(Served(*arguments, **more))
        return running[-1]
    yield start
    for one in running:
        one.process.kill()
        one.process.communicate()


@pytest.fixture(scope="module")
def store(tmp_path_factory, program):
    folder = tmp_path_factory.mktemp("store")
    subprocess.run([TRIKAL, "watch", "--no-page", "--log", folder / "w.darshan", "--", program("steady"), "2.5"], cwd=folder,
                   check=True, capture_output=True)
    return folder / "w.sqlite"


def test_watch_shows_what_the_program_does_while_it_runs(served, program, tmp_path):
    watch = served(["watch", "--log", "w.darshan", "--", program("steady"), "4"], tmp_path)
    # Half a second after something was written, it is in the answers.
    deadline, seen = time.monotonic() + 3, 0
    while time.monotonic() < deadline and not seen:
        seen = sum(row["bytes"] for row in watch.rows("/api/sums?run=1&by=operation") if row["operation"] == "write")
        time.sleep(0.1)
    assert seen > 0 and watch.process.poll() is None
    time.sleep(1)
    assert sum(row["bytes"] for row in watch.rows("/api/sums?run=1&by=operation") if row["operation"] == "write") > seen
    assert watch.rows("/api/runs")[0]["running"] == 1
    status, log, _ = watch.get("/api/snapshot")
    assert status == 200
    (tmp_path / "now.darshan").write_bytes(log)
    now = subprocess.run([TRIKAL, "parse", "--total", "now.darshan"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    out, err = watch.process.communicate(timeout=30)
    assert watch.process.returncode == 0 and out == ""
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")
    end = subprocess.run([TRIKAL, "parse", "--total", "w.darshan"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    written = [int(re.search(r"total_POSIX_BYTES_WRITTEN: (\d+)", text)[1]) for text in (now, end)]
    assert 0 < written[0] < written[1] and re.search(r"total_POSIX_OPENS: 1\b", now)


def test_serve_has_the_same_numbers_as_the_log(served, store):
    page = served(["serve", store], store.parent, where="stdout")
    rows = page.rows("/api/sums?by=operation")
    text = subprocess.run([TRIKAL, "parse", "--total", store.with_suffix(".darshan")], capture_output=True, text=True, check=True).stdout
    assert {row["operation"]: row["bytes"] for row in rows}["write"] == int(re.search(r"total_POSIX_BYTES_WRITTEN: (\d+)", text)[1])
    by_second = page.rows("/api/sums?run=1&by=time,operation")
    assert sum(row["bytes"] for row in by_second) == sum(row["bytes"] for row in rows)
    assert any(row["metric"] == "cpu.user" for row in page.rows(
        f"/api/system?host={os.uname().nodename}&from={int(time.time()) - 600}&to={int(time.time()) + 5}"))
    status, body, headers = page.get("/api/sums?by=file&format=csv")
    assert status == 200 and headers["Content-Type"].startswith("text/csv") and body.startswith(b"file,calls,bytes,seconds\n")
    out, err = page.end()
    assert page.process.returncode == 0 and err == ""


def test_events_of_a_run(served, program, tmp_path):
    subprocess.run([TRIKAL, "watch", "--no-page", "--events", "--log", "w.darshan", "--", program("steady"), "1"], cwd=tmp_path, check=True,
                   capture_output=True)
    page = served(["serve", "w.sqlite"], tmp_path, where="stdout")
    start = int(page.rows("/api/runs")[0]["start"])
    events = page.rows(f"/api/events?run=1&since={start}&most=100000")
    totals = subprocess.run([TRIKAL, "parse", "--total", "w.darshan"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    writes = [event for event in events if event["operation"] == "write"]
    assert len(writes) == int(re.search(r"total_POSIX_WRITES: (\d+)", totals)[1])
    assert sum(event["length"] for event in writes) == int(re.search(r"total_POSIX_BYTES_WRITTEN: (\d+)", totals)[1])
    assert [event["time"] for event in events] == sorted(event["time"] for event in events)
    assert events[0]["operation"] == "open" and 0 <= events[0]["time"] < 5e9 and events[-1]["operation"] == "close"
    # A window of nanoseconds has what began in it.
    begin, end = events[5]["time"], events[8]["time"]
    assert page.rows(f"/api/events?run=1&since={start}&begin={begin}&end={end}") == events[5:8]
    counts = page.rows("/api/event_counts?run=1")
    assert [(row["emitted"], row["stored"], row["dropped"]) for row in counts] == [(len(events), len(events), 0)]
    distribution = page.rows(f"/api/distribution?run=1&since={start}")
    assert sum(row["count"] for row in distribution if row["measure"] == "duration") == len(events)
    assert [row["least"] for row in distribution if (row["operation"], row["measure"]) == ("write", "length")] == [4096]
    status, body, _ = page.get("/api/events?run=1&format=csv&most=2")
    assert status == 200 and re.match(rb"time,.*\n\d{19},\d+,-1,\d+,0,POSIX,open,", body)
    assert page.get("/api/events?run=7")[0] == 404 and page.get("/api/events")[0] == 400
    assert page.get("/api/events?run=1&process=99")[0] == 404


@pytest.mark.parametrize("path", ["/", "/live.js", "/api/runs", "/api/live", "/api/snapshot", "/nothing"])
def test_without_the_token_nothing_is_told(served, store, path):
    page = served(["serve", store], store.parent, where="stdout")
    for token in (None, "wrong", page.token[:-1], page.token + "x"):
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        status, body, _ = page.get(path, token=False, **headers)
        assert (status, body) == (401, b'{"error":"the token is missing or wrong"}')


def test_the_token_becomes_a_cookie(served, store):
    page = served(["serve", store], store.parent, where="stdout")
    status, body, headers = page.get(f"/?token={page.token}", token=False)
    assert status == 200 and b"/live.js" in body
    cookie = headers["Set-Cookie"].split(";")[0]
    assert cookie.startswith(f"trikal-{page.port}=") and "HttpOnly" in headers["Set-Cookie"]
    assert page.get("/api/runs", token=False, Cookie=cookie)[0] == 200
    assert "default-src 'none'" in headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/api/../../etc/passwd",
                                  "/live.js/../../x", "/api/runs%00", "/w.sqlite"])
def test_nothing_outside_the_store_is_read(served, store, path):
    page = served(["serve", store], store.parent, where="stdout")
    status, body, _ = page.get(path)
    assert status in (400, 404) and b"root:" not in body and b"SQLite" not in body


def raw(port, data, wait=3):
    """What comes back for bytes that need not be a request."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        try:
            connection.sendall(data)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
        except (TimeoutError, ConnectionError):
            pass
        return answer


def test_requests_that_are_none(served, store):
    page = served(["serve", store], store.parent, where="stdout")
    secret = f"Authorization: Bearer {page.token}\r\n".encode()
    for data in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x00" * 4096, os.urandom(4096), b"GET / HTTP/9.9\r\n\r\n",
                 b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
                 b"GET /api/runs HTTP/1.1\r\n" + secret + b"X: " + b"b" * 200_000 + b"\r\n\r\n",
                 b"POST /api/runs HTTP/1.1\r\n" + secret + b"Content-Length: 10000000\r\n\r\n" + b"c" * 100_000,
                 b"GET /api/sums?by=" + b"rank," * 500 + b" HTTP/1.1\r\n" + secret + b"\r\n",
                 b"GET /api/sums?run=%ff%fe%00 HTTP/1.1\r\n" + secret + b"\r\n"):
        answer = raw(page.port, data)
        assert not answer.startswith(b"HTTP/1.1 200"), answer[:200]
    assert page.get("/api/runs")[0] == 200 and page.process.poll() is None


@pytest.mark.parametrize("query, said", [
    ("run=x", "run must be a whole number"), ("by=rank,colour", "by must be a list"), ("rank=1.5", "rank must be a whole number"),
    ("slices=100000", "slices must be"), ("limit=5", "limit is no parameter"), ("format=xml", "format cannot be xml"),
    ("layers=some", "layers cannot be some"), ("file=a&file=b", "file is there twice")])
def test_questions_that_make_no_sense(served, store, query, said):
    page = served(["serve", store], store.parent, where="stdout")
    status, body, _ = page.get(f"/api/sums?{query}")
    assert status == 400 and said in json.loads(body)["error"]
    assert page.get("/api/runs", method="POST")[0] == 405 and page.get("/api/runs", method="DELETE")[0] == 405


def test_clients_that_stop_reading_hurt_nobody(served, program, tmp_path):
    watch = served(["watch", "--log", "w.darshan", "--", program("steady"), "4"], tmp_path)
    idle = []
    for path in ["/api/live"] * 20 + ["/live.js"] * 20:
        connection = socket.create_connection(("127.0.0.1", watch.port))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(f"GET {path} HTTP/1.1\r\nAuthorization: Bearer {watch.token}\r\n\r\n".encode())
        idle.append(connection)
    out, err = watch.process.communicate(timeout=30)
    assert watch.process.returncode == 0
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")
    for connection in idle:
        connection.close()


def test_a_port_that_is_taken(tmp_path, store, program):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run([TRIKAL, "serve", "--port", port, store], capture_output=True, text=True, timeout=20)
        assert done.returncode == 3 and f"port {port}: Address already in use" in done.stderr and done.stderr.count("\n") == 1
        # A program that is watched runs all the same.
        done = subprocess.run([TRIKAL, "watch", "--port", port, "--log", "w.darshan", "--", program("steady"), "1"], cwd=tmp_path,
                              capture_output=True, text=True, timeout=30)
        assert done.returncode == 0 and f"page: 127.0.0.1 port {port}: Address already in use" in done.stderr
        assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")


def test_options_that_make_no_sense(store, tmp_path):
    def refused(*arguments):
        done = subprocess.run([TRIKAL, "serve", *arguments], capture_output=True, text=True, timeout=20)
        assert done.returncode != 0 and done.stdout == "" and done.stderr.count("\n") == 1
        return done.stderr
    assert "--certificate and --key are required" in refused(store, "--address", "0.0.0.0")
    assert "needs --key" in refused(store, "--certificate", "x")
    assert "certificate or its key cannot be used" in refused(store, "--certificate", "x", "--key", "y")
    assert "--port" in refused(store, "--port", "70000") and "--token" in refused(store, "--token", "a b")
    assert "missing" in refused(tmp_path / "missing")
    (tmp_path / "text").write_text("no database at all, but long enough to be taken for one" * 20)
    assert "text" in refused(tmp_path / "text")


def test_tls(served, store, tmp_path):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
                    "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem"], check=True, capture_output=True)
    page = served(["serve", store, "--certificate", tmp_path / "cert.pem", "--key", tmp_path / "key.pem"], store.parent, where="stdout")
    assert page.scheme == "https"
    import ssl
    connection = http.client.HTTPSConnection("127.0.0.1", page.port, timeout=20, context=ssl._create_unverified_context())
    connection.request("GET", "/api/runs", headers={"Authorization": f"Bearer {page.token}"})
    assert connection.getresponse().status == 200


def test_a_store_that_grows_is_told(served, store, tmp_path, program):
    """A page on a store that another process writes to."""
    subprocess.run([TRIKAL, "watch", "--no-page", "--store", "s.sqlite", "--log", "a.darshan", "--", program("steady"), "0.5"],
                   cwd=tmp_path, check=True, capture_output=True)
    page = served(["serve", "s.sqlite"], tmp_path, where="stdout")
    connection = socket.create_connection(("127.0.0.1", page.port), timeout=20)
    connection.sendall(f"GET /api/live HTTP/1.1\r\nAuthorization: Bearer {page.token}\r\n\r\n".encode())
    stream = connection.makefile("rb")
    while b"data: 1" not in stream.readline():
        pass
    subprocess.run([TRIKAL, "watch", "--no-page", "--store", "s.sqlite", "--log", "b.darshan", "--", program("steady"), "0.5"],
                   cwd=tmp_path, check=True, capture_output=True)
    while b"data: 2" not in stream.readline():
        pass
    assert len(page.rows("/api/runs")) == 2
    connection.close()
