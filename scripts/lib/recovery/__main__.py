"""scripts/recovery: how soon work goes on after trouble."""
import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from datetime import datetime

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "torture"))

from installation import PREFIX, Site  # noqa: E402
from processes import start  # noqa: E402
from results import Results  # noqa: E402
from web import Web  # noqa: E402


def say(text):
    print(text, file=sys.stderr, flush=True)


class Measurement:
    """An installation of its own, and what is seen of it."""

    def __init__(self, options, name, **settings):
        self.options = options
        self.folder = os.path.join(options.dir, name)
        os.makedirs(self.folder)
        self.results = Results(os.path.join(self.folder, "results.jsonl"))
        options = argparse.Namespace(**vars(options), settings=settings)
        self.site = Site(options, self.folder, self.results, lambda text: None)

    def __enter__(self):
        self.site.start()
        self.site.sandbox.put("settings", {"single_use_tokens": False})
        return self

    def __exit__(self, *_):
        self.site.stop()
        self.results.close()

    @property
    def charged(self):
        return json.loads(self.site.sandbox.get("stats"))["charged"]

    def send(self, prefix, count, token="tok_visa", lane="checkout"):
        path = os.path.join(self.folder, f"{prefix}.csv")
        with open(path, "w", encoding="utf-8") as rows:
            rows.write("id,token,amount,currency,lane\n")
            rows.writelines(f"{prefix}-{n},{token},1999,usd,{lane}\n" for n in range(count))
        popen = start([self.options.program, "send", path], env=self.site.environment(), stdout=-3, stderr=-3)
        if popen.wait() != 0:
            raise RuntimeError(f"send {path} ended with {popen.returncode}")

    def await_that(self, what, holds, within):
        until = time.monotonic() + within
        while not holds():
            if time.monotonic() > until:
                raise RuntimeError(f"{what}: not within {within} s; see {self.folder}")
            time.sleep(0.01)

    def depth(self, queue):
        return self.site.broker.depths().get(f"{PREFIX}.{queue}", 0)

    def log(self, event):
        """The lines of this event in the first worker's log."""
        with open(self.site.processes["worker-1"].log, encoding="utf-8") as lines:
            return [line for line in map(json.loads, lines) if line["event"] == event]


def at(line):
    return datetime.fromisoformat(line["time"].replace("Z", "+00:00")).timestamp()


def broker_restarts(options):
    """From the opening of the broker's port to the next charge, under a backlog that never ends."""
    found = []
    with Measurement(options, "restarts", CHARGELINE_STRIPE_RATE="200") as here:
        here.send("load", 20_000)
        for number in range(options.restarts):
            here.await_that("charges", lambda before=here.charged: here.charged > before + 50, 60)
            here.site.broker.run("kill" if number % 2 else "stop")
            # What Stripe was asked before the end is answered after it: it must not be taken for new.
            time.sleep(2)
            before = here.charged
            here.site.broker.start()
            here.await_that("a charge after the restart", lambda: here.charged > before, 120)
            found.append(time.monotonic() - here.site.broker.opened)
            say(f"  restart {number + 1}: {found[-1]:.2f} s")
    yield "consuming again after the broker's port opened, worst of " + str(len(found)), max(found), 5, "s"


def one_among_many(options):
    """10,000 charges wait for another try; a new one must not."""
    settings = {"CHARGELINE_STRIPE_RATE": "0", "CHARGELINE_RETRY_DELAYS": "10m", "CHARGELINE_IN_FLIGHT": "500"}
    with Measurement(options, "waiting", **settings) as here:
        here.site.sandbox.put("faults", [{"fault": "status_409", "rate": 1, "match": {"token": "tok_mastercard"}}])
        worker = here.site.processes["worker-1"]
        # Every slot is used once first: memory goes with what is in flight, not with what waits.
        here.send("first", 2000, token="tok_mastercard", lane="batch")
        here.await_that("the first wait", lambda: here.depth("wait.600s") >= 2000, 300)
        before = worker.resident
        here.send("waiting", options.backlog, token="tok_mastercard", lane="batch")
        here.await_that("all wait", lambda: here.depth("wait.600s") >= 2000 + options.backlog, 300)
        yield f"resident memory with {options.backlog} more waiting, grown by", (worker.resident - before) / 2**20, 5, "MiB"
        web = Web(here.site.api_ports[0])
        body = json.dumps({"id": "new-1", "token": "tok_visa", "amount": 1999, "currency": "usd"})
        began = time.monotonic()
        status, answer = web.call("POST", "/v1/charges", body, {"Content-Type": "application/json", "Prefer": "wait=20"})
        took = time.monotonic() - began
        if status != 200:
            raise RuntimeError(f"the new charge: {status} {answer}")
        yield f"{options.backlog} waiting and one new: the new one done", took, 1, "s"


