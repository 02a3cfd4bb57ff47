"""Events that several solvers tell of in the same words."""

from ssl_core.trace import Event, some_points


def exchange(what: str, entered: int, left: int) -> Event:
    """Points joined and left a set that the method works on."""
    text = f"{some_points(entered)} joined the {what}, {some_points(left)} left."
    data = {"entered": entered, "left": left}
    return Event("error_vectors", text, data, tick=False, narrated=False)


def ridge_added(ridge: float) -> Event:
    text = (
        f"The system is numerically singular: a ridge of {ridge:.1e} was added to the "
        f"diagonal of K."
    )
    return Event("ridge", text, {"ridge": ridge})
