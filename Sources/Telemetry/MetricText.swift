/// Writes Prometheus' text format 0.0.4.
struct MetricText {
    private(set) var bytes: [UInt8] = []

    mutating func header(_ name: StaticString, _ help: StaticString, _ type: StaticString) {
        let escaped = help.description.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        bytes += "# HELP \(name) \(escaped)\n# TYPE \(name) \(type)\n".utf8
    }

    mutating func sample(
        _ name: StaticString, _ labels: [(name: StaticString, value: String)], _ value: Double, suffix: String = "",
        le bound: String? = nil
    ) {
        bytes += name.description.utf8
        bytes += suffix.utf8
        var pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
        if let bound { pairs.append("le=\"\(bound)\"") }
        if !pairs.isEmpty { bytes += "{\(pairs.joined(separator: ","))}".utf8 }
        bytes += " \(Self.number(value))\n".utf8
    }

    mutating func histogram(
        _ name: StaticString, _ labels: [(name: StaticString, value: String)], _ histogram: Histogram
    ) {
        var below: UInt64 = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            below += count
            sample(name, labels, Double(below), suffix: "_bucket", le: Self.number(bound))
        }
        sample(name, labels, Double(histogram.count), suffix: "_bucket", le: "+Inf")
        sample(name, labels, histogram.sum, suffix: "_sum")
        sample(name, labels, Double(histogram.count), suffix: "_count")
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
        return value.description
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
