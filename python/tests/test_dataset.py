"""Folders of `stiction sweep` in the hands of data tools, which open `rows` as it is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from conftest import Cli, ROOT

N_OMEGA, N_MU = 13, 15


@pytest.fixture(scope="module")
def folder(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A map of the oscillator of Den Hartog, with samples, tables and pictures beside the rows."""
    out = tmp_path_factory.mktemp("sweep") / "map"
    axes = ["--over", f"omega=0.5:1.5:{N_OMEGA}", "--over", f"mu=0.3:0.6:{N_MU}"]
    cli("sweep", ROOT / "examples" / "den_hartog.toml", *axes, "--samples", "--out", out)
    cli("map", out, "--x", "omega", "--y", "mu", "--z", "amplitude")
    assert {"manifest.json", "rows", "rows.csv", "samples", "map-amplitude.png"} <= {path.name for path in out.iterdir()}
    return out


def test_pyarrow_opens_the_rows_with_units(folder: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    table = dataset.dataset(folder / "rows").to_table()
    units = json.loads(table.schema.metadata[b"stiction.units"])
    assert table.num_rows == N_OMEGA * N_MU
    assert (units["omega"], units["mu"], units["amplitude"]) == ("rad/s", "-", "m")
    assert "[system.oscillator" in table.schema.metadata[b"stiction.scenario"].decode()
    frame = table.to_pandas()
    assert np.array_equal(np.sort(frame["index"]), np.arange(N_OMEGA * N_MU))
    np.testing.assert_allclose(np.unique(frame["mu"]), np.linspace(0.3, 0.6, N_MU), rtol=1e-15)


def test_pandas_reads_the_rows(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(folder / "rows")
    assert len(list((folder / "rows").iterdir())) > 1 and list(frame["index"]) == list(range(N_OMEGA * N_MU))
    # the same numbers as the table for small sweeps
    rows = pandas.read_csv(folder / "rows.csv")
    np.testing.assert_array_equal(rows["amplitude"], frame["amplitude"])
    samples = pandas.read_parquet(folder / "samples")
    # at resonance the motion grows without end
    found = frame[frame["error"].isna()]
    assert samples["index"].nunique() == len(found) == (N_OMEGA - 1) * N_MU
    # half of what the samples of a row span is its amplitude, to the grid of the samples
    spans = samples.groupby("index")["position"].agg(["min", "max"])
    np.testing.assert_allclose((spans["max"] - spans["min"]) / 2, found["amplitude"], rtol=1e-5)


def test_polars_reads_the_rows(folder: Path) -> None:
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(folder / "rows").height == N_OMEGA * N_MU
    assert polars.read_parquet_metadata(folder / "rows" / "part-000000.parquet")["stiction.units"].startswith("{")


def test_duckdb_reads_the_rows(folder: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    ((found,),) = duckdb.sql(f"select count(*) from '{folder}/rows/*.parquet'").fetchall()
    assert found == N_OMEGA * N_MU
    units = f"select decode(value) from parquet_kv_metadata('{folder}/rows/part-000000.parquet') where decode(key) = 'stiction.units'"
    ((text,),) = duckdb.sql(units).fetchall()
    assert json.loads(text)["amplitude"] == "m"
