import Testing

@testable import StripeSandbox

/// Every documented test token, in both flows.
@Suite struct CardTests {
    @Test func `the table is sound`() {
        for card in TestCards.all {
            #expect(CardNumber.passesLuhn(card.number), "\(card.number)")
            for name in card.names {
                #expect(TestCards.all[TestCards.index(method: "pm_card_\(name)") ?? 0].number == card.number)
                #expect((TestCards.index(token: "tok_\(name)") == nil) == card.methodOnly)
            }
        }
        let numbers = TestCards.all.map(\.number)
        let names = TestCards.all.flatMap(\.names)
        #expect(Set(numbers).count == numbers.count && Set(names).count == names.count)
    }

    @Test(arguments: [
        ("tok_visa", "visa", "4242"), ("tok_visa_debit", "visa", "5556"), ("tok_mastercard", "mastercard", "4444"),
        ("tok_amex", "amex", "0005"), ("tok_discover", "discover", "1117"), ("tok_diners", "diners", "0004"),
        ("tok_jcb", "jcb", "0505"), ("tok_unionpay", "unionpay", "0005"), ("tok_gb", "visa", "0000"),
        ("tok_riskLevelElevated", "visa", "9235"), ("tok_cvcCheckFail", "visa", "0101"),
        ("tok_bypassPending", "visa", "0077"),
        ("tok_threeDSecureOptional", "visa", "3055"),
    ])
    func `succeeds`(_ token: String, _ brand: String, _ last4: String) {
        let bench = Bench()
        let older = bench.charge(token)
        #expect(older.status == 200 && older["status"] == "succeeded" && older["paid"] == "true")
        #expect(older["payment_method_details.card.brand"] == brand)
        #expect(older["payment_method_details.card.last4"] == last4 && older["source.last4"] == last4)
        let newer = bench.intent(token)
        #expect(newer.status == 200 && newer["status"] == "succeeded" && newer["amount_received"] == "1999")
        #expect(newer["latest_charge.payment_method_details.card.brand"] == brand)
        #expect(newer["latest_charge.payment_intent"] == newer["id"])
    }

    struct Refusal: Sendable {
        let names: [String]
        let code: String
        let declineCode: String
        let advice: String?
        var param: String?
        var isBlocked = false
    }

    static let refusals = [
        Refusal(
            names: ["chargeDeclined", "visa_chargeDeclined"], code: "card_declined", declineCode: "generic_decline",
            advice: "try_again_later"),
        Refusal(
            names: ["chargeDeclinedInsufficientFunds", "visa_chargeDeclinedInsufficientFunds"], code: "card_declined",
            declineCode: "insufficient_funds", advice: "try_again_later"),
        Refusal(
            names: ["visa_chargeDeclinedLostCard", "chargeDeclinedLostCard"], code: "card_declined",
            declineCode: "lost_card", advice: "do_not_try_again"),
        Refusal(
            names: ["visa_chargeDeclinedStolenCard"], code: "card_declined", declineCode: "stolen_card",
            advice: "do_not_try_again"),
        Refusal(
            names: ["chargeDeclinedExpiredCard"], code: "expired_card", declineCode: "expired_card",
            advice: "confirm_card_data", param: "exp_month"),
        Refusal(
            names: ["chargeDeclinedIncorrectCvc"], code: "incorrect_cvc", declineCode: "incorrect_cvc",
            advice: "confirm_card_data", param: "cvc"),
        Refusal(
            names: ["chargeDeclinedProcessingError"], code: "processing_error", declineCode: "processing_error",
            advice: "try_again_later"),
        Refusal(
            names: ["visa_chargeDeclinedVelocityLimitExceeded"], code: "card_declined",
            declineCode: "card_velocity_exceeded", advice: nil),
        Refusal(
            names: ["chargeDeclinedFraudulent", "radarBlock", "riskLevelHighest"], code: "card_declined",
            declineCode: "fraudulent", advice: nil, isBlocked: true),
        Refusal(
            names: ["chargeCustomerFail"], code: "card_declined", declineCode: "generic_decline",
            advice: "try_again_later"),
    ]

