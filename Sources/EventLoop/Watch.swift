internal import CLinux

/// What a descriptor is waited for, or is ready for.
public struct Interest: OptionSet, Sendable {
    /// The bits, as any option set's.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Data to read, or the end of it.
    public static let reading = Interest(rawValue: 1)
    /// Room to write.
    public static let writing = Interest(rawValue: 2)
    /// An error or hang-up; always reported, never asked for.
    public static let failed = Interest(rawValue: 4)
    /// The other side has ended its half of the stream (EPOLLRDHUP), seen without reading what lies before it.
    public static let hangUp = Interest(rawValue: 8)

    var epollBits: UInt32 {
        (contains(.reading) ? EPOLLIN.rawValue : 0) | (contains(.writing) ? EPOLLOUT.rawValue : 0)
            | (contains(.hangUp) ? EPOLLRDHUP.rawValue : 0)
    }

    init(epollBits: UInt32) {
        var interest: Interest = []
        if epollBits & EPOLLIN.rawValue != 0 { interest.insert(.reading) }
        if epollBits & EPOLLOUT.rawValue != 0 { interest.insert(.writing) }
        if epollBits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { interest.insert(.failed) }
        if epollBits & EPOLLRDHUP.rawValue != 0 { interest.insert(.hangUp) }
        self = interest
    }
}

/// A descriptor under watch. Ends with `cancel`, not with the last reference.
public final class Watch {
    /// The descriptor.
    public let descriptor: Int32
    private(set) var interest: Interest
    let onReady: (Interest) -> Void
    private weak var state: LoopState?

    init(descriptor: Int32, interest: Interest, state: LoopState, onReady: @escaping (Interest) -> Void) {
        self.descriptor = descriptor
        self.interest = interest
        self.state = state
        self.onReady = onReady
    }

    /// Changes what is waited for; costs a system call only where it differs.
    public func update(_ interest: Interest) {
        guard interest != self.interest else { return }
        self.interest = interest
        state?.update(self)
    }

    /// Ends the watch. Call it before the descriptor is closed.
    public func cancel() {
        state?.remove(self)
    }
}

/// An action that takes part in every turn until it is cancelled.
public final class TurnAction {
    let action: (Int64) -> Void
    private(set) var isCancelled = false

    init(_ action: @escaping (Int64) -> Void) {
        self.action = action
    }

    /// Takes the action out; it is not called again.
    public func cancel() {
        isCancelled = true
    }
}
