import Testing

@testable import StripeSandbox

/// The states that a payment passes through.
@Suite struct PaymentTests {
    @Test func `an intent carries what was said about it`() throws {
        let bench = Bench()
        let made = bench.intent(
            "tok_visa", id: "order-1",
            [
                ("description", "Café ☕ & 50% off"), ("receipt_email", "buyer@example.com"),
                ("statement_descriptor_suffix", "PUPPIES"), ("metadata[order]", "1001"), ("metadata[empty]", ""),
                ("payment_method_data[billing_details][name]", "Ada"), ("capture_method", "automatic"),
            ])
        #expect(made["description"] == "Café ☕ & 50% off" && made["receipt_email"] == "buyer@example.com")
        #expect(made["latest_charge.description"] == "Café ☕ & 50% off" && made["metadata.order"] == "1001")
        #expect(made["latest_charge.metadata.chargeline_id"] == "order-1" && made["metadata.empty"] == nil)
        #expect(made["latest_charge.calculated_statement_descriptor"] == "SANDBOX* PUPPIES")
        #expect(made["latest_charge.billing_details.name"] == "Ada" && made["livemode"] == "false")
        #expect(made["latest_charge.outcome.network_status"] == "approved_by_network")
        #expect(made["latest_charge.outcome.reason"] == nil && made["created"] == "1780000000")
        let id = try #require(made["id"])
        let plain = bench.get("/v1/payment_intents/\(id)")
        #expect(plain["latest_charge"] == made["latest_charge.id"])
        let whole = bench.get(
            "/v1/payment_intents/\(id)",
            [
                ("expand[]", "payment_method"), ("expand[]", "latest_charge.balance_transaction"),
            ])
        #expect(whole["payment_method.card.last4"] == "4242")
        #expect(whole["latest_charge.balance_transaction.object"] == "balance_transaction")
    }

