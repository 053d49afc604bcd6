"""What happens when: the faults of each target, drawn from a seed. The same seed and options give the same plan."""
import random
from dataclasses import dataclass, field

# Faults of one request, and the highest share of requests that one of them hits in a mix.
REQUEST_FAULTS = {
    "status_500": 0.3, "status_503": 0.3, "status_429": 0.3, "lock_timeout": 0.3, "status_409": 0.3,
    "reset_before_effect": 0.3, "reset_after_effect": 0.3, "hang_before_effect": 0.1, "hang_after_effect": 0.1,
    "garbage": 0.2, "truncated": 0.2, "html_502": 0.2, "slow": 0.2, "status_401": 0.05,
    "late_execution": 0.05, "status_500_stored": 0.02, "status_500_stored_after_effect": 0.05,
}
LIMITERS = ["global-rate", "endpoint-rate", "global-concurrency", "endpoint-concurrency", "resource-specific"]

# How the faults are shared out between the targets, and what can happen to each: weight, least and most seconds.
SHARES = {"stripe": 48, "workers": 30, "broker": 7, "apis": 10, "consumer": 5}
# Seconds from one fault of the broker to the next, as a rule.
BROKER_PAUSE = 25
KINDS = {
    "stripe": {
        "mix": (60, 2, 8), "outage": (8, 2, 8), "frozen": (10, 0.5, 7), "key_revoked": (6, 2, 6),
        "rate_limit": (8, 3, 8), "search_lag": (8, 4, 15),
    },
    "worker": {"kill": (60, 0.1, 2), "freeze": (25, 0.5, 15), "drain": (15, 0.1, 1)},
    # Never killed, so that its memory can be watched.
    "worker-1": {"freeze": (1, 0.5, 8)},
    "broker": {"kill": (40, 0, 1), "restart": (15, 0, 0), "freeze": (20, 0.5, 12), "memory_alarm": (25, 1, 6)},
    "api": {"kill": (55, 0.1, 2), "freeze": (25, 0.5, 6), "drain": (20, 0.1, 1)},
    "consumer": {"kill": (70, 0.1, 2), "freeze": (30, 0.5, 5)},
}


@dataclass
class Event:
    """One fault: when it begins, how long it lasts (both in seconds), and what it needs to know."""
    at: float
    kind: str
    seconds: float
    detail: dict = field(default_factory=dict)

    def __str__(self):
        return f"{self.at:8.2f} {self.kind} {self.seconds:.2f}s {self.detail or ''}".rstrip()


def timelines(seed, faults, window, workers, apis):
    """The events of each target, in order: {"worker-1": [Event, …], …}."""
    chance = random.Random(f"plan {seed}")
    plan = {}
    for share, count in _shared(faults, window).items():
        names = {"workers": [f"worker-{n + 1}" for n in range(workers)],
                 "apis": [f"api-{n + 1}" for n in range(apis)]}.get(share, [share])
        for index, name in enumerate(names):
            mine = count // len(names) + (index < count % len(names))
            plan[name] = _events(chance, _kinds(name), mine, window)
    return plan


def _shared(faults, window):
    total = sum(SHARES.values())
    counts = {name: faults * share // total for name, share in SHARES.items()}
    # It takes ten seconds and more to start again; were it away all the time, nothing else would be tried.
    counts["broker"] = min(counts["broker"], max(1, int(window / BROKER_PAUSE)))
    counts["stripe"] += faults - sum(counts.values())
    return counts


def _kinds(name):
    return KINDS.get(name) or KINDS[name.split("-")[0]]


def _events(chance, kinds, count, window):
    """So many events, one in each equal part of the window; each ends before the next begins."""
    starts = [(number + chance.uniform(0.05, 0.6)) * window / count for number in range(count)]
    events = []
    for at, following in zip(starts, starts[1:] + [window]):
        kind = chance.choices(list(kinds), [kinds[name][0] for name in kinds])[0]
        _, least, most = kinds[kind]
        seconds = min(chance.uniform(least, most), max(0.1, (following - at) * 0.9))
        events.append(Event(at, kind, seconds, _detail(chance, kind)))
    return events


def _detail(chance, kind):
    if kind == "mix":
        faults = []
        for name in chance.sample(list(REQUEST_FAULTS), chance.randint(1, 4)):
            fault = {"fault": name, "rate": round(chance.uniform(0.005, REQUEST_FAULTS[name]), 3)}
            if name == "status_429":
                fault["reason"] = chance.choice(LIMITERS)
            if name == "slow":
                fault["delay"] = f"{chance.randint(200, 2500)}ms"
            if name == "late_execution":
                fault["delay"] = f"{chance.randint(5, 60)}s"
            if name.startswith("status_5") and chance.random() < 0.2:
                fault["should_retry"] = chance.random() < 0.5
            faults.append(fault)
        return {"faults": faults}
    if kind == "outage":
        return {"faults": [{"fault": chance.choice(["status_503", "status_500", "html_502", "reset_before_effect"])}]}
    if kind == "rate_limit":
        return {"rate_limit": chance.choice([25, 50, 100])}
    if kind == "search_lag":
        return {"search_lag": f"{chance.randint(2, 20)}s"}
    return {}
