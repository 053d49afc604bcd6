import Testing

@testable import Charging

@Suite struct ChargeRequestFormTests {
    private static func faults(_ form: String) -> [String] {
        do {
            _ = try ChargeRequest(form: Array(form.utf8), fallbackID: "f-1", flow: .paymentIntents)
            return []
        } catch {
            return error.problems.map { "\($0.field) \($0.code.rawValue)" }
        }
    }

    @Test func `reads what the apps post`() throws {
        let form =
            "token=tok_1N3T00LkdIwHu7ixt44h1F8k&amount=1999&currency=usd&description=Purchase+from+SWAG%20Store+%E2%98%95+%26+more"
        let request = try ChargeRequest(form: Array(form.utf8), fallbackID: "f-1", flow: .charges)
        #expect(request.description == "Purchase from SWAG Store ☕ & more")
        #expect(request.amount == 1999 && request.id.text == "f-1")
        #expect(request.token?.isOneTime == true)
    }

    @Test func `reads every field, like the JSON body`() throws {
        let form = """
            id=a-1&token=tok_visa&amount=1999&currency=EUR&description=d&metadata[order]=1001&metadata%5Bb%20c%5D=%C3%A9&\
            metadata[empty]=&receipt_email=a%2Bb%40c.de&statement_descriptor_suffix=X&customer=cus_1&capture=false&off_session=true&\
            stripe_account=acct_1&not_after=2026-01-02T03%3A04%3A05%2B00%3A00&livemode=true&x_free=1&&
            """
        let body = """
            {"id":"a-1","token":"tok_visa","amount":1999,"currency":"eur","description":"d",
             "metadata":{"b c":"é","order":"1001","empty":""},"receipt_email":"a+b@c.de","statement_descriptor_suffix":"X",
             "customer":"cus_1","capture":false,"off_session":true,"stripe_account":"acct_1",
             "not_after":"2026-01-02T03:04:05Z","livemode":true}
            """
        #expect(
            try ChargeRequest(form: Array(form.utf8), flow: .paymentIntents)
                == ChargeRequest(json: Array(body.utf8), flow: .paymentIntents))
    }

    @Test(arguments: [
        "19.99", "1e3", "29_40", "%20100", "+100", "100+", "-1", "%2B100", "0x64", "٣", "9223372036854775808", "１００",
    ])
    func `an amount is digits`(amount: String) {
        let faults = Self.faults("token=tok_visa&currency=usd&amount=\(amount)")
        #expect(faults == ["amount parameter_invalid_integer"])
    }

    @Test(arguments: [
        ("amount=0", ["amount amount_too_small"]), ("amount=49", ["amount amount_too_small"]),
        ("amount=", ["amount parameter_missing"]), ("amount", ["amount parameter_missing"]),
        ("amount=100&amount=100", ["amount parameter_doubled"]),
        ("amount=100&metadata=x", ["metadata parameter_invalid_type"]),
        ("amount=100&metadata[a]=1&metadata[a]=2", ["metadata[a] parameter_doubled"]),
        ("amount=100&metadata[a][b]=1", ["metadata[a][b] invalid_characters"]),
        (
            "amount=100&card[number]=4242424242424242&card[cvc]=123",
            ["card[number] card_number", "card[cvc] card_number"]
        ),
        ("amount=100&number=4242424242424242", ["number card_number"]),
        ("amount=100&x_n=4242424242424242", ["x_n card_number"]),
        ("amount=100&capture=1", ["capture parameter_invalid_type"]),
        ("amount=100&description=4242+4242+4242+4242", ["description card_number"]),
        ("amount=100&ammount=100", ["ammount parameter_unknown"]),
        ("amount=100&=1", ["(a name that is not shown) parameter_unknown"]),
        ("amount=100&description=%", [" invalid_form"]), ("amount=100&description=%4", [" invalid_form"]),
        ("amount=100&description=%zz", [" invalid_form"]), ("amount=100&description=%ff", [" invalid_form"]),
        ("amount=100&description=%C0%80", [" invalid_form"]), ("amount=100&description=%ED%A0%80", [" invalid_form"]),
        ("amount=100&d%ff=1", [" invalid_form"]), ("amount=100&description=a%00b", ["description invalid_characters"]),
    ])
    func `each fault is named`(fields: String, faults: [String]) {
        #expect(Self.faults("token=tok_visa&currency=usd&\(fields)") == faults)
    }

    @Test func `a token that is a card number is told to be tokenized`() {
        do {
            _ = try ChargeRequest(
                form: Array("token=4242424242424242&amount=100&currency=usd".utf8), fallbackID: "f", flow: .charges)
            Issue.record("taken")
        } catch {
            #expect(error.problems.map(\.code) == [.cardNumber])
            #expect(error.problems.first?.message.contains("tokenize") == true)
        }
    }

    @Test func `a draft says what is needed to name a charge that has no id`() throws {
        var draft = ChargeDraft(
            form: Array("token=\(ChargeBodies.token)&amount=100&currency=usd".utf8), flow: .paymentIntents)
        #expect(!draft.namesID && draft.id == nil && draft.problems.isEmpty)
        let token = try #require(draft.token)
        draft.id = DerivedID.fromOneTimeToken(caller: "", token: token)
        #expect(try draft.finish().id.text.hasPrefix("tk_"))

        let named = ChargeDraft(json: ChargeBodies.json(["id": "\"a b\""]), flow: .paymentIntents)
        #expect(named.namesID && named.id == nil && named.problems.count == 1)
    }

    @Test func `a draft is filled field by field, as from a row`() throws {
        var draft = ChargeDraft(flow: .paymentIntents)
        for (name, text) in [
            ("id", "row-1"), ("amount", "500"), ("currency", "usd"), ("token", "tok_visa"), ("metadata[fund]", "trees"),
            ("description", ""),
        ] {
            draft.set(name, to: text)
        }
        let request = try draft.finish()
        #expect(request.metadata["fund"] == "trees" && request.description == nil)
    }
}
