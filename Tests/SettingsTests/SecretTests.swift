import Settings
import Testing

@Suite struct `Secrets` {
    private struct Holder {
        let name = "holder"
        let secret: Secret
        let list: [Secret?]
    }

    private enum Failure: Error { case refused(Secret) }

    private let text = "sk_test_51abcDEF"

    @Test func `no way of printing shows it`() {
        let secret = Secret(text)
        let holder = Holder(secret: secret, list: [secret, nil])
        var dumped = ""
        dump(holder, to: &dumped)
        let optional: Secret? = secret
        let printed = [
            "\(secret)", String(describing: secret), String(reflecting: secret), secret.debugDescription,
            "\(holder)", String(reflecting: holder), String(reflecting: [secret]), "\([text: secret].values)",
            String(describing: optional), String(reflecting: Failure.refused(secret)), dumped,
            "\(Mirror(reflecting: secret).children.map { "\($0.value)" })",
        ]
        for line in printed { #expect(!line.contains("51abc") && !line.contains("sk_test"), "\(line)") }
        #expect("\(secret)" == "***")
        #expect(secret.reveal() == text)
    }

    @Test(arguments: [
        ("", "", true), ("a", "", false), ("", "a", false), ("abc", "abc", true), ("abc", "abd", false),
        ("abc", "abcabc", false), ("abcabc", "abc", false), ("abc", "Abc", false), ("é", "e\u{301}", false),
    ])
    func `compares bytes`(one: String, other: String, isEqual: Bool) {
        #expect((Secret(one) == Secret(other)) == isEqual)
        #expect(Secret(one).matches(other) == isEqual)
    }

    @Test(arguments: [
        ("amqp://guest:guest@127.0.0.1:5672/%2F", "amqp://guest:***@127.0.0.1:5672/%2F"),
        ("amqps://shop:p@ss/w:rd@broker/live,amqp://b", "amqps://shop:***@broker/live,amqp://b"),
        ("amqp://shop@broker", "amqp://shop@broker"), ("amqp://broker:5672/x", "amqp://broker:5672/x"),
        ("amqp://[::1]:5672", "amqp://[::1]:5672"), ("amqp://[::1]", "amqp://[::1]"),
        ("amqp://u:p@[::1]/v@h", "amqp://u:***@h"), ("amqp://u:p@b?heartbeat=10", "amqp://u:***@b?heartbeat=10"),
        ("amqps://u:p@b?keyfile=k.pem&password=hush", "amqps://u:***@b?***"),
        ("amqp://u:pa,ss@host", "***"), ("amqp://u:12,34@host", "***"), ("amqp://u:hush", "***"), ("hush", "***"),
        ("u:hush@host", "***"),
    ])
    func `a broker URL is shown without its password`(text: String, shown: String) {
        #expect(SettingMask.url(text) == shown)
    }

    @Test(arguments: [
        ("sk_test_51abc", "sk_test_***"), ("rk_live_51abc", "rk_live_***"), ("sk_51abc", "***"), ("hush", "***"),
    ])
    func `a key is shown by its kind`(text: String, shown: String) {
        #expect(SettingMask.key(text) == shown)
    }
}
