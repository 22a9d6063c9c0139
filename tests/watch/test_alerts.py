"""Alerts while a program runs, and where they are posted."""

import http.server
import json
import os
import socket
import subprocess
import threading

import pytest

from conftest import TRIKAL

SMALL = ("import os, time\n"
         "f = os.open('small', os.O_WRONLY | os.O_CREAT)\n"
         "end = time.time() + float(os.environ.get('SECONDS_TO_RUN', '4.5'))\n"
         "while time.time() < end:\n"
         " for i in range(2000): os.write(f, b'x')\n")


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posted.append((self.path, self.headers["Content-Type"], json.loads(body)))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def receiver():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.posted, server.status = [], 204
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def watch(tmp_path, url, **environment):
    return subprocess.run([TRIKAL, "watch", "--no-page", "--alert", "small-writes", "--webhook", url, "--log", tmp_path / "w.darshan", "--",
                           "python3", "-c", SMALL], cwd=tmp_path, capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, **environment))


def test_an_alert_is_printed_and_posted_once(tmp_path, receiver):
    done = watch(tmp_path, f"http://127.0.0.1:{receiver.server_port}/hook/secret?a=1")
    assert done.returncode == 0
    [line] = [line for line in done.stderr.splitlines() if line.startswith("trikal: alert after")]
    [(path, kind, alert)] = receiver.posted
    assert path == "/hook/secret?a=1" and kind == "application/json"
    assert alert["code"] == "small-writes" and alert["title"] in line and alert["severity"] in ("high", "medium", "low")
    assert alert["seconds"] > 0 and 0 < alert["elapsed"] < 60 and alert["host"] == os.uname().nodename
    assert alert["command"].startswith("python3 -c import os") and alert["store"].endswith("w.sqlite")


def test_a_server_that_refuses_costs_a_line(tmp_path, receiver):
    receiver.status = 500
    done = watch(tmp_path, f"http://127.0.0.1:{receiver.server_port}/secret")
    assert done.returncode == 0 and len(receiver.posted) == 1
    assert f"trikal: http://127.0.0.1:{receiver.server_port}: an alert could not be posted: it answered 500" in done.stderr.splitlines()
    assert "secret" not in done.stderr


def test_a_server_that_is_not_there_costs_a_line(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    done = watch(tmp_path, f"http://127.0.0.1:{port}")
    assert done.returncode == 0 and done.stderr.count("an alert could not be posted: ") == 1


def test_a_server_that_never_answers_is_not_waited_for(tmp_path):
    """The program's end comes a few seconds later at most."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        done = watch(tmp_path, f"http://127.0.0.1:{silent.getsockname()[1]}/")
    assert done.returncode == 0 and done.stderr.count("an alert could not be posted: ") == 1


@pytest.mark.parametrize("arguments, says", [
    (["--webhook", "http://localhost/x"], "needs --alert"),
    (["--alert", "any", "--webhook", "localhost:80"], "must be http://HOST/PATH"),
    (["--alert", "any", "--webhook", "http:///x"], "names no host"),
    (["--alert", "any", "--webhook", "http://host/a b"], "characters"),
    (["--alert", "any", "--webhook", "http://user:word@host/"], "not supported"),
])
def test_addresses_that_make_no_sense(tmp_path, arguments, says):
    done = subprocess.run([TRIKAL, "watch", *arguments, "--", "true"], cwd=tmp_path, capture_output=True, text=True, timeout=20)
    assert done.returncode == 2 and says in done.stderr and len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())
