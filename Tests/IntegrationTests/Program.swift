import Foundation
import TestSupport

/// A run of `chargeline`, with all that it writes. Killed where the test lets go of it.
final class Program: Sendable {
    let name: String
    let output = Transcript()
    let errors = Transcript()
    private let child: ChildProcess
    private let reading: Task<Void, Never>

    init(_ name: String, _ arguments: [String], environment: [String: String], program: String? = nil) throws {
        self.name = name
        child = try ChildProcess(program ?? Executable.path, arguments, environment: environment)
        let streams = [(child.output, output), (child.errors, errors)]
        reading = Task {
            await withTaskGroup { group in
                for (probe, transcript) in streams {
                    group.addTask {
                        while let line = try? await probe.next() { await transcript.add(line) }
                        await transcript.end()
                    }
                }
            }
        }
    }

    var pid: Int32 { child.pid }

    func signal(_ number: Int32) {
        child.signal(number)
    }

    /// Waits for its end, and until all that it wrote was read.
    @discardableResult
    func exit() async -> ChildProcess.Exit {
        let exit = await child.exit()
        await reading.value
        return exit
    }

    /// Ends it by a signal, TERM unless told otherwise, and waits for that.
    @discardableResult
    func end(_ number: Int32 = SIGTERM) async -> ChildProcess.Exit {
        signal(number)
        return await exit()
    }
}
