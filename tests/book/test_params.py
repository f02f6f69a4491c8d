"""A chapter that reads the robot logs says so in params.yml, so that it can be left alone where they are missing."""

import re

import pytest
from notebooks import BOOK, chapters, settings


@pytest.mark.parametrize("name", chapters())
def test_chapters_that_read_the_logs_say_so(name: str) -> None:
    text = (BOOK / "src" / f"{name}.md").read_text("utf-8")
    if re.search(r"\bload_pokes\(|\bload_two_point|\bfetch(_all)?\(", text):
        assert "robot-data" in settings(name).get("needs", ())
