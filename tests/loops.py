"""A loop of their own, or none, for tests in a thread where a browser is driven."""

import asyncio
from contextlib import contextmanager


@contextmanager
def no_loop():
    """Playwright's loop counts as running in the thread that waits for it."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(running)
