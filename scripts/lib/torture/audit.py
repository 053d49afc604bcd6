"""Every accepted charge against the sandbox's ledger and the results. Knows nothing of how a charge is processed."""
from collections import Counter, defaultdict

from results import FINAL, RANK

MOVED = {"succeeded", "authorized"}


class Audit:
    """What is lost, doubled and wrong: {charge id: what is the matter with it}."""

    def __init__(self, charges, ledger, results, parked, open_ids):
        self.lost = {}
        self.doubled = {}
        self.wrong = {}
        self.charges = {charge.id: charge for charge in charges}
        # Ids that a person must look at, and ids that still wait in a queue.
        self.parked = parked
        self.open_ids = open_ids
        self.tries = defaultdict(list)
        for line in ledger:
            self.tries[line["metadata"].get("chargeline_id", "")].append(line)
        self.results = defaultdict(list)
        for result in results:
            self.results[result.id].append(result)
        self.repeats = sum(len(mine) - len({r.event for r in mine}) for mine in self.results.values())
        self.statuses = Counter()
        self.still_open = set()
        for id in self.charges.keys() | self.tries.keys() | self.results.keys():
            self._check(id)

    def _check(self, id):
        charge, tries, results = self.charges.get(id), self.tries.get(id, []), self.results.get(id, [])
        if charge is None:
            self.wrong[id] = ["nobody asked for this charge"]
            return
        moved = [line for line in tries if line["status"] in MOVED]
        finals = {result.status for result in results if result.final}
        self.statuses.update(finals or ({results[-1].status} if results else set()))
        if len(moved) > 1:
            self.doubled[id] = "charged as " + ", ".join(line["id"] for line in moved)
        if charge.accepted and not finals and id not in self.parked:
            if id in self.open_ids:
                self.still_open.add(id)
            else:
                self.lost[id] = "accepted, and neither a final result nor parked nor waiting"
        faults = self._faults(charge, moved, tries, results, finals)
        if faults:
            self.wrong[id] = faults

    def _faults(self, charge, moved, tries, results, finals):
        """All that contradicts: the results each other, the ledger, what was asked, and what HTTP has told."""
        faults = []
        if len(finals) > 1:
            faults.append(f"several final results: {', '.join(sorted(finals))}")
        events = {result.event for result in results if result.final}
        if events != {f"{charge.id}.{status}" for status in finals}:
            faults.append(f"event ids {sorted(events)}")
        for result in results:
            if result.final != (result.status in FINAL) or result.sequence != RANK.get(result.status):
                faults.append(f"{result.status} with final {result.final} and sequence {result.sequence}")
            # A message that cannot be read has no amount to tell.
            told = (result.amount, result.currency)
            if result.final and told not in ((charge.amount, charge.currency), (None, None)):
                faults.append(f"a result says {result.amount} {result.currency}")
        for line in tries:
            if (line["amount"], line["currency"]) != (charge.amount, charge.currency):
                faults.append(f"the ledger has {line['amount']} {line['currency']}")
        faults += self._against_ledger(finals, moved, tries, results)
        if not finals <= charge.ends:
            faults.append(f"{', '.join(finals)} is no end of {charge.token or charge.card}")
        if charge.told - finals and finals:
            faults.append(f"HTTP said {', '.join(charge.told)}, the result says {', '.join(finals)}")
        return faults

    @staticmethod
    def _against_ledger(finals, moved, tries, results):
        faults = []
        stands = {line["status"] for line in moved}
        for status in finals:
            if status in MOVED and status not in stands:
                faults.append(f"{status}, and the ledger has {[line['status'] for line in tries]}")
            if status not in MOVED and moved:
                faults.append(f"{status}, and {moved[0]['id']} moved money")
            if status in ("declined", "requires_action") and not tries:
                faults.append(f"{status}, and no bank was asked")
        named = {result.charge for result in results if result.status in MOVED and result.charge}
        if named - {line["id"] for line in moved}:
            faults.append(f"a result names {', '.join(named)}, which the ledger does not have")
        return faults
