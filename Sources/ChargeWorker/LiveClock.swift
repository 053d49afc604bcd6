internal import Charging
internal import EventLoop

/// Time by the machine's clocks, chance by its generator.
final class LiveClock: ClockPort {
    private let loop: Loop
    private var generator = SystemRandomNumberGenerator()

    init(loop: Loop) {
        self.loop = loop
    }

    func now() -> Int64 { LoopClock.wall() }

    func sleep(milliseconds: Int64) async {
        await loop.sleep(nanoseconds: milliseconds * 1_000_000)
    }

    func chance() -> Double { Double.random(in: 0..<1, using: &generator) }
}
