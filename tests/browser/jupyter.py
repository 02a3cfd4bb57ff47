"""JupyterLab with one notebook, in a real browser and with a real kernel."""

import os
import subprocess
import sys
import time
from urllib.request import urlopen

import nbformat

from tests.browser.serving import ROOT, free_port, stop_server

START_SECONDS = 60
MILLISECONDS = 60_000
ALONE = {  # nothing of the user's own, and no questions asked
    "LabApp.expose_app_in_browser": "True",
    "LabApp.news_url": "None",
    "IdentityProvider.token": "",
    "ServerApp.open_browser": "False",
    "ServerApp.allow_root": "True",
    "ServerApp.disable_check_xsrf": "True",
}
ASK = """async (code) => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const asked = kernel.requestExecute({ code });
  let said = "";
  asked.onIOPub = ({ header, content }) => {
    if (header.msg_type === "stream") said += content.text;
    if (header.msg_type === "error") said += content.traceback.join("\\n");
  };
  await asked.done;
  return said.trim();
}"""


def start_jupyter(folder):
    """A server on a folder of notebooks, whose kernels find this checkout.

    Returns
    -------
    process, address
    """
    port = free_port()
    options = {**ALONE, "ServerApp.port": port, "ServerApp.root_dir": folder}
    environment = os.environ | {"PYTHONPATH": str(ROOT), "JUPYTER_NO_CONFIG": "1"}
    for name in ("CONFIG", "DATA", "RUNTIME"):
        environment[f"JUPYTER_{name}_DIR"] = str(folder / f".jupyter_{name.lower()}")
    environment["JUPYTERLAB_SETTINGS_DIR"] = str(folder / ".jupyter_settings")
    environment["JUPYTERLAB_WORKSPACES_DIR"] = str(folder / ".jupyter_workspaces")
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab"]
        + [f"--{name}={value}" for name, value in options.items()],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address, end = f"http://127.0.0.1:{port}", time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"jupyterlab ended with code {process.returncode}.")
        try:
            with urlopen(f"{address}/api", timeout=2):
                return process, address
        except OSError:
            time.sleep(0.2)
    stop_server(process)
    raise RuntimeError(f"jupyterlab did not answer within {START_SECONDS} s.")


def write_notebook(path, *cells):
    """A notebook of code cells for Python 3."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
        metadata={
            "kernelspec": {
                "name": "python3",
                "display_name": "Python 3",
                "language": "python",
            }
        },
    )
    nbformat.write(notebook, path)


class Notebook:
    """A notebook that is open in a page."""

    def __init__(self, page, address, name):
        self.page = page
        page.goto(f"{address}/lab/tree/{name}?reset")
        page.wait_for_function(
            "window.jupyterapp?.shell.currentWidget?.context?.isReady && "
            "jupyterapp.shell.currentWidget.sessionContext.session?.kernel",
            timeout=MILLISECONDS,
        )

    def command(self, name):
        """Begin a command of JupyterLab."""
        self.page.evaluate(f"void jupyterapp.commands.execute('{name}')")

    def run_all(self):
        """Run all cells; the last one has run when this returns."""
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(
            "(cells => cells.every(c => c.model.executionCount > 0))"
            "(jupyterapp.shell.currentWidget.content.widgets)",
            timeout=MILLISECONDS,
        )

    def ask(self, code):
        """What code prints in the kernel of the notebook."""
        return self.page.evaluate(ASK, code)

    def colours(self, name):
        """Switch to "Light" or "Dark"."""
        theme = f"{{theme: 'JupyterLab {name}'}}"
        change = f"jupyterapp.commands.execute('apputils:change-theme', {theme})"
        self.page.evaluate(f"void {change}")

    def cells(self):
        return self.page.evaluate(
            "jupyterapp.shell.currentWidget.content.widgets.length"
        )


class Stage:
    """A stage somewhere in a page or a frame, by the locator of its root."""

    def __init__(self, root):
        self.root = root
        root.and_(root.page.locator("[data-ready='1']")).wait_for(timeout=MILLISECONDS)

    def tell(self, expression):
        """Value of an expression about ``s``, the stage."""
        code = f"root => {{ const s = root.halfmoon; {expression} }}"
        return self.root.evaluate(code)

    def place(self, i):
        """Where point ``i`` is on the screen."""
        self.root.scroll_into_view_if_needed()
        return self.tell(
            f"""const {{ x, y }} = s.area.getBoundingClientRect(), i = {i};
            return [x + s.axes.px(s.model.x[i]), y + s.axes.py(s.model.y[i])];"""
        )

    def click(self, i):
        self.root.page.mouse.click(*self.place(i))
