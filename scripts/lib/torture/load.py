"""The charges of a run, and those who ask for them: JSON and form over HTTP, and `chargeline send`."""
import hashlib
import json
import os
import random
import subprocess
import threading
import time
import urllib.parse
from dataclasses import dataclass, field

from processes import start
from web import Away, Web

# Tokens that can be used again, which show a wrong idempotency key as a second charge: weight, and how they may end.
REUSABLE = {
    "tok_visa": (60, "succeeded"), "tok_mastercard": (20, "succeeded"), "tok_chargeDeclined": (8, "declined"),
    "tok_chargeDeclinedInsufficientFunds": (4, "declined"), "tok_threeDSecure2Required": (4, "requires_action"),
    "tok_thereIsNoSuchToken": (4, "rejected"),
}
# Cards behind one-time tokens, which show a charge that was sent anew as a wrong result.
CARDS = {
    "4242424242424242": (85, "succeeded"), "4000000000000002": (10, "declined"), "5555555555554444": (5, "succeeded"),
}
CURRENCIES = ["usd", "eur", "gbp", "jpy"]
WAYS = {"json": 60, "form": 15, "send": 25}
CHUNK = 250


@dataclass
class Charge:
    id: str
    way: str
    at: float
    amount: int
    currency: str
    capture: bool
    # How it ends where nothing goes wrong.
    end: str
    token: str = None
    card: str = None
    accepted: bool = False
    # Final statuses that HTTP has told.
    told: set = field(default_factory=set)

    @property
    def ends(self):
        """The final statuses that are possible. It may be too late, or proven never to have been executed."""
        return {"authorized" if self.end == "succeeded" and not self.capture else self.end, "not_charged"}

    def json(self):
        fields = {"id": self.id, "token": self.token, "amount": self.amount, "currency": self.currency,
                  "description": f"Torture {self.id}", "metadata": {"run": "torture"}}
        if not self.capture:
            fields["capture"] = False
        return json.dumps(fields)

    def form(self):
        fields = {"token": self.token, "amount": self.amount, "currency": self.currency, "description": "Torture"}
        if not self.id.startswith("tk_"):
            fields["id"] = self.id
        return urllib.parse.urlencode(fields)


def draw(seed, count, window):
    """The charges, spread over the window; half of them pay with one-time tokens, which are made later."""
    chance = random.Random(f"load {seed}")
    charges = []
    for number in range(count):
        way = chance.choices(list(WAYS), list(WAYS.values()))[0]
        one_time = chance.random() < 0.5
        kinds = CARDS if one_time else REUSABLE
        kind = chance.choices(list(kinds), [weight for weight, _ in kinds.values()])[0]
        charge = Charge(
            id=f"t{seed}-{number}", way=way, at=chance.random() * window, amount=chance.randint(100, 99_999),
            currency=chance.choice(CURRENCIES), capture=way == "form" or chance.random() > 0.06, end=kinds[kind][1])
        if one_time:
            charge.card = kind
        else:
            charge.token = kind
        charges.append(charge)
    return charges


