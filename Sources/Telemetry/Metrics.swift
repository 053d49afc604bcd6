/// Every metric of one process, and their text for Prometheus. It lives on one loop and is not to be shared: an
/// increment is one addition, without a lock.
///
/// Names follow Prometheus: `chargeline_` first, base units (`_seconds`, `_bytes`), `_total` for counters. Labels are
/// few and bounded, never an id, a token or a URL.
public final class Metrics {
    /// The content type of `text()`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private struct Entry {
        let name: StaticString
        let help: StaticString
        let type: StaticString
        let append: (inout MetricText) -> Void
    }

    private var entries: [Entry] = []

    /// No metrics yet.
    public init() {}

    /// A counter without labels.
    public func counter(_ name: StaticString, _ help: StaticString) -> Counter {
        let counter = Counter()
        add(name, help, "counter") { $0.sample(name, [], counter.value) }
        return counter
    }

    /// A counter with labels; every declared combination is there from the start, at 0, so that its first step shows.
    public func counters(_ name: StaticString, _ help: StaticString, _ labels: MetricLabel...) -> MetricFamily<Counter>
    {
        let family = MetricFamily(labels, eager: true) { Counter() }
        add(name, help, "counter") { text in
            for (labels, child) in family.all { text.sample(name, labels, child.value) }
        }
        return family
    }

    /// A gauge without labels.
    public func gauge(_ name: StaticString, _ help: StaticString) -> Gauge {
        let gauge = Gauge()
        add(name, help, "gauge") { $0.sample(name, [], gauge.value) }
        return gauge
    }

    /// A gauge whose value is asked for when it is read. `nil` leaves it out: not known is not 0.
    public func gauge(_ name: StaticString, _ help: StaticString, read: @escaping () -> Double?) {
        add(name, help, "gauge") { text in
            if let value = read() { text.sample(name, [], value) }
        }
    }

    /// A gauge with labels; a combination is there once it is used.
    public func gauges(_ name: StaticString, _ help: StaticString, _ labels: MetricLabel...) -> MetricFamily<Gauge> {
        let family = MetricFamily(labels, eager: false) { Gauge() }
        add(name, help, "gauge") { text in
            for (labels, child) in family.all { text.sample(name, labels, child.value) }
        }
        return family
    }

    /// A histogram without labels.
    ///
    /// - Parameter bounds: upper bounds of its buckets, ascending; the one without a bound comes by itself.
    public func histogram(
        _ name: StaticString, _ help: StaticString, bounds: [Double] = Histogram.seconds
    ) -> Histogram {
        let histogram = Histogram(bounds: bounds)
        add(name, help, "histogram") { $0.histogram(name, [], histogram) }
        return histogram
    }

    /// A histogram with labels; a combination is there once it is used.
    public func histograms(
        _ name: StaticString, _ help: StaticString, bounds: [Double] = Histogram.seconds, _ labels: MetricLabel...
    ) -> MetricFamily<Histogram> {
        let family = MetricFamily(labels, eager: false) { Histogram(bounds: bounds) }
        add(name, help, "histogram") { text in
            for (labels, child) in family.all { text.histogram(name, labels, child) }
        }
        return family
    }

    /// A gauge that is always 1 and tells something by its labels, such as the version.
    public func info(_ name: StaticString, _ help: StaticString, _ facts: [(name: StaticString, value: String)]) {
        add(name, help, "gauge") { $0.sample(name, facts, 1) }
    }

    /// Everything in Prometheus' text format 0.0.4, the figures of this process at the end.
    public func text(process: ProcessFigures? = .now()) -> [UInt8] {
        var text = MetricText()
        for entry in entries {
            text.header(entry.name, entry.help, entry.type)
            entry.append(&text)
        }
        if let process { process.append(to: &text) }
        return text.bytes
    }

    private func add(
        _ name: StaticString, _ help: StaticString, _ type: StaticString, _ append: @escaping (inout MetricText) -> Void
    ) {
        assert(!entries.contains { $0.name.description == name.description }, "a metric is declared twice")
        entries.append(Entry(name: name, help: help, type: type, append: append))
    }
}
