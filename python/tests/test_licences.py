"""The installed package carries the licences of what is inside it."""

from __future__ import annotations

from importlib.metadata import distribution

import pytest

from conftest import ROOT

FILES = ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.md", "crates/figure/fonts/OFL.txt"]


@pytest.mark.parametrize("name", FILES)
def test_the_wheel_carries(name: str) -> None:
    installed = [path for path in distribution("stiction").files or [] if path.as_posix().endswith(f"/licenses/{name}")]
    assert len(installed) == 1
    assert installed[0].read_text() == (ROOT / name).read_text(encoding="utf-8")


def test_the_notices_name_what_is_linked_into_the_extension() -> None:
    notices = (ROOT / "THIRD-PARTY.md").read_text(encoding="utf-8")
    for crate in ("numpy", "pyo3", "rayon", "resvg", "ttf-parser", "libm", "toml"):
        assert f"{crate} " in notices
    assert "SIL OPEN FONT LICENSE" in notices
