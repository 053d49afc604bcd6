"""scripts/torture: see docs/torture.md."""
import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True

import report  # noqa: E402
from run import Run  # noqa: E402

UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}


def seconds(text):
    number = text.rstrip("mshm")
    return float(number) * UNITS[text[len(number):]]


def read_options():
    parser = argparse.ArgumentParser(
        prog="scripts/torture", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Charges under load while everything breaks, then the audit of every accepted charge.",
        epilog="""Ends with 0 where nothing is lost, doubled or wrong; else with 1, and keeps logs, ledger and results.

examples:
  scripts/torture
  scripts/torture --seed 7 --flow charges
  scripts/torture --charges 100000 --faults 1000 --minutes 40
  scripts/torture --hours 8
  scripts/torture --charges 300 --faults 6 --minutes 1 --break lost,doubled,wrong""")
    parser.add_argument("--seed", type=int,
                        help="replays the charges and the schedule of faults; drawn and told otherwise")
    parser.add_argument("--charges", type=int, help="how many (20000, or 40 a second with --hours)")
    parser.add_argument("--faults", type=int, help="how many (200, or 28 a minute with --hours)")
    parser.add_argument("--minutes", type=float, default=10, help="how long all of it takes, about (10)")
    parser.add_argument("--hours", type=float, help="a soak of so many hours, with an eye on memory")
    parser.add_argument("--flow", choices=["payment_intents", "charges", "mixed"], default="payment_intents",
                        help="which API of Stripe's the workers use; mixed: half of them each")
    parser.add_argument("--workers", type=int, default=3, help="worker processes (3)")
    parser.add_argument("--apis", type=int, default=2, help="API processes (2)")
    parser.add_argument("--rate", type=int, default=600, help="requests a second that the workers share (600)")
    parser.add_argument("--retry-delays", default="1s,2s,5s,10s", help="CHARGELINE_RETRY_DELAYS (1s,2s,5s,10s)")
    parser.add_argument("--break", dest="broken", default="", metavar="WORDS",
                        help="lost, doubled, wrong: breaks three charges each before the audit, which must find them")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--dir", help="where logs, ledger, results and report are kept, also after a good run")
    options = parser.parse_args()
    options.seconds = options.hours * 3600 if options.hours else options.minutes * 60
    options.charges = options.charges or (int(options.seconds * 40) if options.hours else 20_000)
    if options.faults is None:
        options.faults = int(options.seconds * 28 / 60) if options.hours else 200
    options.seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    options.longest_delay = max(seconds(delay) for delay in options.retry_delays.split(","))
    options.broken = [word for word in options.broken.split(",") if word]
    if not set(options.broken) <= {"lost", "doubled", "wrong"}:
        parser.error("--break knows lost, doubled and wrong")
    options.settings = {}
    options.root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    return options


def interrupted(number, _):
    say(f"interrupted by signal {number}")
    raise SystemExit(128 + number)


def say(text):
    print(text, file=sys.stderr, flush=True)


def main():
    options = read_options()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    folder = options.dir or tempfile.mkdtemp(prefix="chargeline-torture.")
    os.makedirs(folder, exist_ok=True)
    say(f"seed {options.seed}; everything is written to {folder}")
    is_good, run = False, None
    try:
        run = Run(options, folder, say)
        found = run.run()
        with open(os.path.join(folder, "report.json"), "w", encoding="utf-8") as file:
            json.dump({**found, "broken_on_purpose": run.broken}, file, indent=1)
        is_good = report.is_good(found)
        print(report.text(found), flush=True)
    except Exception:
        traceback.print_exc()
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if run:
            run.stop()
        if is_good and not options.dir:
            shutil.rmtree(folder, ignore_errors=True)
        elif not is_good:
            say(f"Not good. Seed {options.seed}; logs, plan, story, results, ledger and report: {folder}")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
