"""Folders of `stiction sweep` in the hands of data tools."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from conftest import Cli, ROOT

N_OMEGA, N_MU = 13, 15


@pytest.fixture(scope="module")
def folder(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A map of the oscillator of Den Hartog."""
    out = tmp_path_factory.mktemp("sweep") / "map"
    axes = ["--over", f"omega=0.5:1.5:{N_OMEGA}", "--over", f"mu=0.3:0.6:{N_MU}"]
    cli("sweep", ROOT / "examples" / "den_hartog.toml", *axes, "--out", out)
    return out


def test_pyarrow_opens_the_folder_with_units(folder: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    table = dataset.dataset(folder, format="parquet", exclude_invalid_files=True).to_table()
    units = json.loads(table.schema.metadata[b"stiction.units"])
    assert table.num_rows == N_OMEGA * N_MU
    assert (units["omega"], units["mu"], units["amplitude"]) == ("rad/s", "-", "m")
    frame = table.to_pandas()
    assert np.array_equal(np.sort(frame["index"]), np.arange(N_OMEGA * N_MU))
    np.testing.assert_allclose(np.unique(frame["mu"]), np.linspace(0.3, 0.6, N_MU), rtol=1e-15)


def test_pandas_reads_every_part(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    parts = sorted(folder.glob("part-*.parquet"))
    frame = pandas.concat([pandas.read_parquet(part) for part in parts])
    assert len(parts) > 1 and len(frame) == N_OMEGA * N_MU
    # the same numbers as the table for small sweeps
    rows = pandas.read_csv(folder / "rows.csv")
    np.testing.assert_array_equal(rows["amplitude"], frame["amplitude"])


def test_polars_reads_the_parts(folder: Path) -> None:
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(folder / "*.parquet").height == N_OMEGA * N_MU


def test_duckdb_reads_the_parts(folder: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    (found,) = duckdb.sql(f"select count(*) from '{folder}/*.parquet'").fetchone()
    assert found == N_OMEGA * N_MU
