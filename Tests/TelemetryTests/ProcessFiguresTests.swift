import Testing

@testable import Telemetry

@Suite struct `Process figures` {
    private let stat =
        "4242 (a) b (c) S 1 4242 4242 0 -1 4194560 1 0 0 0 5 2 0 0 20 0 3 0 12345 223 4 18446744073709551615"

    @Test func `are read from the system's files`() {
        let system = "cpu  1 2 3\nbtime 1700000000\nprocesses 9\n"
        #expect(ProcessFigures.startTime(stat: stat, system: system, ticks: 100) == 1_700_000_123.45)
        #expect(ProcessFigures.residentBytes(statm: "100 25 3 1 0 9 0\n", pageSize: 4096) == 102_400)
    }

    @Test func `what cannot be read is left out`() {
        #expect(ProcessFigures.startTime(stat: stat, system: "cpu 1", ticks: 100) == nil)
        #expect(ProcessFigures.startTime(stat: "1 (a) S 1", system: "btime 17", ticks: 100) == nil)
        #expect(ProcessFigures.startTime(stat: "", system: "", ticks: 0) == nil)
        #expect(ProcessFigures.residentBytes(statm: "", pageSize: 4096) == nil)
        let metrics = Metrics()
        #expect(metrics.text(process: ProcessFigures()).isEmpty)
    }
}
