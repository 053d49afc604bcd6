import Settings
import Testing

@Suite struct `Setting values` {
    @Test(
        arguments: [
            ("250ms", 250, "250ms"), ("5s", 5000, "5s"), ("2m", 120_000, "2m"), ("1h", 3_600_000, "1h"),
            ("0s", 0, "0s"),
            ("0ms", 0, "0s"), ("90s", 90_000, "90s"), ("120s", 120_000, "2m"), ("1500ms", 1500, "1500ms"),
            ("05s", 5000, "5s"),
            ("24h", 86_400_000, "24h"),
        ] as [(String, Int64, String)])
    func `a length of time`(text: String, milliseconds: Int64, shortest: String) throws {
        let span = try #require(TimeSpan(text))
        #expect(span.milliseconds == milliseconds)
        #expect(span.description == shortest)
        #expect(TimeSpan(span.description) == span)
    }

    @Test(arguments: [
        "", "5", "s", "ms", "-5s", "+5s", "5 s", " 5s", "5S", "1.5s", "5sec", "1h30m", "٥s", "9999999999999s", "5d",
        "999999999999h5", "0x5s",
    ])
    func `no length of time`(text: String) {
        #expect(TimeSpan(text) == nil)
    }

    @Test(arguments: [
        ("512", 512, "512"), ("64KiB", 65_536, "64KiB"), ("1MiB", 1_048_576, "1MiB"), ("2GiB", 2_147_483_648, "2GiB"),
        ("1024", 1024, "1KiB"), ("0", 0, "0"), ("1500", 1500, "1500"),
    ])
    func `a size`(text: String, bytes: Int, shortest: String) throws {
        let size = try #require(ByteSize(text))
        #expect(size.bytes == bytes)
        #expect(size.description == shortest)
    }

    @Test(arguments: ["", "KiB", "1kb", "1 KiB", "-1", "1.5MiB", "1KB", "999999999999999GiB"])
    func `no size`(text: String) {
        #expect(ByteSize(text) == nil)
    }

    @Test(
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("0.0.0.0:0", "0.0.0.0", 0, false),
            ("[::1]:9464", "::1", 9464, true), ("[2001:db8::1]:65535", "2001:db8::1", 65_535, false),
            ("127.9.9.9:1", "127.9.9.9", 1, true), ("[::]:80", "::", 80, false),
        ] as [(String, String, UInt16, Bool)])
    func `an address`(text: String, host: String, port: UInt16, isLoopback: Bool) throws {
        let address = try #require(HostPort(text))
        #expect(address == HostPort(host: host, port: port))
        #expect(address.isLoopback == isLoopback)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", ":", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
        "127.1:80", "0127.0.0.1:80", "localhost:80", "example.com:80", "::1:80", "[::1]", "[::1:80", "[127.0.0.1]:80",
        "127.0.0.1:80 ", "127.0.0.1:8080:1",
    ])
    func `no address`(text: String) {
        #expect(HostPort(text) == nil)
    }

    @Test(
        arguments: [
            ("https://api.stripe.com", true, "api.stripe.com", 443, false, "https://api.stripe.com"),
            ("http://127.0.0.1:12110/", false, "127.0.0.1", 12_110, true, "http://127.0.0.1:12110"),
            ("http://localhost:12110", false, "localhost", 12_110, true, "http://localhost:12110"),
            ("http://[::1]:80/base/", false, "::1", 80, true, "http://[::1]:80/base"),
            (
                "HTTPS://proxy.example:8443/stripe", true, "proxy.example", 8443, false,
                "HTTPS://proxy.example:8443/stripe"
            ),
            ("http://127.0.0.1.example.com", false, "127.0.0.1.example.com", 80, false, "http://127.0.0.1.example.com"),
        ] as [(String, Bool, String, UInt16, Bool, String)])
    func `a base URL`(
        text: String, isSecure: Bool, host: String, port: UInt16, isLoopback: Bool, base: String
    ) throws {
        let url = try #require(ServiceURL(text))
        #expect(url.isSecure == isSecure)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.isLoopback == isLoopback)
        #expect(url.description == base)
    }

    @Test(arguments: [
        "", "api.stripe.com", "ftp://a", "https://", "https:///v1", "https://user@host",
        "https://127.0.0.1@evil.example",
        "https://host?x=1", "https://host#x", "https://host:0", "https://host:70000", "https://host:", "https://ho st",
        "https://host\n", "http://[::1", "http://[zz]", "https://host\\@evil", "https://hést",
    ])
    func `no base URL`(text: String) {
        #expect(ServiceURL(text) == nil)
    }

    @Test(arguments: [
        ("CHARGELINE_INFLIGHT", "CHARGELINE_IN_FLIGHT"), ("CHARGELINE_LANE", "CHARGELINE_LANES"),
        ("CHARGELINE_RETRY_DELAY", "CHARGELINE_RETRY_DELAYS"), ("CHARGELINE_AMQP_URL", "AMQP_URL"),
        ("CHARGELINE_STRIPE_SECRET_KEY", "STRIPE_SECRET_KEY"), ("CHARGELINE_LSITEN", "CHARGELINE_LISTEN"),
        ("CHARGELINE_API_KEYS_FIEL", "CHARGELINE_API_KEYS_FILE"), ("CHARGELINE_LOG_LEVEL", "CHARGELINE_LOG"),
        ("chargeline_log", "CHARGELINE_LOG"),
    ])
    func `the name that was meant`(name: String, meant: String) {
        #expect(SettingsTable.nearest(to: name) == meant)
    }

    @Test func `a name like none has no nearest`() {
        #expect(SettingsTable.nearest(to: "CHARGELINE_ZZZZZZZZZZZZZZ") == nil)
        #expect(NearestName.of("xyz", among: ["checkout", "batch"]) == nil)
        #expect(NearestName.of("", among: ["a"]) == nil)
        #expect(NearestName.of("wroker", among: ["api", "worker"]) == "worker")
    }
}
