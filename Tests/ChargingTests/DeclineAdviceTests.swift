import Testing

@testable import Charging

@Suite struct DeclineAdviceTests {
    @Test(arguments: [
        "stolen_card", "lost_card", "fraudulent", "merchant_blacklist", "pickup_card", "restricted_card",
        "security_violation",
        "do_not_honor", "no_action_taken", "stop_payment_order", "revocation_of_authorization", "generic_decline",
        "a_code_of_next_year", "",
    ])
    func `a buyer never learns that a card is wanted`(declineCode: String) {
        let advice = DeclineAdvice.forBuyer(code: "card_declined", declineCode: declineCode)
        #expect(advice.code == "generic_decline")
        for word in ["stolen", "lost", "fraud", "block"] { #expect(!advice.message.lowercased().contains(word)) }
    }

    @Test(
        arguments: [
            ("card_declined", "insufficient_funds", "insufficient_funds"), ("expired_card", nil, "expired_card"),
            ("expired_card", "expired_card", "expired_card"), ("incorrect_cvc", nil, "incorrect_cvc"),
            ("processing_error", nil, "processing_error"), ("card_declined", nil, "generic_decline"),
            ("authentication_required", "authentication_not_handled", "authentication_not_handled"),
            ("incorrect_cvc", "stolen_card", "generic_decline"), ("call_issuer", nil, "call_issuer"),
        ] as [(String, String?, String)])
    func `the decline code leads, the code stands in`(code: String, declineCode: String?, shown: String) {
        let advice = DeclineAdvice.forBuyer(code: code, declineCode: declineCode)
        #expect(advice.code == shown)
        #expect(advice.message.hasSuffix("."))
    }
}
