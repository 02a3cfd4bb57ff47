"""A browser without a screen: speaks Streamlit's protocol as its front end does.

What matters for the laboratory is copied from the real one: every message carries the
address the browser last had and the state of all its widgets, texts of select boxes
included; a widget that the server sets takes the server's value; widgets that left the
page are forgotten after a finished run; large messages are cached by their hash.
"""

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import requests
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from halfmoon.pages._parts.screen.page import TURN
from halfmoon.stage.pack import unpack

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
WAIT = 0.15  # seconds of quiet before a batch of edits goes out, as in edits.js
AGAIN = 8.0  # seconds without an answer before edits are sent again
CACHED_RUNS = 2  # runs after which an unused message leaves the browser's cache
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


EVENTS_OF = "$$STREAMLIT_INTERNAL_KEY_"  # before the id of a component


def name_of(id_: str) -> str:
    """What a widget is called, however often the server has made it anew."""
    return id_.split("-", 2)[-1].split(TURN)[0]


def run(visit):
    """Let a coroutine run to its end, in a thread of its own.

    Playwright has a loop of events in the main thread of the tests; a second one may
    not begin there.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, visit).result()


class Server:
    """The app as a process of its own, with its memory and its CPU time."""

    def __init__(self, script="app.py", env=None):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        command = [sys.executable, "-m", "streamlit", "run", str(ROOT / script)]
        options = {
            "server.port": self.port,
            "server.address": "127.0.0.1",
            "server.headless": "true",
            "server.fileWatcherType": "none",
            "browser.gatherUsageStats": "false",
        }
        command += [f"--{name}={value}" for name, value in options.items()]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | (env or {}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.peak = 0
        self._wait_until_healthy()

    def _wait_until_healthy(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            try:
                address = f"http://127.0.0.1:{self.port}/_stcore/health"
                with urlopen(address, timeout=2) as answer:
                    if answer.status == 200:
                        return
            except (URLError, OSError):
                time.sleep(0.2)
        self.close()
        raise RuntimeError("The app did not start; run `streamlit run app.py` to see.")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def memory(self) -> int:
        """Resident bytes now; `peak` keeps the largest that was asked for."""
        text = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii")
        now = int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")
        self.peak = max(self.peak, now)
        return now

    def cpu(self) -> float:
        """Seconds of CPU that the server has used."""
        text = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        fields = text.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


class Stage:
    """The browser's side of the stage: edits wait here until the server has them."""

    def __init__(self, rng: random.Random):
        self.client = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=8))
        self.id = ""
        self.header: dict = {}
        self.given = None
        self.data_id = None
        self.seq = 0
        self.pending: list[dict] = []
        self.labels: dict[int, tuple[int, int]] = {}  # point: (class, seq), this data
        self.sent_at: dict[int, float] = {}
        self.waits: list[float] = []  # seconds from a click to its acknowledgement
        self.missing: list[str] = []  # acknowledged, and yet not there
        self.clicks = 0
        self.gone: list[str] = []  # labels found missing when looked for
        self.swept = 0  # labels that went when the points changed unasked
        self.views = 0

    def receive(self, block: bytes) -> bool:
        """A payload from the server; True when it shows other points."""
        self.header, arrays = unpack(block)
        self.given = arrays["given"]
        self.views += 1
        seen = self.header["seq_seen"] if self.header["client"] == self.client else 0
        now = time.monotonic()
        for op in self.pending:
            if op["seq"] <= seen and op["seq"] in self.sent_at:
                self.waits.append(now - self.sent_at.pop(op["seq"]))
        other = self.data_id is not None and self.data_id != self.header["data_id"]
        if other:
            self.pending, self.labels = [], {}
        self.data_id = self.header["data_id"]
        self.pending = [op for op in self.pending if op["seq"] > seen]
        for i, (label, seq) in self.labels.items():
            if seq <= seen and (i >= len(self.given) or self.given[i] != label):
                self.missing.append(f"point {i}, edit {seq} of {seen}")
        return other

    def label(self, i: int, label: int) -> None:
        self.seq += 1
        self.clicks += 1
        op = {"op": "label", "i": i, "class": label}
        self.pending.append({**op, "seq": self.seq, "data_id": self.data_id})
        self.labels[i] = (label, self.seq)
        self.sent_at[self.seq] = time.monotonic()

    def message(self) -> str:
        edits = {"client": self.client, "seq": self.seq, "ops": self.pending}
        return json.dumps({"edits": edits})

    def lost(self) -> list[str]:
        """Labels that are not on the stage although the visitor set them."""
        return [
            f"point {i}, edit {seq}"
            for i, (label, seq) in self.labels.items()
            if i >= len(self.given) or self.given[i] != label
        ]


