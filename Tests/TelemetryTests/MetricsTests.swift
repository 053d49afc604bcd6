import Telemetry
import Testing

@Suite struct `Metrics as text` {
    private func text(_ metrics: Metrics) -> String { String(decoding: metrics.text(process: nil), as: UTF8.self) }

    @Test func `counters and gauges`() {
        let metrics = Metrics()
        let confirms = metrics.counter("chargeline_confirms_total", "Confirms from the broker.")
        confirms.increment()
        confirms.increment(by: 2)
        confirms.increment(by: -5)
        let slots = metrics.gauge("chargeline_slots", "Slots.\nTwo lines \\ of help.")
        slots.set(100)
        slots.add(-0.5)
        metrics.gauge("chargeline_known", "Known.") { 1e300 }
        metrics.gauge("chargeline_unknown", "Not known.") { nil }
        metrics.info("chargeline_build_info", "Version.", [("version", "1.0"), ("swift", "6")])
        #expect(
            text(metrics) == """
                # HELP chargeline_confirms_total Confirms from the broker.
                # TYPE chargeline_confirms_total counter
                chargeline_confirms_total 3
                # HELP chargeline_slots Slots.\\nTwo lines \\\\ of help.
                # TYPE chargeline_slots gauge
                chargeline_slots 99.5
                # HELP chargeline_known Known.
                # TYPE chargeline_known gauge
                chargeline_known 1e+300
                # HELP chargeline_unknown Not known.
                # TYPE chargeline_unknown gauge
                # HELP chargeline_build_info Version.
                # TYPE chargeline_build_info gauge
                chargeline_build_info{version="1.0",swift="6"} 1

                """)
    }

    @Test func `labels are bounded`() {
        let metrics = Metrics()
        let charges = metrics.counters(
            "chargeline_charges_total", "Charges.", MetricLabel("lane", ["checkout", "ba\"t\\ch", "checkout"]),
            MetricLabel("status", ["succeeded", "declined"]))
        let child = charges["checkout", "succeeded"]
        child.increment()
        charges["checkout", "succeeded"].increment()
        for number in 0..<1000 { charges["lane-\(number)", "declined"].increment() }
        charges["ba\"t\\ch", "surprise"].increment()
        charges["checkout"].increment()
        #expect(child.value == 2)
        #expect(
            text(metrics) == #"""
                # HELP chargeline_charges_total Charges.
                # TYPE chargeline_charges_total counter
                chargeline_charges_total{lane="checkout",status="succeeded"} 2
                chargeline_charges_total{lane="checkout",status="declined"} 0
                chargeline_charges_total{lane="checkout",status="other"} 1
                chargeline_charges_total{lane="ba\"t\\ch",status="succeeded"} 0
                chargeline_charges_total{lane="ba\"t\\ch",status="declined"} 0
                chargeline_charges_total{lane="ba\"t\\ch",status="other"} 1
                chargeline_charges_total{lane="other",status="declined"} 1000

                """#)
    }

    @Test func `histograms`() {
        let metrics = Metrics()
        let waits = metrics.histograms(
            "chargeline_wait_seconds", "Waits.", bounds: [0.1, 1], MetricLabel("lane", ["checkout", "batch"]))
        for value in [0.1, 0.05, 0.5, 1, 1.5, .nan, .infinity] { waits["checkout"].observe(value) }
        #expect(waits["checkout"].count == 5 && waits["checkout"].sum == 3.15)
        #expect(
            text(metrics) == """
                # HELP chargeline_wait_seconds Waits.
                # TYPE chargeline_wait_seconds histogram
                chargeline_wait_seconds_bucket{lane="checkout",le="0.1"} 2
                chargeline_wait_seconds_bucket{lane="checkout",le="1"} 4
                chargeline_wait_seconds_bucket{lane="checkout",le="+Inf"} 5
                chargeline_wait_seconds_sum{lane="checkout"} 3.15
                chargeline_wait_seconds_count{lane="checkout"} 5

                """)
        #expect(Histogram.seconds == Histogram.seconds.sorted())
    }

    @Test func `figures of this process`() throws {
        let before = ProcessFigures.now()
        #expect(try #require(before.residentBytes) > 1_000_000)
        #expect(try #require(before.cpuSeconds) > 0)
        // Between the first Swift 6 and the year 2100.
        #expect((1_700_000_000...4_102_444_800).contains(try #require(before.startTime)))
        #expect(try #require(before.openDescriptors) >= 3)
        #expect(try #require(before.descriptorsMax) >= 3)
        let text = String(decoding: Metrics().text(), as: UTF8.self)
        for name in ["resident_memory_bytes", "cpu_seconds_total", "start_time_seconds", "open_fds", "max_fds"] {
            #expect(text.contains("\nprocess_\(name) ") && text.contains("# TYPE process_\(name) "))
        }
    }
}
