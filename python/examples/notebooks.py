"""Writes the notebooks of the examples from their scripts: a cell for every line `# %%`.

python python/examples/notebooks.py
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat

HERE = Path(__file__).parent


def notebook(script: str) -> Any:
    """The notebook of a script in the percent format, without outputs; the same for the same script."""
    cells = []
    for i, (kind, text) in enumerate(re.findall(r"^# %%( \[markdown\])?\n(.*?)(?=^# %%|\Z)", script, re.M | re.S)):
        text = text.strip("\n")
        if kind:
            cell = nbformat.v4.new_markdown_cell(re.sub(r"^# ?", "", text, flags=re.M))
        else:
            cell = nbformat.v4.new_code_cell(text)
        cell["id"] = f"cell-{i}"
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def written(script: Path) -> str:
    """The notebook of a script as its file has it."""
    return nbformat.writes(notebook(script.read_text(encoding="utf-8"))) + "\n"


def scripts() -> list[Path]:
    """All examples."""
    return sorted(path for path in HERE.glob("*.py") if path != Path(__file__))


if __name__ == "__main__":
    for script in scripts():
        script.with_suffix(".ipynb").write_text(written(script), encoding="utf-8")
