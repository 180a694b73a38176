"""`stiction.sweep`: the same bytes from threads, shards, a cluster that loses a worker, and an object store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stiction
from conftest import ROOT, Cli

SCENARIO = ROOT / "examples" / "den_hartog.toml"
OVER = {"omega": np.linspace(0.5, 1.45, 25), "mu": {"from": 0.1, "to": 0.7, "points": 40}}
Content = dict[str, bytes]


def content(folder: Path) -> Content:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sweep on one thread."""
    out = tmp_path_factory.mktemp("sweep") / "whole"
    stiction.sweep(SCENARIO, OVER, out=out, threads=1)
    return out


def test_it_is_the_sweep_of_the_command_line(whole: Path, cli: Cli, tmp_path: Path) -> None:
    listed = ",".join(repr(float(x)) for x in OVER["omega"])
    cli("sweep", SCENARIO, "--over", f"omega={listed}", "--over", "mu=0.1:0.7:40", "--out", tmp_path / "cli")
    assert content(tmp_path / "cli") == content(whole)


def test_a_dataset_is_columns_with_units(whole: Path) -> None:
    found = stiction.Dataset(whole)
    assert (found.rows, found.done, found.failed, found.axes) == (1000, 1000, 0, ["omega", "mu"])
    assert {"amplitude", "stops"} < set(found.facts) and found.units["amplitude"] == "m"
    mu = found["mu"].reshape(25, 40)
    np.testing.assert_allclose(mu, np.broadcast_to(np.linspace(0.1, 0.7, 40), (25, 40)), rtol=1e-15)
    # each row is what a run of its own finds
    for i in (0, 123, 999):
        one = stiction.run(stiction.load(SCENARIO, {"omega": found["omega"][i], "mu": found["mu"][i]}))
        assert one.facts["amplitude"] == pytest.approx(found["amplitude"][i], rel=1e-9)
    with pytest.raises(KeyError, match="did you mean amplitude"):
        found["amplitud"]
    frame = found.to_pandas()
    assert list(frame["index"]) == list(range(1000)) and frame.attrs["units"]["omega"] == "rad/s"
    np.testing.assert_array_equal(frame["amplitude"], found["amplitude"])


def test_shards_and_resumed_sweeps_have_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    for i in (1, 0):
        stiction.sweep(SCENARIO, OVER, out=tmp_path / "shards", shard=(i, 2))
    assert content(tmp_path / "shards") == content(whole)
    for part in list((tmp_path / "shards" / "rows").iterdir())[::3]:
        part.unlink()
    assert stiction.Dataset(tmp_path / "shards").done < 1000
    stiction.sweep(SCENARIO, OVER, out=tmp_path / "shards", resume=True, threads=2)
    assert content(tmp_path / "shards") == content(whole)


def test_points_can_be_drawn(tmp_path: Path) -> None:
    found = stiction.sweep(SCENARIO, {"mu": (0.2, 0.4)}, draw="sobol", points=64, seed=3, out=tmp_path / "drawn")
    # one in each part of the axis
    parts = np.sort(np.floor((found["mu"] - 0.2) / 0.2 * 64))
    np.testing.assert_array_equal(parts, np.arange(64))


def test_a_boundary_is_found_between_the_points(tmp_path: Path) -> None:
    scenario = stiction.load(SCENARIO, {"omega": 0.7})
    found = stiction.sweep(scenario, {"mu": np.linspace(0.5, 0.9, 9)}, refine="stops", tolerance=1e-8, out=tmp_path / "edge")
    edge = found.boundary("stops")
    assert list(edge) == ["mu_below", "mu_above", "stops_below", "stops_above"] and edge.units["mu_below"] == "-"
    # Den Hartog (1931): 0.722071 at 0.7 of the natural frequency
    assert edge["mu_below"][0] < edge["mu_above"][0]
    assert edge["mu_above"][0] == pytest.approx(0.722071, abs=1e-6)


