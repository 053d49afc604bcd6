internal import CLinux
internal import EventLoop

/// Asks a person at the terminal before something is done that cannot be undone.
enum Confirmation {
    /// Whether there is a person to ask.
    static var canAsk: Bool { isatty(0) == 1 && isatty(2) == 1 }

    /// Asks, and waits for the answer; only `yes` is one.
    static func ask(_ question: String, loop: Loop, _ console: Console) async -> Bool {
        _ = Console.write("\(question) Type yes to go on: ", to: console.errors)
        let answer = Latch<String>()
        var typed: [UInt8] = []
        let watch = loop.watch(0, for: .reading) { _ in
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = read(0, &buffer, buffer.count)
            if count > 0 { typed += buffer[..<count] }
            if count <= 0 || typed.contains(UInt8(ascii: "\n")) || typed.count > 1000 {
                answer.open(String(decoding: typed, as: UTF8.self))
            }
        }
        let text = await answer.wait()
        watch.cancel()
        return text.trimmedLine == "yes"
    }
}

extension String {
    /// Without white space at its ends.
    fileprivate var trimmedLine: Substring {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return start[...last]
    }
}
