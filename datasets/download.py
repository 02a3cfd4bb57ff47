"""One file from the network: whole and as expected, or not there at all.

What is fetched is pinned: its size and its SHA-256 are known beforehand. Bytes go into
a file with another name, which gets its own once all of it has arrived and is right.
"""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from halfmoon import __version__

RAW = "https://raw.githubusercontent.com"
SILENCE = 20.0  # seconds without a byte
LONGEST = 900.0  # seconds for one file, however it trickles
CHUNK = 1 << 16
HEADERS = {"User-Agent": f"halfmoon/{__version__}", "Accept-Encoding": "identity"}


@dataclass(frozen=True, slots=True)
class Pinned:
    """A file of a public repository, at one commit.

    Parameters
    ----------
    repo, commit, path : str
        Its place on GitHub.
    size : int
        Bytes.
    sha256 : str
        Of the file, in hexadecimal.
    """

    repo: str
    commit: str
    path: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def url(self) -> str:
        return f"{RAW}/{self.repo}/{self.commit}/{quote(self.path)}"

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    def download(self, folder: Path) -> Path:
        """The file in ``folder``, fetched unless it is already there.

        Raises
        ------
        OSError
            No network, no answer in time, or no room.
        ValueError
            What arrived is not this file.
        """
        target = folder / self.name
        if target.is_file() and self.is_content_of(target):
            return target
        part = folder / f"{self.name}.part"
        try:
            self._receive(part)
            if not self.is_content_of(part):
                raise ValueError(
                    f"the SHA-256 of {self.name} from {self.host} is not {self.sha256}"
                )
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
        return target

    def is_content_of(self, path: Path) -> bool:
        """Whether a file on this machine is this one, whatever it is called."""
        if path.stat().st_size != self.size:
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == self.sha256

    def _receive(self, part: Path) -> None:
        try:
            with (
                urlopen(Request(self.url, headers=HEADERS), timeout=SILENCE) as answer,
                part.open("wb") as file,
            ):
                self._copy(answer, file)
        except HTTPError as error:
            error.close()
            said = f"answered {error.code} {error.reason} for {self.name}"
            raise OSError(f"{self.host} {said}") from error
        except URLError as error:
            reason = getattr(error.reason, "strerror", None) or error.reason
            raise OSError(f"{self.host}: {reason}") from error
        except TimeoutError as error:
            silent = f"sent nothing for {SILENCE:g} seconds"
            raise OSError(f"{self.host} {silent}") from error
        except (ConnectionError, HTTPException) as error:
            raise OSError(f"the connection to {self.host} broke: {error}") from error

    def _copy(self, answer: HTTPResponse, file) -> None:
        begun, received = time.monotonic(), 0
        while chunk := answer.read1(CHUNK):
            if received == 0 and _is_web_page(chunk):
                raise ValueError(
                    f"a web page arrived from {self.host} instead of {self.name}; "
                    f"does this network ask for a login?"
                )
            received += len(chunk)
            if received > self.size:
                raise ValueError(
                    f"{self.host} sends more than the {self.size:,} bytes that "
                    f"{self.name} has"
                )
            if time.monotonic() - begun > LONGEST:
                raise OSError(f"{self.name} took longer than {LONGEST:g} seconds")
            file.write(chunk)
        if received < self.size:
            raise OSError(
                f"the connection to {self.host} broke after {received:,} of "
                f"{self.size:,} bytes"
            )


def _is_web_page(start: bytes) -> bool:
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip()[:9].lower()
    return start.startswith((b"<!doctype", b"<html"))
