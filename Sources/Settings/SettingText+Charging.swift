/// The texts that only chargeline knows: lanes, delays, keys.
extension SettingText {
    static func lanes(_ text: String) throws(ValueProblem) -> [String] {
        let lanes = try list(text)
        for lane in lanes where !isLane(lane) {
            throw ValueProblem("has \(quoted(lane)), which is not a lane: 1 to 32 of a-z, 0-9 and -")
        }
        if let twice = firstDoubled(lanes) { throw ValueProblem("names the lane \(twice) twice") }
        return lanes
    }

    static func prefix(_ text: String) throws(ValueProblem) -> String {
        let allowed = text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        guard (1...64).contains(text.utf8.count), allowed else {
            throw ValueProblem("\(quoted(text)) is not 1 to 64 of a-z, A-Z, 0-9, _ and -")
        }
        return text
    }

    static func delays(_ text: String) throws(ValueProblem) -> [TimeSpan] {
        var delays: [TimeSpan] = []
        for entry in try list(text) {
            let delay = try timeSpan(entry, from: TimeSpan(milliseconds: 1), to: .hours(23))
            if let last = delays.last, delay <= last {
                throw ValueProblem("does not ascend: \(delay) stands behind \(last)")
            }
            delays.append(delay)
        }
        guard delays.count <= 32 else {
            throw ValueProblem("has \(delays.count) delays; each is a queue, 32 are enough")
        }
        return delays
    }

    static func notAfter(_ text: String, lanes: [String]?) throws(ValueProblem) -> [String: TimeSpan] {
        var spans: [String: TimeSpan] = [:]
        for entry in try list(text) {
            guard let equals = entry.firstIndex(of: "=") else {
                throw ValueProblem("has \(quoted(entry)), which is not lane=time")
            }
            let lane = trimmed(String(entry[..<equals]))
            if let lanes, !lanes.contains(lane) {
                throw ValueProblem(
                    "names the lane \(quoted(lane)), which is not one of \(lanes.joined(separator: ", "))")
            }
            guard spans[lane] == nil else { throw ValueProblem("names the lane \(lane) twice") }
            let value = trimmed(String(entry[entry.index(after: equals)...]))
            spans[lane] = try timeSpan(value, from: TimeSpan(milliseconds: 1))
        }
        return spans
    }

    /// The form of a secret key; prefixes as Stripe documents them.
    static func stripeKey(_ text: String) throws(ValueProblem) -> Secret {
        if text.hasPrefix("pk_") {
            throw ValueProblem(
                "is a publishable key (pk_…), which cannot charge; the secret one begins with sk_ or rk_")
        }
        guard text.hasPrefix("sk_") || text.hasPrefix("rk_") else {
            throw ValueProblem("is not a secret key: it begins neither with sk_ nor with rk_")
        }
        guard text.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }),
            (8...255).contains(text.utf8.count)
        else { throw ValueProblem("is not a secret key: it is cut, or holds a character that no key has") }
        return Secret(text)
    }

    static func apiKeys(_ text: String) throws(ValueProblem) -> [APIKey] {
        var keys: [APIKey] = []
        for (position, entry) in try list(text).enumerated() {
            guard let colon = entry.firstIndex(of: ":") else {
                throw ValueProblem("is not id:key in entry \(position + 1)")
            }
            let id = String(entry[..<colon])
            let key = String(entry[entry.index(after: colon)...])
            let idFits = id.utf8.allSatisfy { isLetterOrDigit($0) || [0x2D, 0x2E, 0x5F].contains($0) }
            guard idFits, (1...32).contains(id.utf8.count) else {
                throw ValueProblem(
                    "has an id in entry \(position + 1) that is not 1 to 32 of a-z, A-Z, 0-9, _, . and -")
            }
            guard !keys.contains(where: { $0.id == id }) else { throw ValueProblem("has the id \(id) twice") }
            guard (16...256).contains(key.utf8.count), key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw ValueProblem("has a key for \(id) that is not 16 to 256 visible ASCII characters")
            }
            keys.append(APIKey(id: id, key: Secret(key)))
        }
        return keys
    }

    /// Only that it is one; what stands in it is read by the broker's client.
    static func brokerURLs(_ text: String) throws(ValueProblem) -> Secret {
        for (position, entry) in try list(text).enumerated() {
            guard entry.hasPrefix("amqp://") || entry.hasPrefix("amqps://") else {
                throw ValueProblem(
                    "does not begin with amqp:// or amqps:// in entry \(position + 1) (a password's comma is %2C)"
                )
            }
        }
        return Secret(text)
    }

    private static func isLane(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { isDigit($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) }

    private static func firstDoubled(_ names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }
}
