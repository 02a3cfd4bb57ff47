"""Go from page to page as a visitor does: by the sections of the bar."""

from halfmoon.pages._parts.shell import navigation


def visit(page, title):
    """Choose the page called `title` in the bar at the top."""
    section = next(
        section
        for section, entries in navigation.sections().items()
        if title in {entry.title for entry in entries}
    )
    bar = page.get_by_test_id("stTopNav")
    if section:
        bar.get_by_role("button", name=section, exact=True).click()
        page.get_by_role("menuitem", name=title, exact=True).click()
    else:
        bar.get_by_role("link", name=title, exact=True).click()
