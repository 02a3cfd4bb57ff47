"""Small originals, made here, and a server on this machine that has them."""

import hashlib
import io
import pickle
import socket
import struct
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import numpy as np
import scipy.sparse as sp
from scipy.io import loadmat, savemat

from halfmoon.datasets import originals, store
from halfmoon.datasets.download import Pinned
from halfmoon.datasets.originals import Original

COMMIT = "0123456789" * 4
REPO = "someone/some-data"


def mat(**arrays):
    file = io.BytesIO()
    savemat(file, arrays)
    return b"MATLAB 5.0".ljust(116) + file.getvalue()[116:]  # where the date is


def loadable(contents):
    """The arrays of the first file."""
    return loadmat(io.BytesIO(next(iter(contents.values()))))


def original(convert, raw, contents):
    """An Original of files with these contents that should make `raw`."""
    files = tuple(
        Pinned(REPO, COMMIT, path, len(b), hashlib.sha256(b).hexdigest())
        for path, b in contents.items()
    )
    return Original("made", "none", files, convert, store.content_sha256(raw))


def chapelle_zien(*, sparse=False):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(12, 4)) * (rng.random((12, 4)) < 0.5)
    y = np.where(np.arange(12) % 3, -1, 1)
    rows = np.array([rng.permutation(12) for _ in range(3)])
    content = mat(
        X=sp.csc_matrix(X) if sparse else X,
        y=y[:, None].astype(np.int16),
        idxLabs=rows[:, :4].astype(np.uint16) + 1,
        idxUnls=rows[:, 4:].astype(np.uint16) + 1,
    )
    points = X.astype(np.float32)
    extras = {"idx_lab": rows[:, :4], "idx_unl": rows[:, 4:]}
    raw = store.Raw(
        sp.csr_matrix(points) if sparse else points,
        y.astype(np.int8),
        extras={name: found.astype(np.int32) for name, found in extras.items()},
    )
    contents = {"data/made.mat": content}
    return original(originals.splits_file, raw, contents), raw, contents


def ssl_book():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(15, 3)), np.arange(15) % 3
    ten = np.array([rng.permutation(15)[:5] for _ in range(2)])
    hundred = np.array([rng.permutation(15)[:9] for _ in range(2)])
    contents = {
        "data/SSL,set=1,data.mat": mat(X=X, y=y[:, None].astype(np.uint8)),
        "data/SSL,set=1,splits,labeled=10.mat": mat(idxLabs=ten + 1),
        "data/SSL,set=1,splits,labeled=100.mat": mat(idxLabs=hundred + 1),
    }
    extras = {"idx_lab_10": ten, "idx_lab_100": hundred}
    extras = {name: rows.astype(np.int32) for name, rows in extras.items()}
    raw = store.Raw(X.astype(np.float32), y.astype(np.int8), extras=extras)
    return original(originals.book_file, raw, contents), raw, contents


def secstr():
    rng = np.random.default_rng(5)
    letters, y = rng.integers(0, 21, (8, 3)), np.arange(8) % 2
    rows = [np.array([rng.permutation(8)[:k] for _ in range(2)]) for k in (2, 4)]
    contents = {"data.mat": mat(T=letters.astype(np.uint8), y=y[:, None])}
    for k, found in zip((2, 4), rows, strict=True):
        contents[f"labeled={k}.mat"] = mat(idxLabs=found.astype(np.int32) + 1)
    X = np.concatenate([letters[:, [j]] == np.arange(21) for j in range(3)], axis=1)
    raw = store.Raw(
        sp.csr_matrix(X.astype(np.float32)),
        y.astype(np.int8),
        extras={f"idx_lab_{r.shape[1]}": r.astype(np.int32) for r in rows},
    )
    return original(originals.secstr_file, raw, contents), raw, contents


def coil():
    X = np.random.default_rng(3).random((6, 9))
    y = np.array([1, 1, 2, 2, 3, 3], dtype=np.uint8)
    contents = {"a/COIL.mat": mat(X=X, Y=y[:, None])}
    raw = store.Raw(X.astype(np.float32), y)
    return original(originals.coil_file, raw, contents), raw, contents


def svmlight(*, parts=False):
    X = np.array([[0.5, 0], [0, -1.25], [2e-8, 3]])
    y = np.array([-1, 1, 1], dtype=np.int8)
    text = b"-1 1:0.5 \n+1 2:-1.25\n+1 1:2e-8 2:3\n"
    contents = {"made.train": text}
    extras = {}
    if parts:
        contents["made.test"] = text
        X, y = np.vstack([X, X]), np.concatenate([y, y])
        extras = {"test_start": np.array(3)}
    raw = store.Raw(X.astype(np.float32), y, extras=extras)
    convert = originals.svmlight(2, parts=parts)
    return original(convert, raw, contents), raw, contents


def faces(*more):
    pixels = np.random.default_rng(4).integers(0, 256, (5, 361), dtype=np.uint8)
    faces = [1, 1, 0, 0, 1]
    pairs = [(p.reshape(19, 19), f) for p, f in zip(pixels, faces, strict=True)]
    contents = {"training.pkl": pickle.dumps([*pairs, *more], protocol=3)}
    raw = store.Raw(pixels, np.where(faces, 1, -1).astype(np.int8))
    return original(originals.faces_file, raw, contents), raw, contents


@dataclass
class Host:
    """What the server has, what it was asked for, and what goes wrong with it."""

    contents: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)
    fault: str = ""
    only: str = ""  # the fault is with this file alone
    go_on: threading.Event = field(default_factory=threading.Event)

    def put(self, contents):
        prefix = f"/{REPO}/{COMMIT}/"
        self.contents |= {prefix + path: b for path, b in contents.items()}

    def answer(self, handler):
        path = unquote(handler.path)
        self.asked.append(path.rpartition("/")[2])
        body = self.contents.get(path)
        fault = self.fault if path.endswith(self.only) else ""
        if body is None or fault == "not found":
            handler.send_error(404)
            return
        length, body = len(body), FAULTS.get(fault, bytes)(body)
        handler.send_response(200)
        if fault == "too short":
            handler.send_header("Content-Length", str(length))
        handler.end_headers()
        for i in range(0, len(body), 50):
            handler.wfile.write(body[i : i + 50])
            if fault == "slow":
                time.sleep(0.02)
            if fault == "reset":
                hard = struct.pack("ii", 1, 0)  # closed without a farewell
                handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, hard)
                handler.connection.close()
                return
            if fault in ("silent", "held"):
                self.go_on.wait(20)


FAULTS = {
    "web page": lambda body: b"\n<!DOCTYPE html><html>Please log in</html>",
    "other bytes": lambda body: body[:-1] + bytes([body[-1] ^ 1]),
    "too long": lambda body: body + b"more",
    "too short": lambda body: body[: len(body) // 2],
}


@contextmanager
def served(host):
    """The address of a server that answers as `host` says."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            try:
                host.answer(self)
            except ConnectionError:  # whoever asked has gone
                self.close_connection = True

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        host.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()
