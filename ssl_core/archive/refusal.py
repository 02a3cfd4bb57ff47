"""Why a file cannot be read, as the end of a sentence that names the file."""


class RefusedError(ValueError):
    """Raised wherever a file is damaged, does not hold together, or is too large."""
