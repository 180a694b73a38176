"""A type checker knows what the package takes and returns."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import ROOT


def test_a_strict_type_checker_agrees_with_every_line_of_typed() -> None:
    typed = Path(__file__).with_name("typed.py")
    done = subprocess.run([sys.executable, "-m", "mypy", str(typed)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