def a_retry_behind_a_backlog(options):
    """A charge that waits a second for its retry, behind 10,000 new ones."""
    with Measurement(options, "retry", CHARGELINE_STRIPE_RATE="100", CHARGELINE_RETRY_DELAYS="1s,30s") as here:
        fault = {"fault": "status_409", "rate": 1, "match": {"charge_id": "first-0"}}
        here.site.sandbox.put("faults", [fault])
        here.send("first", 1)
        here.send("backlog", options.backlog)

        def waits():
            return [line for line in here.log("charge") if line.get("id") == "first-0" and line["outcome"] == "waits"]

        here.await_that("the retry", waits, 60)
        here.site.sandbox.put("faults", [])
        here.await_that("its end", lambda: "first-0" in here.results.finals, 60)
        left = here.depth("charges.checkout")
        end = next(line for line in here.log("charge") if line.get("id") == "first-0" and line["outcome"] == "succeeded")
        if left < options.backlog // 2:
            raise RuntimeError(f"only {left} were left of the backlog")
        yield f"a retry of 1 s behind {options.backlog} new charges: back", at(end) - at(waits()[-1]), 3, "s"


def stripe_down(options):
    """Stripe answers 503 to everything for a minute, under load."""
    with Measurement(options, "down", CHARGELINE_STRIPE_RATE="100", CHARGELINE_RETRY_DELAYS="1s,5s,30s,2m") as here:
        here.send("down", 100 * (options.outage + 30))
        here.await_that("charges", lambda: here.charged > 200, 60)
        here.site.sandbox.put("faults", [{"fault": "status_503", "rate": 1}])
        began = time.time()
        time.sleep(options.outage)
        here.site.sandbox.put("faults", [])
        recovered = time.time()
        here.await_that("the full rate", lambda: [l for l in here.log("stripe_full_rate") if at(l) > recovered], 120)
        full = next(at(line) for line in here.log("stripe_full_rate") if at(line) > recovered)
        probes = [at(line) for line in here.log("stripe_probe") if began < at(line) < recovered]
        here.await_that("all ends", lambda: len(here.results.finals) >= 100 * (options.outage + 30), 600)
        with open(os.path.join(here.folder, "results.jsonl"), encoding="utf-8") as lines:
            attempts = [read["attempts"] for read in map(json.loads, lines) if read["final"]]
        yield f"Stripe down for {options.outage} s: parked", here.depth("parked"), 0, ""
        yield "attempts of a charge, most", max(attempts), 2, ""
        yield "probes a second", len(probes) / options.outage, 1, ""
        yield "full rate after its recovery", full - recovered, 30, "s"


def read_options():
    parser = argparse.ArgumentParser(
        prog="scripts/recovery", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="How soon work goes on after trouble, measured on real processes. About ten minutes.",
        epilog="examples:\n  scripts/recovery\n  scripts/recovery --only broker_restarts --restarts 3")
    names = [measure.__name__ for measure in MEASURES]
    parser.add_argument("--only", choices=names, action="append", help="this one; may be given again")
    parser.add_argument("--restarts", type=int, default=10, help="of the broker (10)")
    parser.add_argument("--backlog", type=int, default=10_000, help="charges that wait (10000)")
    parser.add_argument("--outage", type=int, default=60, help="seconds without Stripe (60)")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    options.workers, options.apis, options.flow, options.seed = 1, 1, "payment_intents", 1
    options.rate, options.retry_delays = 0, "1s,2s,5s,10s"
    options.dir = tempfile.mkdtemp(prefix="chargeline-recovery.")
    return options


MEASURES = [broker_restarts, one_among_many, a_retry_behind_a_backlog, stripe_down]


def interrupted(number, _):
    raise SystemExit(128 + number)


def main():
    options = read_options()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    is_good = True
    for measure in MEASURES:
        if options.only and measure.__name__ not in options.only:
            continue
        say(f"\n== {measure.__doc__}")
        for name, value, bar, unit in measure(options):
            within = value <= bar
            is_good = is_good and within
            print(f"{name:<72} {value:8.2f} {unit:<4} bar {bar:<4} {'' if within else 'NOT REACHED'}", flush=True)
    if is_good:
        shutil.rmtree(options.dir, ignore_errors=True)
    else:
        say(f"logs and results: {options.dir}")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
