import Messaging
import Settings
import Testing

/// URLs and settings.
@Suite(.timeLimit(.minutes(30)))
struct SettingBytesTests {
    @Test func `URLs of the broker`() async {
        let corpus = [
            "amqp://guest:\(Canary.key)@127.0.0.1:5672/%2F",
            "amqps://u:\(Canary.key)@[::1]:5671/v?heartbeat=10,amqp://b",
            "amqp://h",
        ]
        await Fuzz.run("URLs of the broker", corpus) { bytes in
            do {
                let list = try BrokerEndpoint.parseList(String(decoding: bytes, as: UTF8.self))
                let isWhole = list.allSatisfy { !$0.host.isEmpty && (1...65535).contains($0.port) }
                guard isWhole else { return "an endpoint without host or port" }
                // Damage can move the password to where it is a name like any other.
                let isNamed = list.contains { ($0.host + $0.vhost + $0.user).contains(Canary.key) }
                return isNamed ? nil : Canary.found(in: "\(list)")
            } catch {
                return Canary.found(in: "\(error)")
            }
        }
    }

    @Test func `URLs of Stripe`() async {
        await Fuzz.run("URLs of Stripe", ["https://api.stripe.com", "http://127.0.0.1:12110/base", "http://[::1]:80"]) {
            let text = String(decoding: $0, as: UTF8.self)
            guard let url = ServiceURL(text) else { return nil }
            return ServiceURL(url.description)?.description == url.description ? nil : "\(url) reads back otherwise"
        }
    }

    @Test func `every setting`() async {
        let names = [
            "CHARGELINE_PREFIX", "CHARGELINE_LANES", "CHARGELINE_IN_FLIGHT", "CHARGELINE_STRIPE_RATE",
            "CHARGELINE_WORKERS", "CHARGELINE_STRIPE_TIMEOUT", "CHARGELINE_RETRY_DELAYS", "CHARGELINE_RETRY_FOR",
            "CHARGELINE_NOT_AFTER", "CHARGELINE_SEARCH_FIRST", "CHARGELINE_RESULTS", "CHARGELINE_DRAIN",
            "CHARGELINE_LISTEN", "CHARGELINE_ADMIN_LISTEN", "CHARGELINE_API_KEYS", "CHARGELINE_WAIT_MAX",
            "CHARGELINE_LOG",
            "AMQP_URL", "STRIPE_API_BASE", "STRIPE_FLOW", "STRIPE_SECRET_KEY",
        ]
        let corpus = [
            "chargeline", "checkout,batch", "100", "25", "30s", "1s,5s,30s,2m,10m,1h", "20h", "checkout=2h", "aged",
            "127.0.0.1:8080", "[::1]:9463", "shop:\(Canary.key)", "info", "http://127.0.0.1:1", Canary.key,
        ]
        await Fuzz.run("every setting", corpus) { bytes in
            let value = String(decoding: bytes, as: UTF8.self)
            let name = names[Int(bytes.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) } % UInt64(names.count))]
            do throws(SettingsError) {
                let loaded = try ChargelineSettings.load(role: .worker, environment: [name: value])
                return Canary.found(in: "\(loaded.settings) \(loaded.warnings)")
            } catch {
                return Canary.found(in: "\(error)")
            }
        }
    }
}
