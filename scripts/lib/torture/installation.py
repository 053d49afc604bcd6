"""One installation of chargeline: a broker, a sandbox, workers, APIs and a consumer of the results, all on loopback."""
import os
import shutil
import signal
import threading
import time

from processes import Broker, Process, free_port
from web import Away, Sandbox, Web

PREFIX = "torture"
# Hours: after 24 Stripe forgets its keys, and 25 after its last send a charge that is nowhere to be found is parked.
AHEAD = 30
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"


class Site:
    def __init__(self, options, folder, results, tell):
        self.options = options
        self.tell = tell
        self.folder = folder
        self.key_file = os.path.join(folder, "key")
        self.keys = []
        self.new_key()
        self.broker = Broker(os.path.join(options.root, "scripts", "broker"), os.path.join(folder, "broker"))
        self.sandbox_port = free_port()
        self.api_ports = [free_port() for _ in range(options.apis)]
        self.sandbox = Sandbox(self.sandbox_port)
        self.processes = {}
        self.results = results
        self.memory = {}
        self.is_over = threading.Event()

    # --- beginning and end ----------------------------------------------------------------------------------

    def start(self):
        self.broker.create()
        self._add("sandbox", ["sandbox", "--single-use-tokens", "true", "--seed", str(self.options.seed),
                              "--listen", f"127.0.0.1:{self.sandbox_port}"])
        for number, port in enumerate(self.api_ports, 1):
            self._add(f"api-{number}", ["api", "--listen", f"127.0.0.1:{port}"], free_port())
        for number in range(1, self.options.workers + 1):
            self._add(f"worker-{number}", ["worker"], free_port(), STRIPE_FLOW=self._flow(number))
        for process in self.processes.values():
            process.start()
        self._await("the sandbox", lambda: self.sandbox.get("stats"))
        for name in self.workers + self.apis:
            self.await_ready(name)
        self._add("consumer", ["results", "--take", "--json"], reader=self.results.read)
        self.processes["consumer"].start()
        threading.Thread(target=self._watch_memory, daemon=True).start()

    def stop(self):
        """Ends everything, in whatever state it is. The broker's log is kept."""
        self.is_over.set()
        for process in self.processes.values():
            process.send(signal.SIGCONT)
            process.send(signal.SIGTERM)
        for process in self.processes.values():
            process.end(within=10)
        try:
            self.broker.run("stop")
        except RuntimeError as trouble:
            self.tell(str(trouble))
        logs = os.path.join(self.broker.folder, "log")
        for name in os.listdir(logs) if os.path.isdir(logs) else []:
            if name.endswith(".log"):
                shutil.copy(os.path.join(logs, name), os.path.join(self.folder, f"broker-{name}"))

    def new_key(self):
        """Another key of the same account, in the file that the workers read."""
        self.keys.append(f"sk_test_torture{os.urandom(12).hex()}")
        with open(self.key_file + ".new", "w", encoding="ascii") as file:
            file.write(self.keys[-1] + "\n")
        os.chmod(self.key_file + ".new", 0o600)
        os.replace(self.key_file + ".new", self.key_file)

    # --- parts ----------------------------------------------------------------------------------------------

    @property
    def workers(self):
        return [f"worker-{n}" for n in range(1, self.options.workers + 1)]

    @property
    def apis(self):
        return [f"api-{n}" for n in range(1, self.options.apis + 1)]

    def _flow(self, number):
        return {"mixed": ["payment_intents", "charges"][number % 2]}.get(self.options.flow, self.options.flow)

    def environment(self, **more):
        settings = {
            "PATH": "/usr/bin:/bin", "AMQP_URL": self.broker.url, "CHARGELINE_PREFIX": PREFIX,
            "STRIPE_API_BASE": f"http://127.0.0.1:{self.sandbox_port}", "STRIPE_SECRET_KEY_FILE": self.key_file,
            "STRIPE_FLOW": self._flow(2), "CHARGELINE_STRIPE_RATE": str(self.options.rate),
            "CHARGELINE_WORKERS": str(self.options.workers), "CHARGELINE_IN_FLIGHT": "64",
            "CHARGELINE_STRIPE_TIMEOUT": "3s", "CHARGELINE_RETRY_DELAYS": self.options.retry_delays,
            "CHARGELINE_DRAIN": "5s", "CHARGELINE_WAIT_MAX": "20s", "CHARGELINE_LOG": "info",
        }
        return {**settings, **self.options.settings, **more}

    def _add(self, name, arguments, admin=None, reader=None, **more):
        if admin:
            more["CHARGELINE_ADMIN_LISTEN"] = f"127.0.0.1:{admin}"
        process = Process(
            name, [self.options.program, *arguments], self.environment(**more), self.folder, self.tell, reader)
        process.admin = admin
        self.processes[name] = process

    def is_ready(self, name):
        try:
            return Web(self.processes[name].admin, 2).call("GET", "/readyz")[0] == 200
        except Away:
            return False

    def await_ready(self, name, within=60):
        self._await(name, lambda: self.is_ready(name), within)

    def _await(self, what, holds, within=60):
        until = time.monotonic() + within
        while time.monotonic() < until:
            try:
                if holds():
                    return
            except Away:
                pass
            time.sleep(0.1)
        raise RuntimeError(f"{what} is not ready after {within} s; see {self.folder}/{what}.log")

    def _watch_memory(self):
        while not self.is_over.wait(2):
            for name in self.workers + self.apis:
                resident = self.processes[name].resident
                if resident:
                    seen = self.memory.setdefault(name, [])
                    seen.append((time.monotonic(), self.processes[name].popen.pid, resident))

    # --- a day later ----------------------------------------------------------------------------------------

    def move_ahead(self, days):
        """Stripe's clock and the workers', so many times: what has to wait for hours or a day ends now."""
        for name in self.workers:
            self.processes[name].end()
        self.sandbox.advance(f"{AHEAD}h")
        for name in self.workers:
            self.processes[name].environment.update(
                LD_PRELOAD=FAKETIME, FAKETIME=f"+{AHEAD * days}h", DONT_FAKE_MONOTONIC="1", FAKETIME_DONT_RESET="1")
            self.processes[name].start()
        for name in self.workers:
            self.await_ready(name)
