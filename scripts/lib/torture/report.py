"""What a run says at its end, for people and for programs."""
from collections import Counter

# All of these must be nothing.
MUST_BE_NONE = ["lost", "doubled", "wrong", "died", "leaks", "unexpected"]


def recoveries(openings, disturbances, results):
    """For each time that the broker's port opened: seconds to the first new result, and what disturbed it."""
    seen, arrivals = set(), []
    for result in results:
        if result.event not in seen:
            seen.add(result.event)
            arrivals.append(result.arrived)
    found = []
    for (opened, kind), (following, _) in zip(openings, openings[1:] + [(float("inf"), None)]):
        first = next((moment for moment in arrivals if moment > opened), None)
        if first is None or first > following:
            continue
        meanwhile = sorted({what for began, ended, what in disturbances if began < first and ended > opened})
        found.append({"after": kind, "seconds": round(first - opened, 2), "disturbed_by": meanwhile})
    return found


def memory(samples):
    """First, last and most of the longest life among a process's."""
    lives = {}
    for moment, pid, resident in samples:
        lives.setdefault(pid, []).append((moment, resident))
    life = max(lives.values(), key=lambda life: life[-1][0] - life[0][0])
    # What it takes to begin with is no growth.
    warm = [resident for moment, resident in life if moment - life[0][0] >= min(30, (life[-1][0] - life[0][0]) / 4)]
    return {"seconds": round(life[-1][0] - life[0][0]), "first": warm[0], "last": warm[-1], "most": max(warm)}


def text(report):
    """Lines for people."""
    lines = []

    def line(name, value, note=""):
        lines.append(f"{name:<26}{value}{'  ' + note if note else ''}")

    line("seed", report["seed"], f"flow {report['flow']}, {report['workers']} workers, {report['apis']} APIs")
    line("charges", report["charges"],
         f"{report['accepted']} accepted, {report['duplicates_sent']} sent twice on purpose")
    line("faults", sum(report["faults"].values()),
         f"and {sum(report['requests_hit'].values())} requests hit by Stripe's")
    for kind, count in sorted(report["faults"].items()):
        line("  " + kind, count)
    for kind, count in sorted(report["requests_hit"].items()):
        line("  request " + kind, count)
    line("answers", ", ".join(f"{answer}: {count}" for answer, count in sorted(report["answers"].items())))
    line("results", sum(report["results"].values()))
    for status, count in sorted(report["results"].items(), key=lambda pair: -pair[1]):
        line("  " + status, count)
    if report["parked"]:
        line("parked", sum(report["parked"].values()), str(report["parked"]))
    line("delivered more than once", report["duplicates_delivered"])
    times = sorted(r["seconds"] for r in report["recoveries"] if not r["disturbed_by"])
    if times:
        line("back after the broker", f"{times[-1]} s at worst",
             f"{times[len(times) // 2]} s as a rule, {len(times)} times")
    for slow in sorted((r for r in report["recoveries"] if r["disturbed_by"]), key=lambda r: -r["seconds"])[:1]:
        line("  while more was broken", f"{slow['seconds']} s at worst", ", ".join(slow["disturbed_by"]))
    for name, seen in sorted(report["memory"].items()):
        sizes = " ".join(f"{what} {seen[what] / 1048576:.0f} MiB" for what in ("first", "last", "most"))
        line(f"memory of {name}", sizes, f"over {seen['seconds']} s")
    line("took", f"{report['seconds']} s")
    line("still waiting", report["still_open"])
    for what in MUST_BE_NONE:
        line(what, len(report[what]))
        for found in list(report[what].items() if isinstance(report[what], dict) else report[what])[:10]:
            lines.append(f"    {found[0]}: {found[1]}" if isinstance(found, tuple) else f"    {found}")
    return "\n".join(lines)


def is_good(report):
    return not report["still_open"] and not any(report[what] for what in MUST_BE_NONE)


def counted(parked):
    """Parked ids by reason."""
    return dict(Counter(parked.values()))
