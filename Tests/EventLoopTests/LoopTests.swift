import CLinux
import EventLoop
import Synchronization
import Testing

/// An actor on a loop, as every role is one.
private actor Resident {
    let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var watch: Watch?
    private var jumpAction: TurnAction?
    private var timers: [LoopTimer] = []
    var fired: [Int] = []

    init(_ loop: Loop) {
        self.loop = loop
    }

    /// Arms timers by deadline and waits until the last has fired.
    func fire(_ milliseconds: [Int]) async -> [Int] {
        let start = LoopClock.monotonic()
        for (index, delay) in milliseconds.enumerated() {
            let timer = loop.makeTimer { [unowned self] in assumeIsolated { $0.fired.append(index) } }
            timer.arm(at: start + Int64(delay) * 1_000_000)
            timers.append(timer)
        }
        await loop.sleep(nanoseconds: Int64((milliseconds.max() ?? 0) + 5) * 1_000_000)
        return fired
    }

    func rearm() async -> [Int] {
        let kept = loop.makeTimer { [unowned self] in assumeIsolated { $0.fired.append(1) } }
        let dropped = loop.makeTimer { [unowned self] in assumeIsolated { $0.fired.append(2) } }
        kept.arm(after: 3_600_000_000_000)
        dropped.arm(after: 1_000_000)
        kept.arm(after: 2_000_000)
        dropped.disarm()
        await loop.sleep(nanoseconds: 10_000_000)
        return fired
    }

    /// Waits for a jump and says by how much.
    func awaitJump(_ jump: @escaping @Sendable () -> Void) async -> Int64 {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Int64, Never>) in
            jumpAction = loop.onWallClockJump { [unowned self] moved in
                assumeIsolated { $0.jumpAction?.cancel() }
                continuation.resume(returning: moved)
            }
            jump()
            let turn = loop.makeTimer {}
            turn.arm(after: 1_000_000)
            timers.append(turn)
        }
    }

    func readByte(from descriptor: Int32) async -> UInt8 {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<UInt8, Never>) in
            watch = loop.watch(descriptor, for: .reading) { [unowned self] _ in
                var byte: UInt8 = 0
                _ = read(descriptor, &byte, 1)
                assumeIsolated { $0.watch?.cancel() }
                continuation.resume(returning: byte)
            }
        }
    }

    /// Suspends and resumes by a timer, many times, on the loop.
    func hop(_ times: Int) async {
        for _ in 0..<times { await loop.sleep(nanoseconds: 1) }
    }
}

private func withLoop<Value: Sendable>(_ body: (Loop) async throws -> Value) async rethrows -> Value {
    let loop = Loop()
    let thread = loop.startThread(named: "loop-test")
    defer { thread.stopAndJoin() }
    return try await body(loop)
}

struct LoopTests {
    @Test func `timers fire in the order of their deadlines`() async {
        let fired = await withLoop { await Resident($0).fire([20, 5, 40, 1, 20]) }
        #expect(fired.prefix(2) == [3, 1])
        #expect(fired.count == 5)
        #expect(fired.last == 2)
    }

    @Test func `a timer can be armed anew and taken back`() async {
        let fired = await withLoop { await Resident($0).rearm() }
        #expect(fired == [1])
    }

    @Test(arguments: [Int64(31_000), Int64(90_000_000), Int64(-3_600_000)])
    func `a jump of the wall clock is noticed before anything is handled`(jump: Int64) async {
        let wall = Atomic<Int64>(1_780_000_000_000)
        let loop = Loop(wallClock: { wall.load(ordering: .relaxed) })
        let thread = loop.startThread(named: "jump-test")
        let resident = Resident(loop)
        let moved = await resident.awaitJump { wall.add(jump, ordering: .relaxed) }
        #expect(moved == jump)
        thread.stopAndJoin()
    }

    @Test func `a descriptor wakes the loop`() async {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        cl_set_nonblocking(ends[0])
        let (reader, writer) = (ends[0], ends[1])
        let byte = await withLoop { loop in
            async let byte = Resident(loop).readByte(from: reader)
            var sent: UInt8 = 42
            _ = write(writer, &sent, 1)
            return await byte
        }
        #expect(byte == 42)
        close(reader)
        close(writer)
    }

    @Test func `a task that prefers the loop is never resumed by another thread`() async {
        await withLoop { loop in
            let resident = Resident(loop)
            let before = await Task(executorPreference: loop) { loop.foreignEnqueues }.value
            let counted = await Task(executorPreference: loop) {
                let start = loop.foreignEnqueues
                await resident.hop(1000)
                return loop.foreignEnqueues - start
            }.value
            #expect(counted == 0)
            #expect(before > 0)
        }
    }

    @Test func `jobs from many threads all run`() async {
        let total = await withLoop { loop in
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<500 {
                    group.addTask {
                        await Task(executorPreference: loop) { number }.value
                    }
                }
                return await group.reduce(0, +)
            }
        }
        #expect(total == 499 * 500 / 2)
    }

    @Test func `stopping runs what is ready and joins the thread`() async {
        let loop = Loop()
        let thread = loop.startThread(named: "stop-test")
        let done = Task(executorPreference: loop) { true }
        #expect(await done.value)
        thread.stopAndJoin()
    }
}
