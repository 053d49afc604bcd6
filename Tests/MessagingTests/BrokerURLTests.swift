import Messaging
import TestSupport
import Testing

struct BrokerURLTests {
    @Test func `what is left out has RabbitMQ's defaults`() throws {
        let endpoint = try #require(try BrokerEndpoint.parseList("amqp://h").first)
        #expect(endpoint == BrokerEndpoint(host: "h", port: 5672, user: "guest", password: "guest", vhost: "/"))
        #expect(try BrokerEndpoint.parseList("amqps://h").first?.port == 5671)
        #expect(try BrokerEndpoint.parseList("amqps://h").first?.tls == .init())
    }

    @Test(arguments: [
        ("amqp://user:pa%2Css%40@host:10000/v%2fhost", "host", 10000, "user", "pa,ss@", "v/host"),
        ("AMQP://h/%2F", "h", 5672, "guest", "guest", "/"),
        ("amqp://h:1/v", "h", 1, "guest", "guest", "v"),
        ("amqp://u@h/v", "h", 5672, "u", "", "v"),
        ("amqp://u:@h/v", "h", 5672, "u", "", "v"),
        ("amqp://u:a:b@h", "h", 5672, "u", "a:b", "/"),
        ("amqp://%C3%BC:%25@h/%C3%BC", "h", 5672, "ü", "%", "ü"),
        ("amqp://[::1]:5673/v", "::1", 5673, "guest", "guest", "v"),
        ("amqp://127.0.0.1:5672/%2F?heartbeat=5", "127.0.0.1", 5672, "guest", "guest", "/"),
        ("  amqp://h/v:x ", "h", 5672, "guest", "guest", "v:x"),
        ("amqp://u:+@h", "h", 5672, "u", "+", "/"),
    ])
    func `is read`(url: String, host: String, port: Int, user: String, password: String, vhost: String) throws {
        let endpoint = try #require(try BrokerEndpoint.parseList(url).first)
        #expect(endpoint.host == host && endpoint.port == port)
        #expect(endpoint.user == user && endpoint.password == password && endpoint.vhost == vhost)
    }

    @Test func `parameters are read`() throws {
        let plain = try #require(try BrokerEndpoint.parseList("amqp://h?heartbeat=7&connection_timeout=1500").first)
        #expect(plain.heartbeatSeconds == 7 && plain.connectTimeoutMilliseconds == 1500 && plain.vhost == "/")
        let url = "amqps://h/v?cacertfile=/ca%20s.pem&verify=verify_none&certfile=/c.pem&keyfile=/k.pem"
        let tls = try #require(try BrokerEndpoint.parseList(url).first?.tls)
        #expect(tls.authorities == "/ca s.pem" && !tls.isVerified && tls.certificate == "/c.pem" && tls.key == "/k.pem")
    }

    @Test func `a list is read in order`() throws {
        let list = try BrokerEndpoint.parseList("amqp://a, amqps://b:1 ,amqp://c/v")
        #expect(list.map(\.host) == ["a", "b", "c"])
    }

    @Test(arguments: [
        ("", 1, "is empty"),
        ("amqp://a,", 2, "is empty"),
        ("h:5672", 1, "no scheme"),
        ("http://h", 1, "another scheme"),
        ("amqp://", 1, "no host"),
        ("amqp://h/", 1, "empty virtual host"),
        ("amqp://h/a/b", 1, "write %2F"),
        ("amqp://h:", 1, "port"),
        ("amqp://h:0", 1, "port"),
        ("amqp://h:65536", 1, "port"),
        ("amqp://h:+5", 1, "port"),
        ("amqp://h:5672x", 1, "port"),
        ("amqp://u:p@x@h", 1, "%40"),
        ("amqp://:p@h", 1, "empty user"),
        ("amqp://u:%4@h", 1, "%25"),
        ("amqp://u:%00@h", 1, "not UTF-8"),
        ("amqp://u:%FF@h", 1, "not UTF-8"),
        ("amqp://h/%+1", 1, "%25"),
        ("amqp://h#x", 1, "%23"),
        ("amqp://::1", 1, "IPv6"),
        ("amqp://[::1", 1, "']'"),
        ("amqp://[h]", 1, "IPv6"),
        ("amqp://ho st", 1, "space"),
        ("amqp://h?heartbeat=0", 1, "heartbeat"),
        ("amqp://h?heartbeat=x", 1, "heartbeat"),
        ("amqp://h?connection_timeout=1", 1, "connection_timeout"),
        ("amqp://h?cacertfile=/x", 1, "amqps"),
        ("amqps://h?verify=no", 1, "verify_peer"),
        ("amqp://h?channel_max=5", 1, "unknown parameter"),
    ])
    func `is refused with the mend`(url: String, position: Int, part: String) throws {
        let error = #expect(throws: BrokerURLError.self) { try BrokerEndpoint.parseList(url) }
        #expect(error?.position == position)
        #expect(error?.text.contains(part) == true, "\(String(describing: error))")
    }

    @Test func `nothing shows the password`() throws {
        let endpoint = try #require(try BrokerEndpoint.parseList("amqp://user:s3cret@h/v").first)
        #expect("\(endpoint)" == "amqp://user:***@h:5672/v")
        #expect(!String(reflecting: endpoint).contains("s3cret"))
        var dumped = ""
        dump(endpoint, to: &dumped)
        #expect(!dumped.contains("s3cret"))
        #expect(!"\([endpoint])".contains("s3cret"))
    }

    @Test func `any bytes are read or refused, and no error holds the password`() {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "amqp", "amqps", "://", "@", ":", "/", "?", "&", "=", "%", "%2F", "%zz", "[", "]", "h", "5672", "heartbeat",
            "verify", ",", " ", "#", "ü", "\u{0}", "s3cret",
        ]
        for _ in 0..<20_000 {
            var url = random.next() % 2 == 0 ? "amqp://u:s3cret@" : ""
            for _ in 0..<(random.next() % 12) { url += pieces[Int(random.next() % UInt64(pieces.count))] }
            do {
                let list = try BrokerEndpoint.parseList(url)
                #expect(list.allSatisfy { !$0.host.isEmpty && !$0.vhost.isEmpty && (1...65535).contains($0.port) })
            } catch {
                #expect(!"\(error)".contains("s3cret"), "\(url)")
            }
        }
    }
}
