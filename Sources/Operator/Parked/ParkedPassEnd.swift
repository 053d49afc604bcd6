internal import Messaging

/// How a pass ended.
struct ParkedPassEnd: Sendable {
    /// Messages that the queue had at the start.
    var depth = 0
    /// Messages that were taken out, each confirmed where it went.
    var moved = 0
    /// Messages that did not come.
    var unseen = 0
    /// Those that were meant and stay.
    var refused: [RefusedMessage] = []
    /// Messages that were parked, or came back from another consumer, after it began.
    var late = 0
    /// What was not looked at, for people; nil where all was.
    var unseenLine: String? {
        guard unseen > 0 else { return late > 0 ? "\(late) more were parked meanwhile" : nil }
        let why =
            depth - unseen >= ParkedReader.most
            ? "no more than \(ParkedReader.most) that stay can be held to reach those behind them"
            : "another consumer may hold them; run it again"
        return "\(unseen) of \(depth) did not come: \(why)"
    }
    /// The signal that ended it.
    var interrupted: Int32?
    /// What ended it before its end.
    var problem: LinkProblem?
}

/// A message that was meant and stays parked.
struct RefusedMessage: Sendable {
    let id: String?
    let reason: String
    let why: String

    init(_ message: ParkedMessage, _ why: String) {
        id = message.id
        reason = message.reason
        self.why = why
    }
}
