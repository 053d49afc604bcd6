import Testing

@testable import Charging

@Suite struct ScrubberTests {
    @Test(arguments: [
        ("Invalid API Key provided: sk_test_4eC39HqLyjWDarjtT1zdp7dc", "Invalid API Key provided: sk_test_…"),
        ("key rk_live_51H0abcDEF0123456789, pk_live_abc and whsec_a+b/c==.", "key rk_live_…, pk_live_… and whsec_…."),
        ("sk_test_****p7dc", "sk_test_…"),
        ("No such token: 'tok_1N3T00LkdIwHu7ixt44h1F8k'", "No such token: 'tok_…'"),
        ("pm_1MqLiJLkdIwHu7ixUEgbFdYF and src_1MyDj2LkdIwHu7ixT3wYcGHt", "pm_… and src_…"),
        (
            "client_secret=pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH",
            "client_secret=pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_…"
        ),
        ("Authorization: Bearer sk_live_abcdefghij", "Authorization: Bearer …"),
        ("authorization: bearer AbCdEf0123456", "authorization: bearer …"),
        ("Authorization: Basic c2tfdGVzdF80ZUMzOUhxTHlqOg==", "Authorization: Basic …"),
        ("AUTHORIZATION: BASIC c2tfdGVzdF80ZUMzOUhxTHlqOg==", "AUTHORIZATION: BASIC …"),
        ("card 4242 4242 4242 4242 declined", "card …4242 declined"),
        ("4242424242424242", "…4242"), ("tok_visa,tok_mastercard", "tok_…,tok_…"),
        ("a \"tok_visa\" b", "a \"tok_…\" b"), ("tok_4242424242424242", "tok_…"),
    ])
    func `masks secrets`(text: String, scrubbed: String) {
        #expect(Scrubber.scrub(text) == scrubbed)
        #expect(Scrubber.scrub(scrubbed) == scrubbed)
    }

    @Test(arguments: [
        "", "Your card was declined.", "No such charge: ch_3MmlLrLkdIwHu7ix0snN0B15", "pi_3MtwBwLkdIwHu7ix28a3tqPa",
        "Missing required param: payment_method_data[type].", "basic understanding of the bearer instruments",
        "The idempotency key order-1001 is in use", "task_live_show", "stok_exchange", "sk_test_", "tok_", "Café ☕ 日本語",
        "cus_NffrFeUfNV2Hib", "metadata[chargeline_id]", "request req_AbC123",
    ])
    func `leaves the rest as it is`(text: String) {
        #expect(Scrubber.scrub(text) == text)
    }

    @Test(arguments: [
        ("sk_live_51H0abcDEF0123456789", true), ("note: rk_test_51H0abcDEF0123456789", true),
        ("tok_1N3T00LkdIwHu7ixt44h1F8k", true), ("order-tok_1N3T00LkdIwHu7ixt44h1F8k", true),
        ("whsec_demo_secret_1", true), ("tok_visa", false), ("order_1", false), ("pm_1MqLiJLkdIwHu7ixUEgbFdYF", false),
        ("sk_live_", false), ("the sk_test_ prefix", false),
    ])
    func `knows what no field may hold`(text: String, holds: Bool) {
        #expect(Scrubber.holdsKeyOrToken(text) == holds)
    }
}
