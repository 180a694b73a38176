"""Sweeps: a scenario at many values of some of its numbers, into a folder of Parquet parts."""

from __future__ import annotations

import functools
import io
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import finite, listed
from ._base import plain
from ._errors import RunError
from ._outcome import Table, _imported, _unknown
from ._scenario import Progress, Scenario, _callable, _limit, _one, _scenario

Place = str | os.PathLike[str]


class Dataset(Mapping[str, NDArray[np.float64]]):
    """What `sweep` and `stiction sweep` leave behind: `dataset["amplitude"]` is a column, in the order of the rows.

    Parameters
    ----------
    path : str or path
        The folder, or an address that fsspec knows.
    storage_options : dict, optional
        Options of fsspec for the address.

    Attributes
    ----------
    path : str
        The folder, or the address.
    manifest : dict
        Scenario, axes, columns, version, hash, rows.
    rows, done, failed : int
        Rows of the sweep, those that are there, those of them that have no result.
    axes : list of str
        What varies.
    facts : list of str
        What was found at every point.

    Examples
    --------
    >>> dataset = Dataset("out/mine")  # doctest: +SKIP
    >>> dataset["amplitude"].max(), dataset.units["amplitude"]  # doctest: +SKIP
    """

    def __init__(self, path: Place, *, storage_options: Mapping[str, Any] | None = None) -> None:
        self._store = _store(path, storage_options)
        self.path: str = self._store.name
        self.manifest: dict[str, Any] = json.loads(self._store.manifest())
        names = [str(column["name"]) for column in self.manifest["columns"]]
        n_axes = len(self.manifest["axes"])
        self.axes, self.facts = names[:n_axes], names[n_axes:]
        self.rows: int = self.manifest["rows"]
        self.done: int = self.manifest["rows_done"]
        self.failed: int = self.manifest["rows_failed"]

    @property
    def units(self) -> dict[str, str]:
        """SI unit of every axis and fact; "-" for a pure number."""
        return {column["name"]: column["unit"] for column in self.manifest["columns"]}

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name not in self.axes and name not in self.facts:
            raise KeyError(_unknown("column", name, self))
        return self._store.numbers(name)

    def __iter__(self) -> Iterator[str]:
        return iter([*self.axes, *self.facts])

    def __len__(self) -> int:
        return len(self.axes) + len(self.facts)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def to_arrow(self) -> Any:
        """All rows as a pyarrow.Table, with the columns index, error and warning; units and scenario are in its metadata."""
        return self._store.arrow()

    def to_pandas(self) -> Any:
        """All rows as a pandas.DataFrame; units in its `attrs["units"]`."""
        _imported("pandas")
        frame = self.to_arrow().to_pandas()
        frame.attrs["units"] = self.units
        return frame

    def boundary(self, fact: str) -> Table:
        """Where a fact changes along the last axis, as `sweep(..., refine=fact)` found it: both sides of each change."""
        head, *lines = self._store.text(f"boundary-{fact}.csv").splitlines()
        names = head.split(",")
        rows = np.array([[float(cell) for cell in line.split(",")] for line in lines]).reshape(-1, len(names))
        units = {name: self.units.get(name.removesuffix("_below").removesuffix("_above"), "-") for name in names}
        return Table(dict(zip(names, rows.T)), units)

    def map(self, x: str, y: str, z: str, ax: Any = None) -> Any:
        """Draws z over a grid of two axes with matplotlib; returns the axes. `stiction map` draws more."""
        from ._plot import heat_map

        return heat_map(self, x, y, z, ax)

    def __repr__(self) -> str:
        return f"Dataset({self.path!r}): {self.done} of {self.rows} rows, {self.failed} failed; {', '.join(self)}"

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(Dataset, storage_options=self._store.options), (self.path,)


