"""Waiting for the stage: until a condition holds, not for a fixed time."""

from itertools import count

QUIET_MS = 150  # the stage tells the page of a new place after 100
_calls = count()
_QUIET = """([root, call, quiet]) => {
  const app = document.querySelector("[data-testid=stApp]");
  const busy = root.halfmoon.log.waiting || root.dataset.waiting !== "0"
    || app.dataset.testScriptState !== "notRunning";
  const now = performance.now();
  if (busy || window.quietFor?.call !== call) window.quietFor = { call, since: now };
  return now - window.quietFor.since >= quiet;
}"""


def wait_until_quiet(root, timeout=30_000):
    """The server has all edits, no script runs, and it has been so for a moment.

    `root` is the stage's element, found by a locator: it is in a shadow tree.
    """
    arg = [root.element_handle(), next(_calls), QUIET_MS]
    root.page.wait_for_function(_QUIET, arg=arg, polling=20, timeout=timeout)