# How each kind of widget sends its value, and where it finds the one to begin with.
def _slider(w, proto):
    if len(proto.options):  # a slider over choices speaks of them by their texts
        texts = proto.raw_value if proto.set_value else None
        chosen = texts or [proto.options[int(i)] for i in proto.default]
        w.string_array_value.data[:] = chosen
    else:
        w.double_array_value.data[:] = proto.value if proto.set_value else proto.default


def _selectbox(w, proto):
    if proto.set_value:
        if proto.HasField("raw_value"):
            w.string_value = proto.raw_value
    elif proto.HasField("default"):
        w.string_value = proto.options[proto.default]


def _number(w, proto):
    name = "value" if proto.set_value else "default"
    if proto.HasField(name):
        w.double_value = getattr(proto, name)


def _multiselect(w, proto):
    texts = proto.raw_values if proto.set_value else None
    w.string_array_value.data[:] = texts or [proto.options[i] for i in proto.default]


def _checkbox(w, proto):
    w.bool_value = proto.value if proto.set_value else proto.default


KINDS = {
    "slider": _slider,
    "selectbox": _selectbox,
    "number_input": _number,
    "checkbox": _checkbox,
    "multiselect": _multiselect,
}


@dataclass
class Client:
    """One open page: what it shows, what its widgets hold, what it was sent."""

    server: Server
    page: str = ""
    query: str = ""
    seed: int = 0
    exceptions: list[str] = field(default_factory=list)
    received: int = 0
    runs: int = 0
    cookies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        self.rng = random.Random(self.seed)
        self.stage = Stage(self.rng)
        self.elements: dict[str, object] = {}  # by widget id: the last proto
        self.texts: dict[tuple, tuple[str, str]] = {}  # by place: alerts on the page
        self.progress: dict[str, None] = {}  # what progress bars said, each once
        self.states: dict[str, object] = {}  # by widget id: WidgetState
        self.uploaders: set[str] = set()
        self.file_urls: asyncio.Future | None = None  # where a file may be put
        self.fresh: set = set()
        self.cache: dict[str, tuple[ForwardMsg, int]] = {}
        self.script_hash = ""
        self.unasked = 0  # times the points changed though nobody asked
        self.asked = 0  # data changes asked for and not yet seen
        self.idle = asyncio.Event()
        self._flush: asyncio.TimerHandle | None = None
        self._clicked = -WAIT  # when the last point was
        self._asked_for_run = 0.0

    async def __aenter__(self):
        address = f"ws://127.0.0.1:{self.server.port}/_stcore/stream"
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.socket = await websockets.connect(
            address,
            subprotocols=["streamlit"],
            max_size=None,
            compression=None,
            additional_headers={"Cookie": cookies} if cookies else None,
        )
        self.listener = asyncio.create_task(self._listen())
        await self.rerun()
        return self

    async def __aexit__(self, *_):
        if self._flush is not None:
            self._flush.cancel()
        await self.socket.close()
        await self.listener

    # -- out ---------------------------------------------------------------------

    async def rerun(
        self, trigger: str | None = None, chosen: tuple[str, str] | None = None
    ) -> None:
        """Ask for a run: after a button, after a choice in a menu, or for nothing."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string = self.query
        state.page_script_hash = self.script_hash
        state.page_name = "" if self.script_hash else self.page
        state.cached_message_hashes.extend(self.cache)
        state.context_info.url = f"http://127.0.0.1:{self.server.port}/{self.page}"
        state.widget_states.widgets.extend(self.states.values())
        if trigger is not None:
            state.widget_states.widgets.add(id=trigger, trigger_value=True)
        if chosen is not None:
            id_, option = chosen
            event = json.dumps([{"event": "chosen", "value": option}])
            name = f"{EVENTS_OF}{id_}__events"
            state.widget_states.widgets.add(id=name, json_trigger_value=event)
        self.idle.clear()
        self._asked_for_run = time.monotonic()
        await self.send(message)

    async def send(self, message: BackMsg) -> None:
        await self.socket.send(message.SerializeToString())

    async def label(self, i: int, label: int) -> None:
        """Click a point: the first one goes out at once, the next ones in a batch."""
        loop = asyncio.get_running_loop()
        rested = not self.stage.pending and loop.time() - self._clicked >= WAIT
        self._clicked = loop.time()
        self.stage.label(i, label)
        if self._flush is not None:
            self._flush.cancel()
        self._flush = loop.call_later(
            0 if rested else WAIT, lambda: loop.create_task(self._send_edits())
        )

    async def _send_edits(self) -> None:
        self._flush = None
        if self.stage.pending:
            self._state(self.stage.id).json_value = self.stage.message()
            await self.rerun()
            loop = asyncio.get_running_loop()
            self._flush = loop.call_later(
                AGAIN, lambda: loop.create_task(self._send_edits())
            )

    async def put(self, id_: str, value) -> None:
        """Move a widget: to a number, the text of a choice, the id of an option."""
        proto = self.elements[id_]
        kind = type(proto).DESCRIPTOR.name
        if kind == "BidiComponent":
            await self.rerun(chosen=(id_, value))
            return
        state = self._state(id_)
        if kind == "Slider" and len(proto.options):
            state.string_array_value.data[:] = [value]
        elif kind == "Slider":
            state.double_array_value.data[:] = [value]
        elif kind == "Selectbox":
            state.string_value = value
        elif kind == "NumberInput":
            state.double_value = value
        else:
            state.bool_value = value
        await self.rerun()

    async def upload(self, key: str, name: str, content: bytes) -> None:
        """Give a file to the uploader with this key, as the browser does."""
        self.file_urls = asyncio.get_running_loop().create_future()
        asking = BackMsg()
        asking.file_urls_request.file_names.append(name)
        await self.send(asking)
        urls = await asyncio.wait_for(self.file_urls, 10)

        def put():
            address = f"http://127.0.0.1:{self.server.port}"
            with requests.Session() as http:
                http.cookies.update(self.cookies)
                http.get(f"{address}/_stcore/health", timeout=10)
                token = http.cookies.get("_streamlit_xsrf", "")
                answer = http.put(
                    address + urls.upload_url,
                    files={name: (name, content)},
                    headers={"X-Xsrftoken": token},
                    timeout=30,
                )
                answer.raise_for_status()

        await asyncio.to_thread(put)
        id_ = next(i for i in self.uploaders if i.endswith(f"-{key}"))
        state = self._state(id_)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = name, len(content), urls.file_id
        info.file_urls.CopyFrom(urls)
        await self.rerun()

    def value(self, id_: str):
        """Where a widget stands in this browser."""
        if type(self.elements.get(id_)).__name__ == "BidiComponent":
            return self._menu(id_)["chosen"]
        state = self.states.get(id_)
        kind = state.WhichOneof("value") if state is not None else None
        if kind is None:
            return None
        value = getattr(state, kind)
        return list(value.data) if kind.endswith("array_value") else value

    def options(self, id_: str) -> list[str]:
        """Ids of the options of a menu."""
        return [
            o["id"] for group in self._menu(id_)["groups"] for o in group["options"]
        ]

    def _menu(self, id_):
        return json.loads(self.elements[id_].json)

    def find(self, key: str) -> str | None:
        """Id of the widget with this key, if it is on the page."""
        return next((i for i in self.elements if name_of(i) == key), None)

    def _state(self, id_):
        if id_ not in self.states:
            self.states[id_] = WidgetState(id=id_)
        return self.states[id_]

    # -- in ----------------------------------------------------------------------

    async def _listen(self) -> None:
        try:
            async for raw in self.socket:
                self.received += len(raw)
                message = ForwardMsg()
                message.ParseFromString(raw)
                if message.WhichOneof("type") == "ref_hash":
                    kept, _ = self.cache[message.ref_hash]
                    whole = ForwardMsg()
                    whole.CopyFrom(kept)
                    whole.metadata.CopyFrom(message.metadata)
                    self.cache[message.ref_hash] = (kept, self.runs)
                    message = whole
                elif message.metadata.cacheable:
                    self.cache[message.hash] = (message, self.runs)
                self._take(message)
        except websockets.ConnectionClosedError as error:
            self.exceptions.append(f"The connection broke: {error}.")
            self.idle.set()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.script_hash = message.new_session.page_script_hash
            self.fresh = set()
        elif kind == "navigation":
            self.script_hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "session_event":
            event = message.session_event
            if event.WhichOneof("type") == "script_compilation_exception":
                self.exceptions.append(event.script_compilation_exception.message)
        elif kind == "file_urls_response" and self.file_urls is not None:
            self.file_urls.set_result(message.file_urls_response.file_urls[0])
        elif kind == "delta":
            self._show(message)
        elif kind == "script_finished":
            self._finish(message.script_finished)

    def _show(self, message: ForwardMsg) -> None:
        delta, place = message.delta, tuple(message.metadata.delta_path)
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        kind = element.WhichOneof("type")
        proto = getattr(element, kind) if kind else None
        self.texts.pop(place, None)
        if kind == "exception":
            self.exceptions.append(f"{proto.type}: {proto.message}")
        elif kind == "alert":
            self.texts[place] = (proto.body, proto.icon)
            self.fresh.add(place)
            if "not your fault" in proto.body:  # what errors.as_sentences says
                self.exceptions.append(proto.body)
        elif kind == "progress":
            self.progress[proto.text] = None
        elif kind == "bidi_component" and proto.id:
            self.fresh.add(proto.id)
            if proto.component_name == "halfmoon_menu":
                self.elements[proto.id] = proto
            if proto.component_name != "halfmoon_stage":
                return
            if self.stage.id and proto.id != self.stage.id:
                return
            self.stage.id = proto.id
            labels = len(self.stage.labels)
            if self.stage.receive(proto.bytes):
                self.asked -= 1
                if self.asked < 0:
                    self.unasked, self.asked = self.unasked + 1, 0
                    self.stage.swept += labels
        elif kind == "file_uploader":
            self.uploaders.add(proto.id)
            self.fresh.add(proto.id)
        elif kind in KINDS:
            known = proto.id in self.elements
            self.elements[proto.id] = proto
            self.fresh.add(proto.id)
            if not known or proto.set_value:
                state = self._state(proto.id)
                state.Clear()
                state.id = proto.id
                KINDS[kind](state, proto)

    def _finish(self, status: int) -> None:
        if status == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return
        self.runs += 1
        for held in (self.elements, self.texts):
            for name in [n for n in held if n not in self.fresh]:
                del held[name]
        for name in [n for n in self.states if n not in self.fresh]:
            del self.states[name]
        for mark in [
            m for m, (_, r) in self.cache.items() if self.runs - r > CACHED_RUNS
        ]:
            del self.cache[mark]
        self.idle.set()

    async def settled(self, seconds: float = 60.0, quiet: float = 0.25) -> bool:
        """Wait until nothing is under way; False when that takes too long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                await asyncio.wait_for(self.idle.wait(), end - time.monotonic())
            except TimeoutError:
                return False
            before = self._asked_for_run
            await asyncio.sleep(quiet)
            still = self.idle.is_set() and self._asked_for_run == before
            if still and not self.stage.pending:
                return True
        return False