class Load:
    def __init__(self, site, charges, window, seed):
        self.site = site
        self.charges = charges
        self.window = window
        self.chance = random.Random(f"duplicates {seed}")
        self.began = None
        self.over = threading.Event()
        self.answers = {}
        self.unexpected = []
        self.duplicates = 0
        self.lock = threading.Lock()
        self.threads = []

    # --- before ---------------------------------------------------------------------------------------------

    def make_tokens(self):
        """One-time tokens, as a browser makes them. A form with one brings no id: it is made from the token."""
        for charge in self.charges:
            if charge.card is None:
                continue
            status, token = self.site.sandbox.form(
                "/v1/tokens",
                f"card[number]={charge.card}&card[exp_month]=12&card[exp_year]=2040&card[cvc]=123")
            if status != 200:
                raise RuntimeError(f"the sandbox makes no token: {token}")
            charge.token = token["id"]
            if charge.way == "form":
                charge.id = "tk_" + hashlib.sha256(f"\n{charge.token}".encode()).hexdigest()[:40]

    def start(self):
        self.began = time.monotonic()
        for way, clients in (("json", 24), ("form", 24)):
            queue = self._queue(way)
            for number in range(clients):
                self._run(self._client, f"{way}-{number}", queue, self._post_json if way == "json" else self._post_form)
        sent = sorted((c for c in self.charges if c.way == "send"), key=lambda c: c.at)
        chunks = [sent[first:first + CHUNK] for first in range(0, len(sent), CHUNK)]
        for sender in range(2):
            self._run(self._sender, f"sender-{sender}", chunks[sender::2])

    def _run(self, target, name, *arguments):
        thread = threading.Thread(target=self._guarded, args=(target, *arguments), name=name, daemon=True)
        thread.start()
        self.threads.append(thread)

    def _guarded(self, target, *arguments):
        try:
            target(*arguments)
        except Exception as trouble:
            self.unexpected.append(f"{threading.current_thread().name}: {trouble!r}")

    def _queue(self, way):
        """What to post and when; some are posted twice, as by a buyer who taps again or a client that was cut off."""
        mine = [(charge.at, charge) for charge in self.charges if charge.way == way]
        again = [(min(at + self.chance.choice([0, 0, 0.5, 5, 20]), self.window), charge)
                 for at, charge in mine if self.chance.random() < 0.05]
        self.duplicates += len(again)
        return sorted(mine + again, key=lambda pair: pair[0])

    def finish(self, within):
        """Waits until all were posted, or gives up on what nobody accepts."""
        until = time.monotonic() + within
        for thread in self.threads:
            thread.join(max(0, until - time.monotonic()))
        self.over.set()
        for thread in self.threads:
            thread.join(45)

    # --- HTTP -----------------------------------------------------------------------------------------------

    def _client(self, queue, post):
        chance = random.Random()
        apis = [Web(port, timeout=25 if post == self._post_form else 6) for port in self.site.api_ports]
        while not self.over.is_set():
            with self.lock:
                if not queue:
                    return
                at, charge = queue.pop(0)
            while not self.over.is_set() and (early := self.began + at - time.monotonic()) > 0:
                self.over.wait(min(early, 1))
            turn = chance.randrange(len(apis))
            while not self.over.is_set():
                try:
                    if post(apis[turn % len(apis)], charge, chance):
                        break
                except Away:
                    self._count("no answer")
                turn += 1
                self.over.wait(chance.uniform(0.05, 0.5))

    def _post_json(self, api, charge, chance):
        headers = {"Content-Type": "application/json"}
        if chance.random() < 0.1:
            headers["Prefer"] = "wait=3"
        return self._answered(charge, *api.call("POST", "/v1/charges", charge.json(), headers))

    def _post_form(self, api, charge, chance):
        return self._answered(
            charge, *api.call("POST", "/charge", charge.form(), {"Content-Type": "application/x-www-form-urlencoded"}))

    def _answered(self, charge, status, body):
        """Whether it was accepted."""
        self._count(str(status))
        if status == 503:
            return False
        answer = json.loads(body)
        if status not in (200, 202, 402, 422) or answer.get("id") != charge.id:
            self.unexpected.append(f"{charge.id} ({charge.way}) got {status} {body[:300]!r}")
            return True
        charge.accepted = True
        if status != 202:
            charge.told.add(answer["status"])
        return True

    def _count(self, answer):
        with self.lock:
            self.answers[answer] = self.answers.get(answer, 0) + 1

    # --- chargeline send ------------------------------------------------------------------------------------

    def _sender(self, chunks):
        for number, chunk in enumerate(chunks):
            path = os.path.join(self.site.folder, f"{threading.current_thread().name}-{number}.csv")
            with open(path, "w", encoding="utf-8") as rows:
                rows.write("id,token,amount,currency,description,capture\n")
                for c in chunk:
                    rows.write(f"{c.id},{c.token},{c.amount},{c.currency},Torture,{str(c.capture).lower()}\n")
            while not self.over.is_set() and (early := self.began + chunk[0].at - time.monotonic()) > 0:
                self.over.wait(min(early, 1))
            while not self.over.is_set():
                popen = start([self.site.options.program, "send", path, "--lane", "batch"],
                              env=self.site.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                try:
                    _, errors = popen.communicate(timeout=120)
                except subprocess.TimeoutExpired:
                    popen.kill()
                    popen.communicate()
                    raise RuntimeError(f"chargeline send {path} took over 120 s") from None
                self._count(f"send {popen.returncode}")
                if popen.returncode == 0:
                    for charge in chunk:
                        charge.accepted = True
                    break
                if popen.returncode != 3:
                    self.unexpected.append(f"chargeline send {path}: {popen.returncode} {errors.decode()[-300:]}")
                    return
                self.over.wait(0.5)
