internal import JSONText
internal import Settings

/// Faults as JSON and as the short text of a flag.
public enum FaultText {
    /// What is wrong with a list of faults, for people.
    public struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// One sentence.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Reads a JSON array: `[{"fault": "status_500", "rate": 0.1}, {"fault": "slow", "times": 2, "delay": "3s",
    /// "match": {"charge_id": "order-1", "token": "tok_visa", "method": "POST", "path": "/v1/charges"}}]`.
    public static func parse(json: [UInt8]) throws(Problem) -> [Fault] {
        do {
            var reader = JSONReader(json)
            var faults: [Fault] = []
            try reader.beginArray()
            while try reader.nextElement() { faults.append(try fault(&reader)) }
            try reader.end()
            return faults
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem("not a JSON array of faults: \(error)")
        }
    }

    /// Reads the text of a flag: JSON, or `reset_after_effect=5%, status_503=x3, slow`.
    public static func parse(flag: String) throws(Problem) -> [Fault] {
        if flag.first(where: { !$0.isWhitespace }) == "[" { return try parse(json: Array(flag.utf8)) }
        var faults: [Fault] = []
        for part in flag.split(separator: ",") {
            let trimmed = part.filter { !$0.isWhitespace }
            guard !trimmed.isEmpty else { continue }
            let sides = trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            var fault = Fault(try kind(String(sides[0])))
            if sides.count == 2 { try amount(sides[1], &fault) }
            faults.append(fault)
        }
        return faults
    }

    private static func amount(_ text: Substring, _ fault: inout Fault) throws(Problem) {
        if text.hasPrefix("x"), let times = Int(text.dropFirst()), times >= 0 {
            fault.times = times
        } else if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
            fault.rate = percent / 100
        } else if let rate = Double(text), (0...1).contains(rate) {
            fault.rate = rate
        } else {
            throw Problem("\(fault.kind.rawValue)=\(text): after = stands a share (0.05 or 5%) or a count (x3)")
        }
    }

    private static func kind(_ name: String) throws(Problem) -> Fault.Kind {
        guard let kind = Fault.Kind(rawValue: name) else {
            let known = Fault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem("unknown fault \"\(name)\"; known are \(known)")
        }
        return kind
    }

    private static func fault(_ reader: inout JSONReader) throws -> Fault {
        var kind: Fault.Kind?
        var read = Fault(.slow)
        try reader.beginObject()
        while let name = try reader.nextName() {
            switch name.text {
            case "fault": kind = try self.kind(try reader.string())
            case "rate":
                let rate = try reader.double()
                guard (0...1).contains(rate) else { throw Problem("rate \(rate): must be from 0 to 1") }
                read.rate = rate
            case "times": read.times = Int(try reader.integer())
            case "delay":
                let text = try reader.string()
                guard let delay = TimeSpan(text) else { throw Problem("delay \"\(text)\": write 250ms or 5s") }
                read.delay = delay
            case "should_retry": read.shouldRetry = try reader.bool()
            case "reason": read.reason = try reader.string()
            case "match": read.match = try match(&reader)
            default:
                throw Problem(
                    "unknown field \"\(name.text)\"; known are fault, rate, times, match, delay, should_retry, reason")
            }
        }
        guard let kind else { throw Problem("a fault without its name: {\"fault\": \"status_500\", \"times\": 1}") }
        if let times = read.times, times < 0 { throw Problem("times \(times): must not be negative") }
        read.kind = kind
        return read
    }

    private static func match(_ reader: inout JSONReader) throws -> Fault.Match {
        var match = Fault.Match()
        try reader.beginObject()
        while let name = try reader.nextName() {
            switch name.text {
            case "charge_id": match.chargeID = try reader.string()
            case "token": match.token = try reader.string()
            case "method": match.method = try reader.string().uppercased()
            case "path": match.path = try reader.string()
            default:
                throw Problem("match knows charge_id, token, method and path, not \"\(name.text)\"")
            }
        }
        return match
    }

    /// Writes what is in force, with hits and what is left.
    static func write(_ plan: FaultPlan) -> [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        for (fault, hits, left) in plan.standing {
            json.beginObject()
            json.field("fault", fault.kind.rawValue)
            if let rate = fault.rate { json.field("rate", rate) }
            if let times = fault.times { json.field("times", times) }
            if let match = fault.match {
                json.name("match")
                json.beginObject()
                json.fieldIfPresent("charge_id", match.chargeID)
                json.fieldIfPresent("token", match.token)
                json.fieldIfPresent("method", match.method)
                json.fieldIfPresent("path", match.path)
                json.endObject()
            }
            if let delay = fault.delay { json.field("delay", delay.description) }
            json.fieldIfPresent("should_retry", fault.shouldRetry)
            json.fieldIfPresent("reason", fault.reason)
            json.field("hits", hits)
            if let left { json.field("left", left) }
            json.endObject()
        }
        json.endArray()
        return json.finish()
    }
}
