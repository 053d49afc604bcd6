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
