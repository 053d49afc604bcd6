import Telemetry
import Testing

@Suite struct `Scrubbing` {
    @Test(arguments: [
        ("sk_live_51abcDEF", "sk_live_***"), ("key=rk_test_9 and sk_test_8.", "key=rk_test_*** and sk_test_***."),
        ("Invalid API Key provided: sk_test_****abcd", "Invalid API Key provided: sk_test_****abcd"),
        ("tok_visa", "tok_***"), ("no such token: 'tok_1AbC'", "no such token: 'tok_***'"),
        ("tok_1 tok_2", "tok_*** tok_***"),
        ("pm_1MtwBwLkdIwHu7ixABCD", "pm_***"), ("src_1MtwBwLkdIwHu7ix", "src_***"), ("whsec_abc", "whsec_***"),
        ("pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH", "pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_***"),
        ("4242424242424242", "***"), ("card 4242-4242-4242-4242.", "card ***."), ("4242 4242 4242 4242 12", "*** 12"),
        ("378282246310005 and 6011111111111117", "*** and ***"), ("x4242424242424242x", "x***x"),
        ("30569309025904", "***"),
        ("order_4242424242424242_1", "order_***_1"), ("é4242424242424242é", "é***é"),
    ])
    func `masks`(text: String, shown: String) {
        #expect(Scrubber.scrub(text) == shown)
    }

    @Test(arguments: [
        "", "order-1001", "pi_3MtwBwLkdIwHu7ix28a3tqPa", "ch_3MtwBwLkdIwHu7ix28a3tqPa", "req_aZbYcX12345678",
        "2026-01-02T03:04:05.678Z", "1767323045678", "4242424242424241", "task_1", "disk_test_1", "custom_source",
        "pm_card", "token_already_used", "idempotency_key_in_use", "payment_intent", "chargeline_id", "sk_", "tok_",
        "00000000000000000000", "4242424242424242424242424242", "127.0.0.1:5672", "acct_1032D82eZvKYlo2C",
        "0123456789012345678901234567890123456789", "checkout_", "_secret_", "é😀", "+49 30 1234567890123",
    ])
    func `leaves alone`(text: String) {
        #expect(Scrubber.scrub(text) == text)
    }
}