def sweep(
    scenario: Scenario | Mapping[str, Any] | Place,
    over: Mapping[str, Any] | None = None,
    *,
    out: Place,
    together: Sequence[Sequence[str]] | None = None,
    draw: str | None = None,
    points: int | None = None,
    seed: int | None = None,
    resume: bool = False,
    shard: tuple[int, int] | None = None,
    threads: int | None = None,
    samples: bool = False,
    rows_per_part: int | None = None,
    refine: str | None = None,
    tolerance: float = 1e-6,
    progress: Progress | None = None,
    max_time: float | None = None,
    cluster: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Dataset:
    """Runs a scenario at many values of some of its numbers, on all cores and without the interpreter, into a folder.

    Parameters
    ----------
    scenario : Scenario, dict or path
        What is run at every point.
    over : dict, optional
        What varies: keys as in `Scenario.set`, and for each an array of values, a pair (from, to) if points are drawn, an `Axis`, or
        a dict with its keys. Several make a grid, in which the last varies fastest. What the scenario itself sweeps if absent.
    out : str or path
        Folder of the dataset; or an address that fsspec knows, such as "s3://bucket/name".
    together : list of lists of str, optional
        Axes of a grid that move together.
    draw : {"random", "latin-hypercube", "sobol"}, optional
        Draw points instead of a grid: `points` of them, others with another `seed`.
    points, seed : int, optional
        See `draw`.
    resume : bool, default False
        Go on with what is there, to the same bytes.
    shard : (int, int), optional
        Compute shard i of n only, for jobs that share a folder.
    threads : int, optional
        Number of threads; all cores if absent. The results do not depend on it.
    samples : bool, default False
        Keep the samples of every point, too.
    rows_per_part : int, optional
        Rows of one file; a number that suits the sweep if absent.
    refine : str, optional
        A fact whose changes along the last axis are then found between the points: see `Dataset.boundary`.
    tolerance : float, default 1e-6
        How sharp `refine` finds them, in parts of the axis (-).
    progress : callable, optional
        Called with the fraction done, some twenty times a second.
    max_time : float, optional
        Stop after this time; what is done is kept (s).
    cluster : distributed.Client, optional
        Compute on the workers of Dask: a task for each part, written by the worker to a folder that all of them see, or to an
        address. The bytes are the same, whatever happens to workers.
    storage_options : dict, optional
        Options of fsspec for the address.

    Returns
    -------
    Dataset

    Raises
    ------
    ScenarioError
        If the scenario or an axis is wrong.
    RunError
        If the folder holds something else, was begun with another scenario, or the time is over.
    KeyboardInterrupt
        On Ctrl-C, at once; `resume=True` goes on.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> found = sweep("examples/den_hartog.toml", {"mu": np.linspace(0.1, 0.7, 7)}, out=folder)
    >>> found["mu"].shape, found.failed
    ((7,), 0)
    """
    study = _swept(_scenario(scenario), over, {"together": together, "draw": draw, "points": points, "seed": seed})
    native = _core.Sweep(study, bool(samples), rows_per_part)
    store = _store(out, storage_options)
    report, limit = _callable(progress), _limit(max_time, "max_time", "s")
    if shard is not None and (cluster is not None or not isinstance(store, _Folder)):
        raise ValueError("a shard is computed on one machine into a folder\nhint: leave cluster out, or shard")
    if refine is not None and not isinstance(store, _Folder):
        raise ValueError("refine writes into a folder\nhint: give a path in out, or leave refine out")
    sharp = _one(finite(tolerance, "tolerance", "-"), "tolerance")
    if cluster is None and isinstance(store, _Folder):
        native.run(store.path, bool(resume), shard, threads, report, limit)
    else:
        work = _Work(native, store, (bool(samples), rows_per_part))
        missing = store.begin(native, bool(resume))
        # parts that exist are listed whatever happens
        try:
            if cluster is None:
                work.here(missing, threads, report, limit)
            else:
                work.on(cluster, missing, report, limit)
        finally:
            store.end(native)
    if refine is not None:
        native.refine(store.path, refine, sharp, threads, report, limit)
    return Dataset(out, storage_options=storage_options)


def _swept(scenario: Scenario, over: Mapping[str, Any] | None, rest: Mapping[str, Any]) -> _core.Study:
    """The scenario with its sweep."""
    tree = scenario.to_dict()
    table: dict[str, Any] = dict(tree.get("sweep") or {})
    if over is not None:
        if not isinstance(over, Mapping):
            raise TypeError(f"over is of type {type(over).__name__}, but it must be a dict\nhint: over={{\"mu\": [0.1, 0.2]}}")
        draw = rest["draw"] is not None or "draw" in table
        table["over"] = [_axis(key, values, draw) for key, values in over.items()]
    table |= {key: value for key, value in rest.items() if value is not None}
    return _core.Study(plain({**tree, "sweep": table} if table else tree))


def _axis(key: str, values: Any, is_drawn: bool) -> Any:
    """An axis as a scenario file has it."""
    values = plain(values)
    if isinstance(values, Mapping):
        return {**values, "parameter": key}
    if is_drawn and isinstance(values, (list, tuple)) and len(values) == 2:
        return {"parameter": key, "from": values[0], "to": values[1]}
    return {"parameter": key, "values": listed(values, key, "")}


class _Folder:
    """A folder on a disc, written to by the native part."""

    options: Mapping[str, Any] | None = None

    def __init__(self, path: Place) -> None:
        self.path = Path(path).absolute()
        self.name = os.fspath(path)

    def manifest(self) -> str:
        return _core.dataset_manifest(self.path)

    def numbers(self, name: str) -> NDArray[np.float64]:
        return _core.dataset_numbers(self.path, name)

    def arrow(self) -> Any:
        # every part is checked on the way
        self.manifest()
        return _imported("pyarrow.dataset").dataset(self.path / "rows", format="parquet").to_table()

    def text(self, name: str) -> str:
        return (self.path / name).read_text(encoding="utf-8")

    def begin(self, native: _core.Sweep, resume: bool) -> list[int]:
        return native.begin(self.path, resume)

    def write(self, native: _core.Sweep, k: int, threads: int | None) -> None:
        native.write(self.path, k)

    def end(self, native: _core.Sweep) -> None:
        native.end(self.path)


class _Address:
    """A place that fsspec reaches. A file is there, whole, or not there: so object stores have it."""

    path = Path()

    def __init__(self, address: str, options: Mapping[str, Any] | None) -> None:
        self.name, self.options = address.rstrip("/"), options
        self._fs, self._root = _imported("fsspec.core").url_to_fs(self.name, **(options or {}))

    def __reduce__(self) -> tuple[Any, ...]:
        return _Address, (self.name, self.options)

    def _read(self, name: str) -> bytes:
        found: bytes = self._fs.cat_file(f"{self._root}/{name}")
        return found

    def _there(self) -> set[str]:
        self._fs.invalidate_cache()
        return {str(path).removeprefix(self._root).lstrip("/") for path in self._fs.find(self._root)}

    def manifest(self) -> str:
        try:
            return self._read("manifest.json").decode()
        except FileNotFoundError:
            raise RunError(f"{self.name} holds no dataset", "`stiction.sweep` writes one") from None

    def numbers(self, name: str) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.arrow()[name].to_numpy().astype(float)
        return found

    def arrow(self) -> Any:
        manifest = self._read("manifest.json")
        tables = []
        for name in sorted(name for name in self._there() if name.startswith("rows/")):
            data = self._read(name)
            _core.check_part(self.name, manifest, name, data)
            tables.append(_imported("pyarrow.parquet").read_table(io.BytesIO(data)))
        return _imported("pyarrow").concat_tables(tables)

    def text(self, name: str) -> str:
        return self._read(name).decode()

    def begin(self, native: _core.Sweep, resume: bool) -> list[int]:
        there = self._there()
        if "manifest.json" in there:
            native.continues(self.name, self._read("manifest.json"), resume)
        elif there:
            raise RunError(f"{self.name} holds {min(there)}, which is not of a dataset", "give another address, or an empty one")
        else:
            self._put("manifest.json", native.manifest(0, 0))
        return [k for k in range(native.parts) if native.part_name(k) not in there]

    def _put(self, name: str, data: bytes) -> None:
        # folders are made where there are such things
        self._fs.makedirs(f"{self._root}/{name}".rpartition("/")[0], exist_ok=True)
        self._fs.pipe_file(f"{self._root}/{name}", data)

    def write(self, native: _core.Sweep, k: int, threads: int | None) -> None:
        for name, data in native.part(k, threads):
            self._put(name, data)

    def end(self, native: _core.Sweep) -> None:
        there = self._there()
        present = [k for k in range(native.parts) if native.part_name(k) in there]
        with tempfile.TemporaryDirectory() as folder:
            failed = 0
            for k in present:
                data = self._read(native.part_name(k))
                failed += native.failed(k, data)
                if native.is_small:
                    (Path(folder) / "rows").mkdir(exist_ok=True)
                    (Path(folder) / native.part_name(k)).write_bytes(data)
            manifest = native.manifest(sum(map(native.part_rows, present)), failed)
            if native.is_small:
                # the table of all rows is made where one can be
                (Path(folder) / "manifest.json").write_bytes(manifest)
                native.end(Path(folder))
                table = Path(folder) / "rows.csv"
                if table.exists():
                    self._put("rows.csv", table.read_bytes())
            self._put("manifest.json", manifest)


def _store(place: Place, options: Mapping[str, Any] | None) -> _Folder | _Address:
    """Where a dataset is."""
    address = os.fspath(place)
    if address.startswith("file://"):
        return _Folder(address.removeprefix("file://"))
    return _Address(address, options) if "://" in address else _Folder(place)


_READ: dict[tuple[str, tuple[bool, int | None]], _core.Sweep] = {}
"""The sweep that a worker has read last: it is the same for all its tasks."""


def _task(text: str, how: tuple[bool, int | None], hash: str, store: _Folder | _Address, k: int) -> int:
    """Computes and writes one part in a worker, on one thread: the worker has others."""
    native = _READ.get((text, how))
    if native is None:
        native = _core.Sweep(_core.Study.read("sweep.toml", text, []), *how)
        _READ.clear()
        _READ[text, how] = native
    if native.hash != hash:
        raise RunError("this worker has another version of stiction", "install the same one on all machines")
    store.write(native, k, 1)
    return k


class _Work:
    """Parts that are missing, and who computes them."""

    def __init__(self, native: _core.Sweep, store: _Folder | _Address, how: tuple[bool, int | None]) -> None:
        self.native, self.store, self.how = native, store, how

    def here(self, missing: list[int], threads: int | None, report: Progress | None, limit: float | None) -> None:
        """One after the other, each on all cores."""
        goes_on = _clock(report, limit, self.native.parts, len(missing))
        for n, k in enumerate(missing):
            goes_on(n)
            self.store.write(self.native, k, threads)
        goes_on(len(missing))

    def on(self, client: Any, missing: list[int], report: Progress | None, limit: float | None) -> None:
        """As tasks of a cluster; those of a worker that is lost are done by the others."""
        distributed = _imported("distributed")
        fixed = (self.native.scenario, self.how, self.native.hash, self.store)
        goes_on = _clock(report, limit, self.native.parts, len(missing))
        jobs = [client.submit(_task, *fixed, k, pure=False) for k in missing]
        try:
            for n, job in enumerate(distributed.as_completed(jobs)):
                job.result()
                goes_on(n + 1)
        finally:
            # what is not done is not wanted any more
            client.cancel(jobs)


def _clock(report: Progress | None, limit: float | None, parts: int, missing: int) -> Callable[[int], None]:
    """Called with the number of parts that are done of those that were missing: reports it, and ends the work in time."""
    start = time.monotonic()

    def goes_on(done: int) -> None:
        if report is not None:
            report((parts - missing + done) / parts)
        if limit is not None and done < missing and time.monotonic() - start > limit:
            message = f"stopped, because the {limit} s of max_time are over, {done} of {missing} parts done"
            raise RunError(message, "resume=True goes on")

    return goes_on
