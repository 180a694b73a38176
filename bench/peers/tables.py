"""The comparison as Markdown."""

import problems
import truth

LEVELS = ((1e-1, "10 %"), (1e-2, "1 %"), (1e-4, "0.01 %"))
OSCILLATORS = {"no_stick": "no stick", "stick_slip": "stick-slip"}


def seconds(value):
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value / 1e-9:.2g} ns"


def times(value, own):
    if own is None:
        return "–"
    ratio = value / own
    return f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.2g}×"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def rows_of(reports, problem):
    """(peer, row) for all peers that solved a problem."""
    return [(report["peer"], row) for report in reports for row in report["results"].get(problem, [])]


def own_time(reports, problem, every=1):
    """stiction's time for as many samples, at its fastest setting: all of them are more accurate than any peer."""
    own = (row for peer, row in rows_of(reports, problem) if peer == "stiction")
    return min((row["seconds"] for row in own if row.get("every", 1) == every), default=None)


def cheapest(report, problem, level):
    """The fastest setting of a peer within an error."""
    good = [row for row in report["results"].get(problem, []) if row["error"] <= level]
    return min(good, key=lambda row: row["seconds"], default=None)


def oscillators(reports):
    head = ["peer"]
    for name in OSCILLATORS.values():
        head += [f"{name}, to {text}" for _, text in LEVELS] + [f"{name}, most accurate"]
    body = []
    for report in reports:
        line = [report["peer"]]
        for problem in OSCILLATORS:
            for level, _ in LEVELS:
                row = cheapest(report, problem, level)
                own = row and own_time(reports, problem, row.get("every", 1))
                line.append(f"{seconds(row['seconds'])} ({times(row['seconds'], own)})" if own else "–")
            best = min(report["results"].get(problem, []), key=lambda row: row["error"], default=None)
            line.append(f"{best['error']:.0e} in {seconds(best['seconds'])}" if best else "–")
        body.append(line)
    return table(head, body)


def coarse(reports):
    """The longest steps: one peer, one setting a line."""
    body = []
    for report in reports:
        for problem, name in OSCILLATORS.items():
            for row in report["results"].get(problem, []):
                every = row.get("every", 1)
                if every > 1:
                    own = own_time(reports, problem, every)
                    body.append([report["peer"], name, row["setting"], str(problems.SAMPLES // every), seconds(row["seconds"]),
                                 times(row["seconds"], own), f"{row['error']:.0e}"])
    return table(["peer", "problem", "setting", "samples a period", "time", "× stiction", "largest error"], body)


def response(reports):
    own = own_time(reports, "response")
    return table(["peer", "setting", "time per point", "× stiction", "largest error"],
                 [[peer, row["setting"], seconds(row["seconds"]), times(row["seconds"], own), f"{row['error']:.0e}"]
                  for peer, row in rows_of(reports, "response")])


def disc(reports):
    own, true = own_time(reports, "disc"), truth.disc()[0]

    def number(value):
        return f"{value:.4f}" if value else "–"

    keys = ("stop_time", "distance", "late_ratio")
    body = [["truth", "", *(number(true[key]) for key in keys), "", "", ""]]
    body += [[peer, row["setting"], *(number(row[key]) for key in keys), f"{row['error']:.0e}", seconds(row["seconds"]),
              times(row["seconds"], own)] for peer, row in rows_of(reports, "disc")]
    return table(["peer", "setting", "stop time (s)", "distance (m)", "v/(ωR) at 1 cm/s", "largest error", "time", "× stiction"], body)


def own_facts(reports):
    """What stiction says itself of the end at its own tolerances, without interpolation."""
    found = [row["facts"] for peer, row in rows_of(reports, "disc") if peer == "stiction"]
    if not found:
        return ""
    facts = found[-1]
    true = truth.disc()[0]
    errors = [abs(facts[key] / true[key] - 1) for key in ("rest", "limit")]
    return (f" stiction also returns the end itself: rest at {facts['rest']:.7f} s (error {errors[0]:.0e}), ratio "
            f"{facts['limit']:.6f} (error {errors[1]:.0e}).")


def patches(reports):
    body = []
    for problem, name in (("patch_disc", "disc"), ("patch_rectangle", "rectangle")):
        own = own_time(reports, problem)
        body += [[name, peer, row["setting"], f"{1 / row['seconds']:.3g}", times(row["seconds"], own), f"{row['error']:.0e}"]
                 for peer, row in rows_of(reports, problem)]
    body += [["both", report["peer"], "has none", "–", "–", "–"] for report in reports
             if report["results"] and "patch_disc" not in report["results"]]
    return table(["patch", "peer", "setting", "wrenches per second", "× stiction", "largest error"], body)


def faster(reports):
    """Where a peer beats stiction, in words."""
    names = {**OSCILLATORS, "response": "frequency response", "disc": "disc", "patch_disc": "wrench of a disc",
             "patch_rectangle": "wrench of a rectangle"}
    found = [f"{peer}, {names[problem]} ({row['setting']}): {times(row['seconds'], own)} the time, error {row['error']:.0e}"
             for problem in names for peer, row in rows_of(reports, problem)
             if peer != "stiction" and (own := own_time(reports, problem, row.get("every", 1))) and row["seconds"] < own]
    if not found:
        return "Nowhere: no setting above was faster than stiction for as many samples, down to 16 steps a period."
    return "Faster than stiction:\n\n" + "\n".join(f"* {line}" for line in found)


def markdown(reports, about):
    versions = ", ".join(f"{report['peer']} {report['version']}" for report in reports if report["version"])
    notes = [f"* {report['peer']}: {note.strip()}" for report in reports for note in report["notes"]]
    limit = truth.disc()[0]["limit"]
    parts = [
        "# The same problems in other simulators",
        f"Written by `cargo xtask peers` on {about['date']}; Python {about['python']}, {about['system']}; {versions}. One thread each; "
        "the least processor time of several runs, without imports and model building. × is the peer's time over stiction's. How each peer is "
        "set up, and what the comparison does not show: [README](../README.md).",
        *(["Notes:\n\n" + "\n".join(notes)] if notes else []),
        f"## Forced Coulomb oscillator, {problems.PERIODS} periods\n\nThe largest error of the position, relative to its largest value.",
        oscillators(reports), "![error against time](work_precision.svg)",
        "The coarse end, 16 and 32 steps a period. Longer steps than the distance of the samples meet few of them; × is against "
        "stiction with as many samples.", coarse(reports),
        f"## Frequency response, {problems.RESPONSE['points']} points\n\nThe error is that of the amplitude, relative, at the worst point.",
        response(reports), "![error along the frequency, and against time](response.svg)",
        "## Spinning disc\n\nStop: the rim is slower than 1 mm/s. The ratio v/(ωR) tends to "
        f"{limit:.3f} (Farkas et al. 2003), slowly: it is read at v = 1 cm/s. All are read from samples 1 ms apart, or "
        "a step where it is longer, by linear interpolation, which alone costs some 1e-4." + own_facts(reports),
        disc(reports), "![speeds, and their ratio](disc.svg)",
        "## Friction wrench of a patch\n\nThe error is relative to μN, and to μNR for the moment.",
        patches(reports), "![error against evaluations per second](patch.svg)",
        "## Where a peer is ahead", faster(reports),
    ]
    return "\n\n".join(parts) + "\n"
