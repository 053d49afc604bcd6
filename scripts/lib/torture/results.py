"""The service that tells the buyers: takes every result there is, and keeps what the audit needs."""
import json
import threading
import time
from collections import namedtuple

Result = namedtuple("Result", "id event status final sequence amount currency charge code arrived")
FINAL = {"succeeded", "authorized", "declined", "requires_action", "rejected", "not_charged"}
RANK = {**{status: 3 for status in FINAL}, "parked": 2, "unknown": 1, "refused": 0}


class Results:
    def __init__(self, path):
        self.file = open(path, "ab")
        self.all = []
        self.unreadable = []
        self.finals = set()
        self.parked = set()
        self.lock = threading.Lock()

    def read(self, stream):
        """Reads a consumer's output to its end, one line a result."""
        for line in stream:
            # Half a line was written by a consumer that was killed: it was not acked, and comes again.
            if line.endswith(b"\n"):
                self._take(line)

    def _take(self, line):
        try:
            read = json.loads(line)
            result = Result(
                read["id"], read["event"], read["status"], read["final"], read["sequence"], read["amount"],
                read["currency"], read["stripe"]["charge"], (read["failure"] or {}).get("code"), time.monotonic())
        except (ValueError, KeyError, TypeError):
            self.unreadable.append(line.decode(errors="replace").strip()[:500])
            return
        with self.lock:
            self.file.write(line)
            self.all.append(result)
            if result.final:
                self.finals.add(result.id)
            if result.status == "parked":
                self.parked.add(result.id)

    def close(self):
        self.file.close()
