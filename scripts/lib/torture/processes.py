"""The processes of a run: started, signalled, ended. Nothing of them outlives the run, even if that is killed."""
import os
import signal
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

# One thread starts everything and lives as long as the run: the kernel kills a child when the *thread* that started
# it ends.
_starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="starter")


def start(arguments, **options):
    """Popen whose process is killed when this program dies, however that happens."""
    guarded = ["setpriv", "--pdeathsig", "KILL", "--", *arguments]
    return _starter.submit(subprocess.Popen, guarded, stdin=subprocess.DEVNULL, **options).result()


def free_port(taken=set()):
    """A port of loopback below the range that the kernel hands out by itself."""
    for port in range(20000 + os.getpid() % 9000, 32000):
        if port in taken:
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        taken.add(port)
        return port
    raise RuntimeError("no free port between 20000 and 32000")


class Process:
    """A role that is started again and again under one name; its log is one file."""

    def __init__(self, name, arguments, environment, folder, tell, reader=None):
        self.name = name
        self.tell = tell
        self.arguments = arguments
        self.environment = environment
        self.log = os.path.join(folder, f"{name}.log")
        self.reader = reader
        self.popen = None
        self.reading = None
        self.deaths = []

    def start(self):
        with open(self.log, "ab") as log:
            self.popen = start(self.arguments, env=self.environment, stderr=log,
                               stdout=subprocess.PIPE if self.reader else log)
        self.tell(f"{self.name} started as {self.popen.pid}")
        if self.reader:
            self.reading = threading.Thread(target=self.reader, args=(self.popen.stdout,), daemon=True)
            self.reading.start()

    @property
    def is_running(self):
        return self.popen is not None and self.popen.poll() is None

    def send(self, number):
        if self.is_running:
            self.popen.send_signal(number)

    def handles(self, number):
        """Whether it has got as far as minding this signal."""
        masks = self.status("SigBlk", "SigCgt", "SigIgn")
        return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)

    def status(self, *names):
        """Fields of /proc/PID/status."""
        try:
            with open(f"/proc/{self.popen.pid}/status", encoding="ascii") as lines:
                return [line.split()[1] for line in lines if line.split(":")[0] in names]
        except (OSError, AttributeError, IndexError):
            return []

    @property
    def resident(self):
        """Bytes in memory; None while it does not run."""
        found = self.status("VmRSS")
        return int(found[0]) * 1024 if found else None

    def end(self, number=signal.SIGTERM, within=15):
        """Ends it; returns its status, negative for a signal, or None where it had to be killed."""
        if self.popen is None:
            return None
        self.send(signal.SIGCONT)
        self.send(number)
        try:
            status = self.popen.wait(within)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
            status = None
        if self.reading:
            self.reading.join(10)
        return status

    def note_death(self):
        """It ended though nobody ended it."""
        # A consumer that finds no broker says so and ends, as it should.
        if self.name != "consumer" or self.popen.returncode not in (0, 2, 3):
            self.deaths.append(self.popen.returncode)


class Broker:
    """A private RabbitMQ node, by scripts/broker."""

    def __init__(self, script, folder):
        self.script = script
        self.folder = folder
        self.url = None
        self.port = None
        # When its port opened last.
        self.opened = None

    def run(self, command, *arguments, timeout=120):
        popen = start([self.script, command, self.folder, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, errors = popen.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            popen.kill()
            popen.communicate()
            raise RuntimeError(f"scripts/broker {command} took over {timeout} s") from None
        if popen.returncode != 0:
            raise RuntimeError(f"scripts/broker {command}: {errors.decode().strip()}")
        return output.decode()

    def create(self):
        self.url = self.run("start", "--with", str(os.getpid())).strip()
        self.port = int(self.url.rsplit(":", 1)[1].split("/")[0])

    def start(self):
        """Starts it again, and notes the moment at which its port opens."""
        watch = threading.Thread(target=self._await_port, daemon=True)
        watch.start()
        self.run("start")
        watch.join()

    def _await_port(self):
        self.opened = None
        until = time.monotonic() + 90
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.02)
            else:
                self.opened = time.monotonic()
                return

    def control(self, *arguments):
        return self.run("ctl", *arguments)

    def send(self, number):
        os.kill(int(self.run("pid")), number)

    def depths(self):
        """Messages of each queue that has any."""
        lines = self.control("--quiet", "list_queues", "--no-table-headers", "name", "messages").splitlines()
        pairs = [line.split("\t") for line in lines if "\t" in line]
        return {name: int(count) for name, count in pairs if count.strip().isdigit() and int(count)}
