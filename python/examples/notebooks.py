"""Writes the notebooks of the examples from their scripts, a cell for every line `# %%`, and runs them.

python python/examples/notebooks.py
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import nbclient
import nbformat

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "docs/notebooks"


def notebook(script: str) -> Any:
    """The notebook of a script in the percent format, without outputs."""
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


def executed(script: Path) -> Any:
    """The notebook of a script with its outputs, run in an empty folder."""
    made = notebook(script.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        nbclient.NotebookClient(made, timeout=60, kernel_name="python3", coalesce_streams=True, resources={"metadata": {"path": folder}}).execute()
        assert not list(Path(folder).iterdir()), f"{script.name} leaves files"
    # when a cell ran, and on which kernel, is no result
    for cell in made.cells:
        cell.metadata.clear()
    made.metadata["language_info"] = {"name": "python"}
    return made


def path(script: Path) -> Path:
    """Where the notebook of a script is."""
    return FOLDER / script.with_suffix(".ipynb").name


def scripts() -> list[Path]:
    """All examples."""
    return sorted(path for path in HERE.glob("*.py") if path != Path(__file__))


if __name__ == "__main__":
    for script in scripts():
        path(script).write_text(nbformat.writes(executed(script)) + "\n", encoding="utf-8")
