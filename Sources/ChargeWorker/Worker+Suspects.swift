internal import Messaging
internal import Settings

/// A suspect is alone in the process: a crash then raises its delivery count and no neighbour's.
extension Worker {
    /// Takes no more deliveries, and gives back all but the first suspect; it starts once nothing else is in flight.
    func isolate() {
        isIsolating = true
        applyPause()
        for delivery in queues.takeAllButOneSuspect() { giveBack(delivery) }
        pump()
    }

    /// The neighbours may come again once no suspect is left.
    func endIsolationIfAlone() {
        guard isIsolating, !queues.hasSuspect else { return }
        isIsolating = false
        applyPause()
    }

    /// Pauses or resumes all consumers, as the worker's state asks for.
    func applyPause() {
        let pause = mustGiveBack
        guard pause != isPaused else { return }
        isPaused = pause
        for index in 0..<settings.lanes.count * 2 {
            if pause { consuming.pauseConsuming(index) } else { consuming.resumeConsuming(index) }
        }
    }
}