    @Test func `hold, capture a part, no more after that`() throws {
        let bench = Bench()
        let held = bench.intent(id: "o", [("capture_method", "manual")])
        let id = try #require(held["id"])
        #expect(held["status"] == "requires_capture" && held["amount_capturable"] == "1999")
        #expect(held["latest_charge.status"] == "succeeded" && held["latest_charge.paid"] == "true")
        #expect(held["latest_charge.captured"] == "false" && held["latest_charge.balance_transaction"] == nil)
        #expect(try bench.ledger("o") == ["authorized"])
        let tooMuch = bench.post("/v1/payment_intents/\(id)/capture", [("amount_to_capture", "2000")])
        #expect(tooMuch["error.code"] == "amount_too_large")
        let taken = bench.post("/v1/payment_intents/\(id)/capture", [("amount_to_capture", "1000")])
        #expect(
            taken["status"] == "succeeded" && taken["amount_received"] == "1000" && taken["amount_capturable"] == "0")
        for call in ["capture", "cancel", "confirm"] {
            let late = bench.post("/v1/payment_intents/\(id)/\(call)")
            #expect(late.status == 400 && late["error.code"] == "payment_intent_unexpected_state")
            #expect(late["error.payment_intent.id"] == id)
        }
        #expect(try bench.ledger("o") == ["succeeded"])
    }

    @Test func `a hold that is let go charges nobody`() throws {
        let bench = Bench()
        let id = try #require(bench.intent(id: "o", [("capture_method", "manual")])["id"])
        let gone = bench.post(
            "/v1/payment_intents/\(id)/cancel", [("cancellation_reason", "duplicate")], key: "o/cancel")
        #expect(
            gone["status"] == "canceled" && gone["cancellation_reason"] == "duplicate" && gone["canceled_at"] != nil)
        #expect(try bench.ledger("o") == ["canceled"])
        #expect(bench.sandbox.ledger.charged == 0 && bench.sandbox.ledger.times(charged: "o") == 0)
        #expect(bench.post("/v1/payment_intents/\(id)/cancel", [], key: "o/cancel").status == 400)
        bench.intent(id: "o")
        #expect(bench.sandbox.ledger.doubled.isEmpty)
        bench.intent(id: "o")
        #expect(bench.sandbox.ledger.doubled == ["o"])
    }

    @Test func `a declined intent can be paid with another card`() throws {
        let bench = Bench()
        let refused = bench.intent("tok_chargeDeclined", id: "o")
        let id = try #require(refused["error.payment_intent.id"])
        #expect(bench.post("/v1/payment_intents/\(id)/confirm")["error.code"] == "payment_intent_unexpected_state")
        let paid = bench.post("/v1/payment_intents/\(id)/confirm", [("payment_method", "pm_card_visa")])
        #expect(paid["status"] == "succeeded" && paid["last_payment_error"] == nil)
        #expect(paid["latest_charge"] != refused["error.charge"])
        #expect(try bench.ledger("o") == ["failed", "succeeded"])
    }

    @Test func `an open intent waits, is changed, is canceled`() throws {
        let bench = Bench()
        let made = bench.post(
            "/v1/payment_intents",
            [
                ("amount", "500"), ("currency", "usd"), ("payment_method_types[]", "card"),
            ])
        let id = try #require(made["id"])
        #expect(made["status"] == "requires_payment_method" && made["latest_charge"] == nil)
        let changed = bench.post("/v1/payment_intents/\(id)", [("amount", "600"), ("payment_method", "pm_card_visa")])
        #expect(changed["amount"] == "600" && changed["status"] == "requires_confirmation")
        #expect(bench.post("/v1/payment_intents/\(id)/cancel")["status"] == "canceled")
        #expect(bench.post("/v1/payment_intents/\(id)", [("amount", "700")]).status == 400)
        #expect(bench.post("/v1/payment_intents/\(id)/confirm").status == 400)
        #expect(bench.get("/v1/payment_intents/pi_nope").status == 404)
    }

    @Test func `charges are held, captured and changed`() throws {
        let bench = Bench()
        let held = bench.charge(id: "o", [("capture", "false")])
        let id = try #require(held["id"])
        #expect(held["captured"] == "false" && held["balance_transaction"] == nil && held["paid"] == "true")
        #expect(try bench.ledger("o") == ["authorized"])
        #expect(bench.post("/v1/charges/\(id)/capture", [("amount", "5000")])["error.code"] == "amount_too_large")
        #expect(bench.post("/v1/charges/\(id)/capture")["captured"] == "true")
        #expect(bench.post("/v1/charges/\(id)/capture")["error.code"] == "charge_already_captured")
        let changed = bench.post("/v1/charges/\(id)", [("metadata[a]", "b"), ("metadata[chargeline_id]", "")])
        #expect(changed["metadata.a"] == "b" && changed["metadata.chargeline_id"] == nil)
        let expanded = bench.get("/v1/charges/\(id)", [("expand[]", "balance_transaction"), ("expand[]", "refunds")])
        #expect(expanded["balance_transaction.net"] == "1912" && expanded["refunds.object"] == "list")
    }

    @Test func `a customer pays with the card it keeps`() throws {
        let bench = Bench()
        let customer = bench.post("/v1/customers", [("source", "tok_mastercard"), ("email", "c@example.com")])
        let id = try #require(customer["id"])
        let card = try #require(customer["default_source"])
        let form = [("amount", "500"), ("currency", "usd"), ("customer", id)]
        #expect(bench.post("/v1/charges", form)["source.id"] == card)
        #expect(bench.post("/v1/charges", form + [("source", card)])["customer"] == id)
        #expect(bench.post("/v1/charges", form + [("source", "card_nope")]).status == 404)
        #expect(bench.intent(card, [("customer", id), ("payment_method", card)]).status == 400)
        let paid = bench.post(
            "/v1/payment_intents",
            form + [
                ("payment_method", card), ("confirm", "true"), ("payment_method_types[]", "card"),
                ("expand[]", "customer"),
            ])
        #expect(paid["status"] == "succeeded" && paid["customer.email"] == "c@example.com")
        #expect(bench.post("/v1/customers", [("source", "tok_chargeDeclined")]).status == 402)
        let failing = try #require(bench.post("/v1/customers", [("source", "tok_chargeCustomerFail")])["id"])
        #expect(
            bench.post("/v1/charges", [("amount", "500"), ("currency", "usd"), ("customer", failing)]).status == 402)
        let bare = try #require(bench.post("/v1/customers", [("name", "Nobody")])["id"])
        #expect(
            bench.post("/v1/charges", [("amount", "500"), ("currency", "usd"), ("customer", bare)])["error.code"]
                == "missing")
        #expect(
            bench.get("/v1/customers/\(id)")["email"] == "c@example.com"
                && bench.get("/v1/customers/cus_x").status == 404)
    }

    @Test func `the balance is what was captured`() {
        let bench = Bench()
        #expect(bench.get("/v1/balance")["available.0.amount"] == "0")
        bench.charge()
        bench.charge("tok_visa", [("amount", "500"), ("currency", "eur")])
        bench.charge("tok_chargeDeclined")
        bench.charge("tok_visa", [("capture", "false")])
        let balance = bench.get("/v1/balance")
        #expect(balance["available.0.currency"] == "eur" && balance["available.0.amount"] == "500")
        #expect(balance["available.1.amount"] == "1999" && balance["object"] == "balance")
    }
}
