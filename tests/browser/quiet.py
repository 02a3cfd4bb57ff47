"""Waiting for the stage: until a condition holds, not for a fixed time."""

from itertools import count

QUIET_MS = 150  # the stage tells the page of a new place after 100
_calls = count()
_GONE = "gone"
_QUIET = """([root, call, quiet]) => {
  if (!root.isConnected) return "gone";  // the page has put another in its place
  const app = document.querySelector("[data-testid=stApp]");
  const busy = root.halfmoon.log.waiting || root.dataset.waiting !== "0"
    || app.dataset.testScriptState !== "notRunning";
  const { x, y, width, height } = root.getBoundingClientRect();
  const place = [call, x, y, width, height].join();  // where a click goes
  const now = performance.now();
  if (busy || window.quietFor?.place !== place) window.quietFor = { place, since: now };
  return now - window.quietFor.since >= quiet;
}"""


def wait_until_quiet(root, timeout=60_000):
    """The server has all edits, no script runs, the stage stands still: for a moment.

    `root` is the stage's element, found by a locator: it is in a shadow tree.
    """
    answer = _GONE
    while answer == _GONE:
        arg = [root.element_handle(), next(_calls), QUIET_MS]
        found = root.page.wait_for_function(
            _QUIET, arg=arg, polling=20, timeout=timeout
        )
        answer = found.json_value()


_QUICK = """([ms]) => [...window.halfmoonStages].every((stage) => {
  if (stage.root.dataset.playing !== "1") {
    stage.time.seek(0);
    stage.time.togglePlay();
  }
  return Number(stage.root.dataset.drawMs ?? Infinity) <= ms;
})"""


def wait_until_quick(page, ms, timeout=60_000):
    """Play until the stages' clock, a median over many draws, shows `ms` or less.

    What else the machine does can only make it slower. The stages go on playing.
    """
    page.wait_for_function(_QUICK, arg=[ms], polling=50, timeout=timeout)