def test_what_is_wrong_is_said(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing varies"):
        stiction.sweep(SCENARIO, out=tmp_path / "a")
    with pytest.raises(stiction.ScenarioError, match="no key nu"):
        stiction.sweep(SCENARIO, {"nu": [1.0]}, out=tmp_path / "a")
    with pytest.raises(stiction.RunError, match="1000 of 1000 rows"):
        stiction.sweep(SCENARIO, OVER, out=whole)
    with pytest.raises(stiction.RunError, match="begun with another scenario"):
        stiction.sweep(SCENARIO, {"mu": [0.1]}, out=whole, resume=True)
    with pytest.raises(stiction.RunError, match="holds no dataset"):
        stiction.Dataset(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="cannot write"):
        stiction.sweep(SCENARIO, OVER, out=tmp_path / "file" / "below")
    with pytest.raises(ValueError, match="no shard 2 of 2"):
        stiction.sweep(SCENARIO, OVER, out=tmp_path / "a", shard=(2, 2))
    assert not (tmp_path / "a").exists()


LONG = {"omega": np.linspace(0.3, 1.45, 200), "mu": {"from": 0.1, "to": 0.7, "points": 2000}}


def test_an_exception_in_progress_stops_it_and_it_can_be_resumed(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def enough(fraction: float) -> None:
        if fraction > 0.0:
            raise Enough

    start = time.monotonic()
    with pytest.raises(Enough):
        stiction.sweep(SCENARIO, LONG, out=tmp_path / "d", progress=enough, rows_per_part=64)
    with pytest.raises(stiction.RunError, match="max_time"):
        stiction.sweep(SCENARIO, LONG, out=tmp_path / "d", resume=True, max_time=2.0, rows_per_part=64)
    # the whole takes minutes in a debug build
    assert time.monotonic() - start < 20.0
    assert 0 < stiction.Dataset(tmp_path / "d").done < 400_000


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_is_heard(tmp_path: Path) -> None:
    code = (
        "import numpy as np, signal, stiction, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "over = {'omega': np.linspace(0.3, 1.5, 2000), 'mu': np.linspace(0.1, 0.7, 2000)}\n"
        f"try:\n    stiction.sweep({str(SCENARIO)!r}, over, out={str(tmp_path / 'd')!r})\n"
        "except KeyboardInterrupt:\n    sys.exit(7)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code])
    while not (tmp_path / "d" / "manifest.json").exists() and child.poll() is None:
        time.sleep(0.02)
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    assert child.wait(30) == 7
    assert stiction.Dataset(tmp_path / "d").rows == 4_000_000


def test_a_map_is_drawn(whole: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    found = stiction.Dataset(whole)
    for z in ("amplitude", "stops"):
        ax = found.map("omega", "mu", z)
        drawn = ax.collections[0].get_array()
        assert drawn.shape == (40, 25)
        values = found[z].reshape(25, 40).T
        expected = values if z == "amplitude" else np.searchsorted(np.unique(values), values)
        np.testing.assert_array_equal(np.asarray(drawn), expected)
    with pytest.raises(ValueError, match="no grid"):
        found.map("omega", "amplitude", "mu")
    pyplot.close("all")


# -- clusters and object stores


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two workers in processes of their own."""
    distributed = pytest.importorskip("distributed")
    import dask

    with dask.config.set({"distributed.worker.daemon": True, "distributed.admin.log-format": ""}):
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster, distributed.Client(cluster) as client:
            yield client


@pytest.fixture(scope="module")
def bucket() -> Iterator[dict[str, Any]]:
    """A bucket of an object store on this machine; options of fsspec for it."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    _, port = server.get_host_and_port()
    options = {"key": "a", "secret": "b", "client_kwargs": {"endpoint_url": f"http://127.0.0.1:{port}", "region_name": "eu-west-1"}}
    import s3fs

    s3fs.S3FileSystem(**options).mkdir("maps")
    yield options
    server.stop()


pytestmark = pytest.mark.filterwarnings("default::DeprecationWarning", "default::ResourceWarning", "default::pytest.PytestUnraisableExceptionWarning")


def downloaded(name: str, options: dict[str, Any]) -> Content:
    import s3fs

    store = s3fs.S3FileSystem(**options, skip_instance_cache=True)
    return {path.removeprefix(f"maps/{name}/"): store.cat_file(path) for path in sorted(store.find(f"maps/{name}"))}


def test_an_object_store_holds_the_same_bytes(whole: Path, bucket: dict[str, Any]) -> None:
    out = "s3://maps/here"
    reported: list[float] = []
    found = stiction.sweep(SCENARIO, OVER, out=out, storage_options=bucket, progress=reported.append)
    assert downloaded("here", bucket) == content(whole)
    assert reported == sorted(reported) and reported[-1] == 1.0
    np.testing.assert_array_equal(found["amplitude"], stiction.Dataset(whole)["amplitude"])
    assert found.to_arrow().num_rows == 1000
    # what is there is not computed again, what is not is
    import s3fs

    s3fs.S3FileSystem(**bucket).rm(["maps/here/rows/part-000003.parquet", "maps/here/rows.csv"])
    with pytest.raises(stiction.RunError, match="holds a dataset already"):
        stiction.sweep(SCENARIO, OVER, out=out, storage_options=bucket)
    with pytest.raises(stiction.RunError, match="begun with another scenario"):
        stiction.sweep(SCENARIO, {"mu": [0.1]}, out=out, storage_options=bucket, resume=True)
    stiction.sweep(SCENARIO, OVER, out=out, storage_options=bucket, resume=True)
    assert downloaded("here", bucket) == content(whole)
    s3fs.S3FileSystem(**bucket).pipe_file("maps/mine/notes.txt", b"dear diary")
    with pytest.raises(stiction.RunError, match="notes.txt, which is not of a dataset"):
        stiction.sweep(SCENARIO, OVER, out="s3://maps/mine", storage_options=bucket)
    with pytest.raises(stiction.RunError, match="holds no dataset"):
        stiction.Dataset("s3://maps/nothing", storage_options=bucket)


def test_a_cluster_leaves_the_same_bytes(whole: Path, client: Any, bucket: dict[str, Any], tmp_path: Path) -> None:
    reported: list[float] = []
    stiction.sweep(SCENARIO, OVER, out=tmp_path / "d", cluster=client, progress=reported.append)
    assert content(tmp_path / "d") == content(whole)
    assert reported == sorted(reported) and reported[-1] == 1.0
    stiction.sweep(SCENARIO, OVER, out="s3://maps/there", cluster=client, storage_options=bucket)
    assert downloaded("there", bucket) == content(whole)


def test_a_worker_that_is_killed_half_way_changes_nothing(client: Any, tmp_path: Path) -> None:
    over = {"omega": np.linspace(0.5, 1.5, 50), "mu": {"from": 0.1, "to": 0.7, "points": 128}}
    stiction.sweep(SCENARIO, over, out=tmp_path / "whole", threads=2, rows_per_part=64)
    (victim, pid), *_ = client.run(os.getpid).items()
    rows = tmp_path / "d" / "rows"
    at: list[int] = []

    def kill() -> None:
        while not rows.exists() or len(list(rows.glob("part-*"))) < 25:
            time.sleep(0.002)
        os.kill(pid, signal.SIGKILL)
        at.append(len(list(rows.glob("part-*"))))

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    stiction.sweep(SCENARIO, over, out=tmp_path / "d", cluster=client, rows_per_part=64)
    killer.join(60)
    assert at and at[0] < 100, "killed before the end"
    assert victim not in client.scheduler_info()["workers"] or client.run(os.getpid, workers=[victim])[victim] != pid
    assert content(tmp_path / "d") == content(tmp_path / "whole")


def test_a_cluster_says_what_is_wrong(client: Any, whole: Path) -> None:
    with pytest.raises(stiction.RunError, match="holds a dataset already"):
        stiction.sweep(SCENARIO, OVER, out=whole, cluster=client)
    with pytest.raises(ValueError, match="one machine"):
        stiction.sweep(SCENARIO, OVER, out=whole, cluster=client, shard=(0, 2))


# -- samplers, judged by SciPy


@pytest.mark.parametrize("draw", ["random", "latin-hypercube", "sobol"])
def test_points_are_as_even_as_those_of_scipy(draw: str, tmp_path: Path) -> None:
    """The centred discrepancy of 128 points in two dimensions, over seeds: its mean is that of SciPy's samplers."""
    qmc = pytest.importorskip("scipy.stats.qmc")
    engines = {
        "random": lambda seed: np.random.default_rng(seed).random((128, 2)),
        "latin-hypercube": lambda seed: qmc.LatinHypercube(2, seed=seed).random(128),
        "sobol": lambda seed: qmc.Sobol(2, scramble=True, seed=seed).random(128),
    }
    expected = np.array([qmc.discrepancy(engines[draw](seed)) for seed in range(60)])
    run = {"system": {"oscillator": {"mass": 1.0, "stiffness": 1.0, "initial": {"position": 1.0}}}, "analysis": {"transient": {"duration": 0.1, "samples": 2}}}
    found = []
    for seed in range(12):
        rows = stiction.sweep(run, {"mass": (1.0, 2.0), "stiffness": (1.0, 2.0)}, draw=draw, points=128, seed=seed, out=tmp_path / str(seed), threads=1)
        found.append(qmc.discrepancy(np.stack([rows["mass"] - 1.0, rows["stiffness"] - 1.0], axis=1)))
    # four standard deviations of the difference of the means
    allowed = 4.0 * np.hypot(np.std(expected) / np.sqrt(60), np.std(found) / np.sqrt(12))
    assert abs(np.mean(found) - np.mean(expected)) < allowed, (np.mean(found), np.mean(expected), allowed)


# -- where results come from


def test_results_say_where_they_come_from(cli: Cli, tmp_path: Path) -> None:
    import json
    import pickle

    scenario = stiction.load(ROOT / "examples" / "stick_slip.toml", {"mu": 0.4})
    outcome = stiction.run(scenario)
    provenance = outcome.provenance
    assert provenance["stiction"] == stiction.__version__ and provenance["scenario"] == scenario.to_toml() and len(provenance["hash"]) == 64
    back = pickle.loads(pickle.dumps(outcome))
    assert back == outcome and back.provenance == provenance
    assert stiction.run(stiction.Scenario.from_toml(provenance["scenario"])) == outcome
    for name in ("a.csv", "a.events.csv", "a.json", "a.png", "a.svg"):
        outcome.save(tmp_path / name)
        assert cli("rerun", tmp_path / name) == f"{tmp_path / name}: the same\n"
    assert json.loads((tmp_path / "a.json").read_text())["provenance"] == provenance
    # tables are plain for those who read them
    pandas = pytest.importorskip("pandas")
    assert pandas.read_csv(tmp_path / "a.csv").shape == np.genfromtxt(tmp_path / "a.csv", delimiter=",", names=True).shape + (len(outcome) + 1,)


def test_an_axis_of_two_dimensions_is_refused(tmp_path: Path) -> None:
    square = np.linspace(0.1, 0.4, 4).reshape(2, 2)
    with pytest.raises(ValueError, match=r"mu has the shape \(2, 2\)"):
        stiction.sweep("examples/den_hartog.toml", {"mu": square}, out=tmp_path / "d")
    assert not (tmp_path / "d").exists()
    with pytest.raises(ValueError, match="lead to one number|varies already"):
        full = "system.oscillator.friction.coulomb.mu"
        stiction.sweep("examples/den_hartog.toml", {"mu": [0.1], full: [0.2]}, out=tmp_path / "d")
