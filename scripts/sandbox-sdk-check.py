"""Drives a sandbox with Stripe's own SDK, which nobody here wrote; run by scripts/sandbox-sdk-check."""
import json
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

import stripe

BASE = sys.argv[1].rstrip("/")
RUN = uuid.uuid4().hex[:8]
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def client(key="sk_test_sdkcheck12345678", retries=0):
    return stripe.StripeClient(key, base_addresses={"api": BASE}, max_network_retries=retries)


C = client()


def own(method, path, body=None):
    """One of the sandbox's own calls."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, method=method)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read() or b"null")


def ledger(charge_id):
    with urllib.request.urlopen(f"{BASE}/_sandbox/ledger?charge_id={charge_id}", timeout=20) as answer:
        return [json.loads(line) for line in answer.read().splitlines()]


def intent(token="tok_visa", key=None, cl=C, charge_id=None, **more):
    params = {
        "amount": 1999, "currency": "usd", "confirm": True, "payment_method_types": ["card"],
        "error_on_requires_action": True, "expand": ["latest_charge"],
        "payment_method_data": {"type": "card", "card": {"token": token}},
    }
    if token.startswith("pm_"):
        del params["payment_method_data"]
        params["payment_method"] = token
    if charge_id:
        params["metadata"] = {"chargeline_id": charge_id}
    params.update(more)
    return cl.v1.payment_intents.create(params, {"idempotency_key": key} if key else {})


def raises(kind, call, **wanted):
    try:
        call()
    except stripe.StripeError as error:
        assert type(error) is kind, f"{type(error).__name__}, not {kind.__name__}: {error}"
        for name, value in wanted.items():
            found = getattr(error, name, None)
            if found is None and error.error is not None:
                found = getattr(error.error, name, None)
            assert found == value, f"{name} is {found!r}, not {value!r}"
        return error
    raise AssertionError(f"no {kind.__name__}")


@check
def payment_intent_in_one_call():
    made = intent(charge_id=f"{RUN}-one", description="Two puppies & a café ☕", metadata={
        "chargeline_id": f"{RUN}-one", "order": "1001"}, statement_descriptor_suffix="PUPPIES",
        receipt_email="buyer@example.com")
    assert made.status == "succeeded" and made.amount_received == 1999 and made.object == "payment_intent"
    charge = made.latest_charge
    assert charge.object == "charge" and charge.paid and charge.captured and charge.payment_intent == made.id
    assert charge.description == "Two puppies & a café ☕" and charge.metadata["order"] == "1001"
    assert charge.outcome.network_status == "approved_by_network" and charge.outcome.reason is None
    assert charge.payment_method_details.card.brand == "visa" and charge.balance_transaction.startswith("txn_")
    assert made.last_response.headers["Request-Id"].startswith("req_")
    again = C.v1.payment_intents.retrieve(made.id)
    assert again.latest_charge == charge.id and again.status == "succeeded"
    assert C.v1.charges.retrieve(charge.id).receipt_email == "buyer@example.com"
    assert [line["status"] for line in ledger(f"{RUN}-one")] == ["succeeded"]


@check
def payment_intent_in_two_calls():
    method = C.v1.payment_methods.create({"type": "card", "card": {"token": "tok_mastercard"}})
    assert method.card.brand == "mastercard" and C.v1.payment_methods.retrieve(method.id).id == method.id
    made = C.v1.payment_intents.create({"amount": 500, "currency": "eur", "payment_method_types": ["card"]})
    assert made.status == "requires_payment_method" and made.client_secret.startswith(made.id)
    done = C.v1.payment_intents.confirm(made.id, {"payment_method": method.id})
    assert done.status == "succeeded" and done.payment_method == method.id


@check
def authorize_capture_cancel():
    held = intent(capture_method="manual")
    assert held.status == "requires_capture" and held.amount_capturable == 1999
    assert not held.latest_charge.captured and held.latest_charge.balance_transaction is None
    part = C.v1.payment_intents.capture(held.id, {"amount_to_capture": 1500})
    assert part.status == "succeeded" and part.amount_received == 1500
    wrong_state = dict(code="payment_intent_unexpected_state", http_status=400)
    raises(stripe.InvalidRequestError, lambda: C.v1.payment_intents.cancel(part.id), **wrong_state)
    other = intent(capture_method="manual", charge_id=f"{RUN}-void")
    gone = C.v1.payment_intents.cancel(other.id, {"cancellation_reason": "abandoned"})
    assert gone.status == "canceled" and gone.cancellation_reason == "abandoned"
    assert [line["status"] for line in ledger(f"{RUN}-void")] == ["canceled"]
    raises(stripe.InvalidRequestError, lambda: C.v1.payment_intents.cancel(other.id), **wrong_state)
    raises(stripe.InvalidRequestError, lambda: C.v1.payment_intents.capture(other.id), **wrong_state)


@check
def charges_of_the_older_flow():
    made = C.v1.charges.create({"amount": 2000, "currency": "USD", "source": "tok_amex", "metadata": {"k": "v"}})
    assert made.status == "succeeded" and made.currency == "usd" and made.source.brand == "American Express"
    assert made.payment_method_details.card.brand == "amex" and made.outcome.seller_message == "Payment complete."
    held = C.v1.charges.create({"amount": 2000, "currency": "usd", "source": "tok_visa", "capture": False})
    assert held.paid and not held.captured and held.balance_transaction is None
    assert C.v1.charges.capture(held.id).captured
    raises(stripe.InvalidRequestError, lambda: C.v1.charges.capture(held.id), code="charge_already_captured")
    changed = C.v1.charges.update(made.id, {"description": "changed", "metadata": {"k": ""}})
    assert changed.description == "changed" and "k" not in changed.metadata


@check
def declines():
    rows = [
        ("tok_chargeDeclined", "card_declined", "generic_decline", "try_again_later"),
        ("tok_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds", "try_again_later"),
        ("tok_visa_chargeDeclinedLostCard", "card_declined", "lost_card", "do_not_try_again"),
        ("tok_visa_chargeDeclinedStolenCard", "card_declined", "stolen_card", "do_not_try_again"),
        ("tok_chargeDeclinedExpiredCard", "expired_card", "expired_card", "confirm_card_data"),
        ("tok_chargeDeclinedIncorrectCvc", "incorrect_cvc", "incorrect_cvc", "confirm_card_data"),
        ("tok_chargeDeclinedProcessingError", "processing_error", "processing_error", "try_again_later"),
        ("tok_radarBlock", "card_declined", "fraudulent", None),
        ("pm_card_chargeDeclined", "card_declined", "generic_decline", "try_again_later"),
    ]
    for token, code, decline_code, advice in rows:
        error = raises(stripe.CardError, lambda: intent(token), code=code, http_status=402)
        assert error.error.decline_code == decline_code and getattr(error.error, "advice_code", None) == advice, token
        left = error.error.payment_intent
        assert left.status == "requires_payment_method" and left.last_payment_error.code == code, token
        failed = C.v1.charges.retrieve(error.error.charge)
        assert failed.status == "failed" and not failed.paid and failed.failure_code == code, token
    error = raises(
        stripe.CardError,
        lambda: C.v1.charges.create({"amount": 2000, "currency": "usd", "source": "tok_chargeDeclinedExpiredCard"}),
        code="expired_card", param="exp_month")
    assert getattr(error.error, "decline_code", None) is None
    retried = intent("tok_chargeDeclined", confirm=False, error_on_requires_action=None)
    raises(stripe.CardError, lambda: C.v1.payment_intents.confirm(retried.id))
    assert C.v1.payment_intents.confirm(retried.id, {"payment_method": "pm_card_visa"}).status == "succeeded"


@check
def authentication():
    error = raises(stripe.CardError, lambda: intent("tok_threeDSecure2Required"), code="authentication_required")
    assert error.error.decline_code == "authentication_not_handled"
    error = raises(
        stripe.CardError, code="authentication_required",
        call=lambda: intent("pm_card_authenticationRequired", off_session=True, error_on_requires_action=None))
    assert error.error.decline_code == "authentication_required"
    asks = intent("tok_threeDSecure2Required", error_on_requires_action=None)
    assert asks.status == "requires_action" and asks.next_action.type == "use_stripe_sdk"
    assert C.v1.payment_intents.cancel(asks.id).status == "canceled"


@check
def errors_map_to_the_sdks_classes():
    I = stripe.InvalidRequestError
    good = {"amount": 500, "currency": "usd", "source": "tok_visa"}
    for change, code, param in [
        ({"amount": None}, "parameter_missing", "amount"), ({"amount": 5}, "amount_too_small", "amount"),
        ({"amount": 19.99}, "parameter_invalid_integer", "amount"), ({"amount": 10**8}, "amount_too_large", "amount"),
        ({"currency": "zzz"}, None, "currency"), ({"source": "tok_nope"}, "resource_missing", "source"),
        ({"foo": 1}, "parameter_unknown", "foo"),
    ]:
        raises(I, lambda: C.v1.charges.create({**good, **change}), code=code, param=param, http_status=400)
    raises(I, lambda: C.v1.charges.retrieve("ch_nope"), code="resource_missing", http_status=404)
    raises(I, lambda: intent(expand=["latest_chrage"]), http_status=400)
    raises(stripe.AuthenticationError, lambda: intent(cl=client("nokey_123")), http_status=401)
    raises(stripe.PermissionError, lambda: intent(cl=client("rk_test_readonly123")), http_status=403)
    raises(stripe.AuthenticationError, lambda: C.v1.balance.retrieve(None, {"api_key": "pk_test_12345678"}))
    assert client("rk_test_readonly123").v1.balance.retrieve().object == "balance"


@check
def tokens():
    card = {"number": "4242424242424242", "exp_month": 12, "exp_year": 2040, "cvc": "123", "address_zip": "12345"}
    made = client("pk_test_sdkcheck1234").v1.tokens.create({"card": card})
    assert made.type == "card" and not made.used and made.card.last4 == "4242" and made.card.brand == "Visa"
    for change, code in [
        ({"number": "4242424242424241"}, "incorrect_number"), ({"exp_month": 13}, "invalid_expiry_month"),
        ({"exp_year": 1999}, "invalid_expiry_year"), ({"cvc": "12"}, "invalid_cvc"),
    ]:
        raises(stripe.CardError, lambda: C.v1.tokens.create({"card": {**card, **change}}), code=code)
    own("PUT", "/_sandbox/settings", {"single_use_tokens": True})
    try:
        assert intent(made.id).status == "succeeded"
        raises(stripe.InvalidRequestError, lambda: intent(made.id), code="token_already_used")
        assert C.v1.tokens.retrieve(made.id).used
        lost = C.v1.tokens.create({"card": {**card, "number": "4000000000000002"}})
        raises(stripe.CardError, lambda: intent(lost.id))
        raises(stripe.InvalidRequestError, lambda: intent(lost.id), code="token_already_used")
        assert intent("tok_visa").status == intent("tok_visa").status == "succeeded"
    finally:
        own("PUT", "/_sandbox/settings", {"single_use_tokens": False})


@check
def idempotency():
    key = f"{RUN}-key"
    first = intent(key=key, charge_id=key)
    assert first.last_response.headers["Original-Request"] == first.last_response.headers["Request-Id"]
    again = intent(key=key, charge_id=key)
    headers = again.last_response.headers
    assert again.id == first.id and again.last_response.body == first.last_response.body
    assert headers["Idempotent-Replayed"] == "true" and headers["Idempotency-Key"] == key
    assert headers["Original-Request"] == first.last_response.headers["Request-Id"] != headers["Request-Id"]
    raises(stripe.IdempotencyError, lambda: intent(key=key, charge_id=key, amount=2000), http_status=400)
    raises(stripe.IdempotencyError, lambda: C.v1.charges.create(
        {"amount": 1999, "currency": "usd", "source": "tok_visa"}, {"idempotency_key": key}), http_status=400)
    refused = raises(stripe.CardError, lambda: intent("tok_chargeDeclined", key=key + "-d"))
    replayed = raises(stripe.CardError, lambda: intent("tok_chargeDeclined", key=key + "-d"))
    assert replayed.http_body == refused.http_body and replayed.headers["Idempotent-Replayed"] == "true"
    # What was never executed is not kept: the key is free for the corrected request.
    raises(stripe.InvalidRequestError, lambda: intent(key=key + "-v", amount=1))
    assert intent(key=key + "-v").status == "succeeded"
    assert len(ledger(key)) == 1


@check
def a_key_in_flight_is_in_use():
    key = f"{RUN}-slow"
    own("PUT", "/_sandbox/faults", [{"fault": "slow", "delay": "3s", "times": 1, "match": {"charge_id": key}}])
    done = []
    thread = threading.Thread(target=lambda: done.append(intent(key=key, charge_id=key)))
    thread.start()
    while not ledger(key):
        time.sleep(0.01)
    raises(stripe.APIError, lambda: intent(key=key, charge_id=key), http_status=409, code="idempotency_key_in_use")
    thread.join()
    assert intent(key=key, charge_id=key).id == done[0].id and len(ledger(key)) == 1


@check
def a_lost_answer_comes_again_by_the_sdks_own_retry():
    faults = ["reset_after_effect", "status_503", "status_409", "reset_before_effect"]
    for number, fault in enumerate(faults):
        name = f"{RUN}-lost-{number}"
        own("PUT", "/_sandbox/faults", [{"fault": fault, "times": 1, "match": {"charge_id": name}}])
        assert intent(cl=client(retries=2), charge_id=name).status == "succeeded", fault
        assert [line["status"] for line in ledger(name)] == ["succeeded"], fault
        assert own("GET", "/_sandbox/faults")[0]["hits"] == 1, fault
    name = f"{RUN}-cut"
    own("PUT", "/_sandbox/faults", [{"fault": "truncated", "times": 1, "match": {"charge_id": name}}])
    raises(stripe.APIConnectionError, lambda: intent(key=name, charge_id=name))
    assert intent(key=name, charge_id=name).status == "succeeded" and len(ledger(name)) == 1
    own("DELETE", "/_sandbox/faults")


@check
def a_stored_500_stays():
    name = f"{RUN}-500"
    fault = {"fault": "status_500_stored_after_effect", "times": 1, "match": {"charge_id": name}}
    own("PUT", "/_sandbox/faults", [fault])
    raises(stripe.APIError, lambda: intent(key=name, charge_id=name), http_status=500)
    error = raises(stripe.APIError, lambda: intent(key=name, charge_id=name), http_status=500)
    assert error.headers["Idempotent-Replayed"] == "true" and len(ledger(name)) == 1
    found = C.v1.payment_intents.search({"query": f"metadata['chargeline_id']:'{name}' AND status:'succeeded'"})
    assert [hit.metadata["chargeline_id"] for hit in found.data] == [name]
    own("DELETE", "/_sandbox/faults")


@check
def a_key_is_forgotten_after_24_hours():
    name = f"{RUN}-old"
    intent(key=name, charge_id=name)
    own("POST", "/_sandbox/clock", {"advance": "23h"})
    intent(key=name, charge_id=name)
    assert len(ledger(name)) == 1
    own("POST", "/_sandbox/clock", {"advance": "2h"})
    intent(key=name, charge_id=name)
    assert len(ledger(name)) == 2 and name in own("GET", "/_sandbox/stats")["doubled"]


@check
def lists_and_pages():
    start = int(time.time())
    customer = C.v1.customers.create({"email": "list@example.com", "source": "tok_visa"})
    made = [C.v1.charges.create({"amount": 1000 + n, "currency": "usd", "customer": customer.id}).id for n in range(25)]
    page = C.v1.charges.list({"customer": customer.id, "limit": 10})
    assert page.has_more and page.url == "/v1/charges" and [one.id for one in page.data] == made[::-1][:10]
    assert [one.id for one in page.auto_paging_iter()] == made[::-1]
    back = C.v1.charges.list({"customer": customer.id, "limit": 10, "ending_before": made[3]})
    assert [one.id for one in back.data] == made[13:3:-1]
    assert [one.id for one in back.auto_paging_iter()] == made[4:]
    intents = [intent(customer=customer.id).id for _ in range(12)]
    assert [one.id for one in C.v1.payment_intents.list(
        {"customer": customer.id, "limit": 5, "created": {"gte": start}}).auto_paging_iter()] == intents[::-1]
    one = C.v1.charges.list({"payment_intent": intents[0], "expand": ["data.balance_transaction"]}).data
    assert len(one) == 1 and one[0].balance_transaction.object == "balance_transaction"
    assert C.v1.payment_intents.list({"created": {"lt": start - 10**6}}).data == []
    raises(stripe.InvalidRequestError, lambda: C.v1.charges.list({"limit": 101}), param="limit")


@check
def search():
    order = f"{RUN}-order"
    ids = [intent(metadata={"order": order, "n": str(n)}).id for n in range(15)]
    query = f"metadata['order']:'{order}' AND status:'succeeded'"
    first = C.v1.payment_intents.search({"query": query, "limit": 4, "expand": ["total_count"]})
    assert first.object == "search_result" and first.has_more and first.total_count == 15
    assert [one.id for one in first.auto_paging_iter()] == ids[::-1]
    query = f"metadata['order']:'{order}' -metadata['n']:'3' amount>1000"
    assert len(C.v1.charges.search({"query": query, "limit": 100}).data) == 14
    quoted = intent(metadata={"order": RUN + "it's"})
    assert C.v1.payment_intents.search({"query": f"metadata['order']:'{RUN}it\\'s'"}).data[0].id == quoted.id
    for query in ["colour:'red'", "status="]:
        raises(stripe.InvalidRequestError, lambda: C.v1.charges.search({"query": query}), http_status=400, code=None)
    own("PUT", "/_sandbox/settings", {"search_lag": "60s"})
    try:
        late = f"{RUN}-late"
        intent(charge_id=late)
        query = {"query": f"metadata['chargeline_id']:'{late}'"}
        assert C.v1.payment_intents.search(query).data == []
        own("POST", "/_sandbox/clock", {"advance": "61s"})
        assert len(C.v1.payment_intents.search(query).data) == 1
    finally:
        own("PUT", "/_sandbox/settings", {"search_lag": "0s"})


@check
def accounts_are_apart():
    name = f"{RUN}-acct"
    options = {"stripe_account": "acct_1Connected", "idempotency_key": name}
    params = {"amount": 700, "currency": "usd", "source": "tok_visa"}
    theirs = C.v1.charges.create(params, options)
    ours = C.v1.charges.create(params, {"idempotency_key": name})
    assert ours.id != theirs.id
    raises(stripe.InvalidRequestError, lambda: C.v1.charges.retrieve(theirs.id), http_status=404)
    assert C.v1.charges.retrieve(theirs.id, None, {"stripe_account": "acct_1Connected"}).id == theirs.id
    foreign = {"stripe_account": "acct_foreign1"}
    raises(stripe.PermissionError, lambda: C.v1.charges.create(params, foreign), code="account_invalid")


@check
def rate_limit():
    own("PUT", "/_sandbox/settings", {"rate_limit": 5})
    try:
        limited = None
        for _ in range(20):
            try:
                C.v1.balance.retrieve()
            except stripe.RateLimitError as error:
                limited = error
        assert limited is not None and limited.http_status == 429
        assert limited.headers["Stripe-Rate-Limited-Reason"] == "global-rate"
    finally:
        own("PUT", "/_sandbox/settings", {"rate_limit": 0})
    own("PUT", "/_sandbox/faults", [{"fault": "lock_timeout", "times": 1}])
    error = raises(stripe.RateLimitError, lambda: intent(), code="lock_timeout")
    assert "Stripe-Rate-Limited-Reason" not in error.headers and error.headers["Stripe-Should-Retry"] == "true"


@check
def the_ledger_page():
    intent(charge_id=f"<script>{RUN}</script>")
    with urllib.request.urlopen(BASE + "/", timeout=20) as answer:
        page = answer.read().decode()
    assert "&lt;script&gt;" + RUN in page and "<script>" not in page


def main():
    print(f"stripe {stripe.VERSION}, API {stripe.api_version}, {BASE}")
    failed = 0
    for function in CHECKS:
        try:
            function()
            print(f"ok    {function.__name__}")
        except Exception as error:  # every check runs, whatever the others do
            failed += 1
            place = error.__traceback__.tb_next.tb_lineno
            print(f"FAIL  {function.__name__} (line {place}): {type(error).__name__}: {error}")
    print(f"{len(CHECKS) - failed} of {len(CHECKS)} passed")
    return 1 if failed else 0


sys.exit(main())
