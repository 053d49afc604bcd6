"""Carries out the plan: each target has a thread that does its events in order and starts again what died."""
import json
import signal
import threading
import time

from web import Away


class Faults:
    def __init__(self, site, plan, story):
        self.site = site
        self.plan = plan
        self.story = story
        self.counts = {}
        # Of single requests, as the sandbox counts them.
        self.hits = {}
        # When the broker's port opened, by a monotonic clock, and by what: for the time to recover.
        self.openings = []
        # (begin, end, what): nothing can be charged or seen then, whatever the broker does.
        self.disturbances = []
        self.wrong_exits = []
        self.errors = []
        self.began = None
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.threads = []

    def start(self):
        self.began = time.monotonic()
        for name, events in self.plan.items():
            thread = threading.Thread(target=self._target, args=(name, events), name=name, daemon=True)
            thread.start()
            self.threads.append(thread)

    def stop(self):
        """No more faults; everything runs, and works."""
        self.stopping.set()
        for thread in self.threads:
            thread.join(150)
        self._calm()

    # --- one target -----------------------------------------------------------------------------------------

    def _target(self, name, events):
        process = self.site.processes.get(name)
        act = {"stripe": self._stripe, "broker": self._broker}.get(name, self._process)
        try:
            for event in events:
                if not self._pause(self.began + event.at - time.monotonic(), process):
                    break
                self.story.tell(f"{name}: {event.kind} {event.seconds:.1f} s {json.dumps(event.detail)}")
                kind = f"{name.rstrip('0123456789-')} {event.kind}"
                with self.lock:
                    self.counts[kind] = self.counts.get(kind, 0) + 1
                began = time.monotonic()
                act(name, event)
                if event.kind in ("outage", "frozen", "key_revoked") or name == "consumer":
                    self.disturbances.append((began, time.monotonic(), kind))
            self._pause(float("inf"), process)
        except Exception as trouble:  # a fault that cannot be carried out ends the run, and says so
            self.errors.append(f"{name}: {trouble!r}")
            self.stopping.set()

    def _pause(self, seconds, process=None):
        """Waits; False when it is all over. What died meanwhile though nobody killed it is noted, and starts again."""
        until = time.monotonic() + seconds
        while not self.stopping.is_set():
            if process and not process.is_running:
                process.note_death()
                self.story.tell(f"{process.name} ended by itself: {process.popen.returncode}")
                process.start()
            left = until - time.monotonic()
            if left <= 0:
                return True
            self.stopping.wait(min(left, 0.2))
        return False

    def _process(self, name, event):
        process = self.site.processes[name]
        if event.kind == "kill":
            process.end(signal.SIGKILL)
            self._pause(event.seconds)
            process.start()
        elif event.kind == "freeze":
            process.send(signal.SIGSTOP)
            self._pause(event.seconds)
            process.send(signal.SIGCONT)
        else:
            heeds = process.handles(signal.SIGTERM)
            status = process.end(signal.SIGTERM)
            if status != 0 and heeds:
                self.wrong_exits.append(f"{name} drained with {status}")
            self._pause(event.seconds)
            process.start()

    def _broker(self, name, event):
        broker = self.site.broker
        if event.kind in ("kill", "restart"):
            broker.run("kill" if event.kind == "kill" else "stop")
            self._pause(event.seconds)
            broker.start()
            self.openings.append((broker.opened, event.kind))
        elif event.kind == "freeze":
            broker.send(signal.SIGSTOP)
            self._pause(event.seconds)
            broker.send(signal.SIGCONT)
        else:
            broker.control("set_vm_memory_high_watermark", "0.00001")
            self._pause(event.seconds)
            broker.control("set_vm_memory_high_watermark", "0.4")

    def _stripe(self, name, event):
        sandbox = self.site.sandbox
        if event.kind == "frozen":
            self.site.processes["sandbox"].send(signal.SIGSTOP)
            self._pause(event.seconds)
            self.site.processes["sandbox"].send(signal.SIGCONT)
        elif event.kind in ("mix", "outage"):
            self._put_faults(event.detail["faults"])
            self._pause(event.seconds)
            # A mix stays until the next one: it may be long.
            if event.kind == "outage":
                self._put_faults([])
        elif event.kind == "key_revoked":
            self._put_faults([{"fault": "status_401"}])
            self._pause(event.seconds)
            self.site.new_key()
            self._put_faults([])
            for worker in self.site.workers:
                if self.site.processes[worker].handles(signal.SIGHUP):
                    self.site.processes[worker].send(signal.SIGHUP)
        else:
            calm = {"rate_limit": 0, "search_lag": "0s"}
            sandbox.put("settings", event.detail)
            self._pause(event.seconds)
            sandbox.put("settings", {key: calm[key] for key in event.detail})

    def _put_faults(self, faults):
        self._count_hits()
        self.site.sandbox.put("faults", faults)

    def _count_hits(self):
        for fault in json.loads(self.site.sandbox.get("faults")):
            self.hits[fault["fault"]] = self.hits.get(fault["fault"], 0) + fault["hits"]

    # --- calm -----------------------------------------------------------------------------------------------

    def _calm(self):
        site = self.site
        site.processes["sandbox"].send(signal.SIGCONT)
        for attempt in range(20):
            try:
                self._put_faults([])
                site.sandbox.put("settings", {"rate_limit": 0, "search_lag": "0s", "latency": "0ms"})
                break
            except Away:
                time.sleep(0.5)
        for name in site.workers + site.apis + ["consumer"]:
            site.processes[name].send(signal.SIGCONT)
            if not site.processes[name].is_running:
                site.processes[name].start()
        site.broker.start()
        site.broker.control("set_vm_memory_high_watermark", "0.4")
        for name in site.workers + site.apis:
            site.await_ready(name)
