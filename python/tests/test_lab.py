"""The page of the lab: it holds the scenario, as written or as made, and cannot be broken by its texts."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import stiction

EXAMPLE = Path(__file__).parents[2] / "examples" / "stick_slip.toml"


def inside(page: str) -> Any:
    found = re.search(r'<script id="scenario" type="application/json">(.*?)</script>', page)
    assert found
    return json.loads(found[1])


def test_a_file_goes_in_as_written() -> None:
    given = inside(stiction.lab(EXAMPLE).page)
    assert given["text"] == EXAMPLE.read_text(encoding="utf-8")


def test_a_scenario_goes_in_as_a_text_that_gives_it_back(tmp_path: Path) -> None:
    scenario = stiction.load(EXAMPLE).set({"mu": 0.7})
    (tmp_path / "again.toml").write_text(inside(stiction.lab(scenario).page)["text"], encoding="utf-8")
    assert stiction.load(tmp_path / "again.toml") == scenario


def test_without_a_scenario_the_page_opens_with_an_example() -> None:
    assert "text" not in inside(stiction.lab().page)


def test_a_notebook_gets_a_frame_that_no_title_can_leave() -> None:
    scenario = stiction.Scenario(title='</script><script>alert("1")</script>', system=stiction.load(EXAMPLE).system)
    lab = stiction.lab(scenario)
    assert inside(lab.page)["text"].startswith("title = ")
    frame = lab._repr_html_()
    assert frame.count("<") == 2 and frame.endswith("</iframe>")


def test_the_page_is_saved(tmp_path: Path) -> None:
    path = stiction.lab(EXAMPLE).save(tmp_path / "lab.html")
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_what_is_no_scenario_is_refused() -> None:
    with pytest.raises(TypeError):
        stiction.lab(3)
