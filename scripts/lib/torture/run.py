"""One run from its beginning to its report."""
import json
import os
import re
import subprocess
import time

import audit
import plan
import report
from faults import Faults
from load import Load, draw
from processes import start
from results import Results
from installation import PREFIX, Site


class Story:
    """What was done when, in a file."""

    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8", buffering=1)
        self.began = time.monotonic()

    def tell(self, text):
        self.file.write(f"{time.monotonic() - self.began:8.2f} {text}\n")


class Run:
    def __init__(self, options, folder, say):
        self.options = options
        self.folder = folder
        self.began = time.monotonic()
        self.say = lambda text: say(f"{time.monotonic() - self.began:7.1f}  {text}")
        self.story = Story(os.path.join(folder, "story.log"))
        self.results = Results(os.path.join(folder, "results.jsonl"))
        self.site = Site(options, folder, self.results, self.story.tell)
        total = options.seconds
        # The rest is for what waits, and for the audit.
        self.window = max(total * 0.5, total - 180)
        self.charges = draw(options.seed, options.charges, self.window)
        self.load = Load(self.site, self.charges, self.window, options.seed)
        self.plan = plan.timelines(options.seed, options.faults, self.window, options.workers, options.apis)
        self.faults = Faults(self.site, self.plan, self.story)
        self.broken = {}

    def run(self):
        began = time.monotonic()
        with open(os.path.join(self.folder, "plan.txt"), "w", encoding="utf-8") as file:
            for name, events in self.plan.items():
                file.writelines(f"{name:<10}{event}\n" for event in events)
        self.say("a private RabbitMQ, the sandbox, "
                 f"{self.options.workers} workers, {self.options.apis} APIs, a consumer of the results")
        self.site.start()
        self.load.make_tokens()
        self.say(f"{self.options.charges} charges and {self.options.faults} faults in {self.window:.0f} s")
        self.load.start()
        self.faults.start()
        self._watch(self.window)
        self.say("no more faults")
        self.faults.stop()
        # What could not be accepted while everything was broken comes now.
        self.load.finish(60 + self.window / 3)
        if self.faults.errors:
            raise RuntimeError(f"faults could not be carried out: {'; '.join(self.faults.errors)}")
        self._settle()
        return self._report(time.monotonic() - began)

    def stop(self):
        """Nothing is left running, however far it got."""
        self.faults.stopping.set()
        self.load.over.set()
        for thread in self.faults.threads:
            thread.join(5)
        self.site.stop()
        self.results.close()

    def _watch(self, seconds):
        """Until the window is over; says once a minute how it goes."""
        until, told = time.monotonic() + seconds, time.monotonic()
        while time.monotonic() < until and not self.faults.errors:
            time.sleep(0.5)
            if time.monotonic() - told > 30:
                told = time.monotonic()
                accepted = sum(charge.accepted for charge in self.charges)
                self.say(f"  {accepted} accepted, {len(self.results.finals)} have ended, "
                         f"{sum(self.faults.counts.values())} faults")

    # --- the end of every charge ----------------------------------------------------------------------------

    def _open(self):
        ended = self.results.finals | self.results.parked
        return {charge.id for charge in self.charges if charge.accepted} - ended

    def _settle(self):
        """Waits for the end of every charge; what Stripe would tell in hours only ends on a clock a day ahead."""
        patience = 3 * self.options.longest_delay + 5
        # More than once: what is delivered again just then may have been sent just then, for all that a worker knows.
        for day in range(1, 4):
            if self._until_quiet(patience):
                return
            self.say(f"{len(self._open())} charges wait for hours to pass: Stripe's clock and the workers' go ahead")
            self.story.tell(f"a day ahead; open: {sorted(self._open())[:20]}")
            self.site.move_ahead(day)
        self._until_quiet(patience)

    def _until_quiet(self, patience):
        """Whether all have ended and no queue holds any more; False once nothing has happened for so many seconds."""
        seen, since = None, time.monotonic()
        while time.monotonic() - since < patience:
            time.sleep(1)
            state = len(self._open()) or self._waiting_queues()
            if not state:
                return True
            if state != seen:
                seen, since = state, time.monotonic()
                self.story.tell(f"waits for {state}")
        return False

    def _waiting_queues(self):
        return {name: count for name, count in self.site.broker.depths().items() if name != f"{PREFIX}.parked"}

    # --- the audit ------------------------------------------------------------------------------------------

    def _report(self, seconds):
        options, faults = self.options, self.faults
        depths = self._waiting_queues()
        for name in self.site.workers:
            self.site.processes[name].end()
        open_ids = {id for queue in depths for id in self._ids_in(queue, depths[queue])}
        parked = self._parked()
        results = list(self.results.all)
        if options.broken:
            results = self._break(results)
        ledger = self.site.sandbox.ledger()
        with open(os.path.join(self.folder, "ledger.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in ledger)
        found = audit.Audit(self.charges, ledger, results, set(parked), open_ids)
        died = {p.name: p.deaths for p in self.site.processes.values() if p.deaths}
        return {
            "seed": options.seed, "flow": options.flow, "workers": options.workers, "apis": options.apis,
            "charges": len(self.charges), "accepted": sum(charge.accepted for charge in self.charges),
            "duplicates_sent": self.load.duplicates, "faults": faults.counts, "requests_hit": faults.hits,
            "answers": self.load.answers, "results": dict(found.statuses), "parked": report.counted(parked),
            "duplicates_delivered": found.repeats,
            "recoveries": report.recoveries(faults.openings, faults.disturbances, self.results.all),
            "memory": {name: report.memory(seen) for name, seen in self.site.memory.items()
                       if name in ("worker-1", *self.site.apis)},
            "seconds": round(seconds), "still_open": len(found.still_open), "waiting": depths,
            "lost": found.lost, "doubled": found.doubled, "wrong": found.wrong, "died": died, "leaks": self._leaks(),
            "unexpected": self.load.unexpected + self.results.unreadable + faults.wrong_exits,
        }

    def _ids_in(self, queue, count):
        """The charges in a queue; what is read is gone, but all is over. Seen by a client that is not ours."""
        popen = start(["amqp-consume", "-u", self.site.broker.url, "-q", queue, "-A", "-c", str(count), "cat"],
                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            output, _ = popen.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            popen.kill()
            output, _ = popen.communicate()
        return set(re.findall(r'"id":\s*"([^"]+)"', output.decode(errors="replace")))

    def _parked(self):
        """{id: reason}, as `chargeline parked list` tells."""
        popen = start([self.options.program, "parked", "list", "--limit", "65535", "--json"],
                      env=self.site.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output, errors = popen.communicate(timeout=60)
        if popen.returncode != 0:
            raise RuntimeError(f"chargeline parked list: {errors.decode()}")
        return {message["id"]: group["reason"]
                for group in json.loads(output)["reasons"] for message in group["messages"]}

    def _leaks(self):
        """Logs and results that hold a key or a one-time token."""
        secrets = re.compile("|".join(map(re.escape, self.site.keys)) + r"|tok_1\w{20}")
        found = []
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".log", ".jsonl")) and name != "story.log":
                with open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as lines:
                    found += [f"{name}:{number}" for number, line in enumerate(lines, 1) if secrets.search(line)]
        return found

    # --- does the audit see anything at all? ----------------------------------------------------------------

    def _break(self, results):
        """Breaks three charges for each of the words of --break, so that the audit must find exactly these."""
        # What was open since the tokens were made has been closed by now.
        self.site.sandbox.close()
        paid = [charge for charge in self.charges if charge.accepted and f"{charge.id}.succeeded" in
                {result.event for result in results}]
        for word in self.options.broken:
            victims, paid = paid[:3], paid[3:]
            ids = {charge.id for charge in victims}
            self.broken[word] = sorted(ids)
            if word == "lost":
                results = [result for result in results if result.id not in ids]
            elif word == "wrong":
                results = [result._replace(status="declined", event=f"{result.id}.declined")
                           if result.id in ids and result.final else result for result in results]
            else:
                for charge in victims:
                    self.site.sandbox.form(
                        "/v1/charges",
                        f"amount={charge.amount}&currency={charge.currency}&source=tok_visa"
                        f"&metadata[chargeline_id]={charge.id}")
        return results
