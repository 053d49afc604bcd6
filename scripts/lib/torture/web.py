"""HTTP/1.1 for the load and for the sandbox's own calls: one connection kept open, made anew after any trouble."""
import http.client
import json


class Away(Exception):
    """No whole answer came."""


class Web:
    def __init__(self, port, timeout=10):
        self.port = port
        self.timeout = timeout
        self.connection = None

    def call(self, method, path, body=None, headers=None):
        """Returns (status, body as bytes). Raises Away; the request may have been done all the same."""
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
            self.connection.request(method, path, body, headers or {})
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as trouble:
            self.close()
            raise Away(f"{method} {path}: {trouble!r}") from None

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


class Sandbox(Web):
    """The sandbox's own calls: each on a connection of its own, since one that is idle for long is closed."""

    def own(self, method, what, value=None):
        self.close()
        return self.call(method, f"/_sandbox/{what}", None if value is None else json.dumps(value))

    def put(self, what, value):
        status, body = self.own("PUT", what, value)
        if status != 200:
            raise RuntimeError(f"the sandbox does not take {value}: {body.decode()}")
        return json.loads(body)

    def get(self, what):
        status, body = self.own("GET", what)
        if status != 200:
            raise RuntimeError(f"the sandbox's {what}: {status}")
        return body

    def advance(self, how_far):
        status, body = self.own("POST", "clock", {"advance": how_far})
        if status != 200:
            raise RuntimeError(f"the sandbox's clock: {body.decode()}")

    def ledger(self):
        """Every try to move money."""
        return [json.loads(line) for line in self.get("ledger").splitlines()]

    def form(self, path, form, key="sk_test_torture_setup_0000", headers=None):
        """A call of Stripe's."""
        status, body = self.call("POST", path, form, {
            "Authorization": f"Bearer {key}", "Content-Type": "application/x-www-form-urlencoded", **(headers or {})})
        return status, json.loads(body)