    @Test(arguments: refusals)
    func `is declined in the older flow`(_ refusal: Refusal) throws {
        let bench = Bench()
        for name in refusal.names {
            let seen = bench.charge("tok_\(name)", id: name)
            #expect(seen.status == 402 && seen["error.type"] == "card_error" && seen["error.code"] == refusal.code)
            // Absent where it only repeats the code (docs, and live answers of 2020).
            #expect(seen["error.decline_code"] == (refusal.declineCode == refusal.code ? nil : refusal.declineCode))
            #expect(seen["error.advice_code"] == refusal.advice && seen["error.param"] == refusal.param)
            let failed = bench.get("/v1/charges/\(try #require(seen["error.charge"]))")
            #expect(failed["status"] == "failed" && failed["paid"] == "false" && failed["captured"] == "false")
            #expect(failed["failure_code"] == refusal.code && failed["balance_transaction"] == nil)
            #expect(failed["outcome.type"] == (refusal.isBlocked ? "blocked" : "issuer_declined"))
            #expect(
                failed["outcome.network_status"] == (refusal.isBlocked ? "not_sent_to_network" : "declined_by_network"))
            #expect(try bench.ledger(name) == ["failed"])
        }
    }

    @Test(arguments: refusals)
    func `is declined in the newer flow`(_ refusal: Refusal) throws {
        let bench = Bench()
        for name in refusal.names {
            for token in ["tok_\(name)", "pm_card_\(name)"] {
                let seen = bench.intent(token)
                #expect(seen.status == 402 && seen["error.type"] == "card_error" && seen["error.code"] == refusal.code)
                #expect(
                    seen["error.decline_code"] == refusal.declineCode && seen["error.advice_code"] == refusal.advice)
                #expect(seen["error.payment_intent.status"] == "requires_payment_method")
                #expect(seen["error.payment_intent.payment_method"] == nil)
                #expect(seen["error.payment_intent.last_payment_error.code"] == refusal.code)
                #expect(seen["error.payment_intent.last_payment_error.charge"] == seen["error.charge"])
                #expect(seen["error.payment_method.type"] == "card")
                let left = bench.get("/v1/payment_intents/\(try #require(seen["error.payment_intent.id"]))")
                #expect(left["status"] == "requires_payment_method" && left["latest_charge"] == seen["error.charge"])
            }
        }
    }

    @Test(arguments: [
        "tok_threeDSecure2Required", "tok_threeDSecureRequiredChargeDeclined", "pm_card_authenticationRequired",
        "pm_card_threeDSecure2Required",
    ])
    func `must be authenticated`(_ token: String) throws {
        let bench = Bench()
        let refused = bench.intent(token, id: "a")
        #expect(refused.status == 402 && refused["error.code"] == "authentication_required")
        #expect(refused["error.decline_code"] == "authentication_not_handled" && refused["error.charge"] == nil)
        #expect(refused["error.payment_intent.status"] == "requires_payment_method")
        #expect(try bench.ledger("a") == ["failed"])
        let away = bench.intent(token, id: "b", [("error_on_requires_action", ""), ("off_session", "true")])
        #expect(
            away.status == 402 && away["error.decline_code"] == "authentication_required" && away["error.charge"] != nil
        )
        let asked = bench.intent(token, id: "c", [("error_on_requires_action", "")])
        #expect(
            asked.status == 200 && asked["status"] == "requires_action" && asked["next_action.type"] == "use_stripe_sdk"
        )
        #expect(try bench.ledger("c") == ["requires_action"])
        let redirected = bench.intent(
            token, [("error_on_requires_action", ""), ("return_url", "https://shop.example/back")])
        #expect(redirected["next_action.type"] == "redirect_to_url")
        if token.hasPrefix("tok_") {
            #expect(bench.charge(token)["error.code"] == "authentication_required")
        }
    }

    @Test func `risk and checks show in the charge`() {
        let bench = Bench()
        let risky = bench.charge("tok_riskLevelElevated")
        #expect(risky["outcome.risk_level"] == "elevated" && risky["outcome.type"] == "manual_review")
        #expect(bench.charge("tok_cvcCheckFail")["payment_method_details.card.checks.cvc_check"] == "fail")
        #expect(bench.charge("tok_avsFail")["payment_method_details.card.checks.address_line1_check"] == "fail")
        #expect(bench.charge("tok_avsUnchecked")["source.address_zip_check"] == "unavailable")
    }

    @Test func `a dispute shows up after the answer`() throws {
        let bench = Bench()
        let made = bench.charge("tok_createDispute")
        #expect(made["disputed"] == "false")
        #expect(bench.get("/v1/charges/\(try #require(made["id"]))")["disputed"] == "true")
    }

    static let badCards: [([String: String], String, String?)] = [
        (["number": "4242424242424241"], "incorrect_number", "number"),
        (["number": "42"], "invalid_number", "number"),
        (["number": "4242x42424242424"], "invalid_number", "number"),
        (["exp_month": "13"], "invalid_expiry_month", "exp_month"),
        (["exp_year": "1999"], "invalid_expiry_year", "exp_year"),
        (["exp_year": "2090"], "invalid_expiry_year", "exp_year"),
        (["cvc": "12"], "invalid_cvc", "cvc"),
        (["cvc": "12a"], "invalid_cvc", "cvc"),
        // A real card's number, as far as anybody can tell: it must not be taken.
        (["number": "4929000000006"], "card_declined", nil),
    ]

    @Test(arguments: badCards)
    func `card data is checked at tokenisation`(_ change: [String: String], _ code: String, _ param: String?) {
        var card = ["number": "4242424242424242", "exp_month": "12", "exp_year": "2040", "cvc": "123"]
        card.merge(change) { $1 }
        let seen = Bench().post("/v1/tokens", card.map { ("card[\($0)]", $1) })
        #expect(seen.status == 402 && seen["error.type"] == "card_error" && seen["error.code"] == code)
        #expect(seen["error.param"] == param)
    }

    @Test func `a token shows its card and is found again`() throws {
        let bench = Bench()
        bench.apiKey = "pk_test_browser12345"
        let made = bench.post(
            "/v1/tokens",
            [
                ("card[number]", "5555 5555 5555 4444"), ("card[exp_month]", "1"), ("card[exp_year]", "30"),
                ("card[cvc]", "999"), ("card[name]", "Ada"), ("card[address_zip]", "12345"),
            ])
        #expect(made.status == 200 && made["object"] == "token" && made["used"] == "false" && made["type"] == "card")
        #expect(made["card.brand"] == "MasterCard" && made["card.exp_year"] == "2030" && made["card.name"] == "Ada")
        let id = try #require(made["id"])
        #expect(bench.get("/v1/tokens/\(id)")["error.code"] == "secret_key_required")
        bench.apiKey = "sk_test_1234567890"
        #expect(bench.get("/v1/tokens/\(id)").reply.body == made.reply.body)
        #expect(bench.get("/v1/tokens/tok_visa")["card.last4"] == "4242")
        #expect(bench.get("/v1/tokens/tok_nope").status == 404)
        let charged = bench.charge(id)
        #expect(charged["billing_details.name"] == "Ada" && charged["billing_details.address.postal_code"] == "12345")
    }

    @Test func `live keys know no test cards`() {
        let bench = Bench()
        bench.apiKey = "sk_live_" + "x1234567890"
        let seen = bench.charge("tok_visa")
        #expect(seen.status == 400 && seen["error.code"] == "resource_missing")
        #expect(seen["error.message"]?.contains("test mode") == true)
    }
}
