"""Sweeps: a scenario at many values of some of its numbers, into a folder of Parquet parts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core
from ._base import plain
from ._scenario import Progress, Scenario, _callable, _limit, _scenario

TASKS = 8
"""Tasks for each worker of a cluster: one that is lost is soon made again."""


class Dataset:
    """A folder of `sweep` or `stiction sweep`: a manifest and Parquet parts.

    Parameters
    ----------
    path : str or path
        The folder.

    Examples
    --------
    >>> dataset = Dataset("out/mine")  # doctest: +SKIP
    >>> dataset.to_pandas()["amplitude"].max()  # doctest: +SKIP
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.rows, self.done, self.failed, self.parts = _core.sweep_counts(self.path)
        self.manifest: dict[str, Any] = json.loads((self.path / "manifest.json").read_text(encoding="utf-8"))

    @property
    def units(self) -> dict[str, str]:
        """SI unit of every column."""
        return {column["name"]: column["unit"] for column in self.manifest["columns"]}

    @property
    def files(self) -> list[Path]:
        """The parts that are there, in order."""
        return sorted(self.path.glob("part-*.parquet"))

    def to_arrow(self) -> Any:
        """All rows as a pyarrow table; the units stand in its metadata."""
        import pyarrow.parquet as parquet
        from pyarrow import concat_tables

        return concat_tables([parquet.read_table(file) for file in self.files])

    def to_pandas(self) -> Any:
        """All rows as a pandas frame."""
        return self.to_arrow().to_pandas()

    def __len__(self) -> int:
        return int(self.done)

    def __repr__(self) -> str:
        return f"Dataset({str(self.path)!r}): {self.done} of {self.rows} rows, {self.failed} failed"


def sweep(
    scenario: Scenario | Mapping[str, Any] | str | os.PathLike[str],
    over: Mapping[str, Any] | None = None,
    *,
    out: str | os.PathLike[str],
    together: Sequence[Sequence[str]] | None = None,
    draw: str | None = None,
    points: int | None = None,
    seed: int = 0,
    resume: bool = False,
    shard: tuple[int, int] | None = None,
    threads: int | None = None,
    samples: bool = False,
    rows_per_part: int | None = None,
    progress: Progress | None = None,
    max_time: float | None = None,
    cluster: Any = None,
) -> Dataset:
    """Runs a scenario at many values of some of its numbers, on all cores and without the interpreter, into a folder.

    Parameters
    ----------
    scenario : Scenario, dict or path
        What is run at every point.
    over : dict, optional
        What varies: keys as in `Scenario.set`, and for each an array of values, or a dict with from, to, points and spacing, or
        with `draw` a pair (from, to). Several make a grid, in which the last varies fastest. By default the sweep of the scenario.
    out : str or path
        Folder of the dataset.
    together : list of lists of str, optional
        Axes of a grid that move together.
    draw : {"random", "latin-hypercube", "sobol"}, optional
        Draw `points` points with `seed` instead of a grid.
    resume : bool, default False
        Continue what is in the folder, to the same bytes.
    shard : (int, int), optional
        Compute shard i of n only.
    threads : int, optional
        Number of threads; all cores if absent. The results do not depend on it.
    samples : bool, default False
        Keep the samples of every point, too.
    rows_per_part : int, optional
        Rows in a part.
    progress : callable, optional
        Called with the fraction done.
    max_time : float, optional
        Stop after this time; what is done is kept (s).
    cluster : distributed.Client, optional
        Compute on the workers of Dask, which must see the folder; the bytes are the same.

    Raises
    ------
    ScenarioError
        If the scenario or an axis is wrong.
    RunError
        If the folder holds something else, or was begun with another scenario.
    """
    given = _scenario(scenario)
    tree: dict[str, Any] = given.to_dict()
    table: dict[str, Any] = dict(tree.get("sweep") or {})
    if over is not None:
        table["over"] = [_axis(key, values, draw is not None) for key, values in over.items()]
    for key, value in (("together", together), ("draw", draw), ("points", points), ("seed", seed or None)):
        if value is not None:
            table[key] = value
    if table:
        tree["sweep"] = table
    study = _core.Study(plain(tree))
    folder = Path(out).absolute()
    if cluster is not None:
        return _on_cluster(cluster, plain(tree), folder, resume, samples, rows_per_part)
    limit = _limit(max_time, "max_time", "s")
    _core.sweep(study, folder, resume, shard, threads, samples, rows_per_part, _callable(progress), limit)
    return Dataset(folder)


def _axis(key: str, values: Any, is_drawn: bool) -> dict[str, Any]:
    if isinstance(values, Mapping):
        return {"parameter": key, **values}
    listed = values.tolist() if hasattr(values, "tolist") else list(values)
    if is_drawn and isinstance(values, tuple) and len(listed) == 2:
        return {"parameter": key, "from": listed[0], "to": listed[1]}
    return {"parameter": key, "values": listed}


def _shard(tree: dict[str, Any], folder: str, shard: tuple[int, int], samples: bool, rows_per_part: int | None) -> int:
    """Computes one shard in a process of a cluster, on one thread: the worker has others."""
    done = _core.sweep(_core.Study(tree), folder, True, shard, 1, samples, rows_per_part)
    return int(done[1])


def _on_cluster(
    client: Any, tree: dict[str, Any], folder: Path, resume: bool, samples: bool, rows_per_part: int | None
) -> Dataset:
    n = max(1, TASKS * len(client.scheduler_info(n_workers=-1)["workers"]))
    study = _core.Study(tree)
    if not resume and (folder / "manifest.json").exists():
        # says that there is a dataset already
        _core.sweep(study, folder)
    # the first shard here: whoever begins a dataset looks whether the folder is free
    _core.sweep(study, folder, resume, (0, n), None, samples, rows_per_part)
    jobs = [client.submit(_shard, tree, str(folder), (i, n), samples, rows_per_part, pure=False) for i in range(1, n)]
    client.gather(jobs)
    # counts what is there
    _core.sweep(study, folder, True, None, 1, samples, rows_per_part)
    return Dataset(folder)
