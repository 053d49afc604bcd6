internal import CLinux

/// Declares or checks a topology over one connection; blocking, for a helper thread.
struct TopologyWork {
    let plan: TopologyPlan
    let channel: TopologyChannel
    /// Asked during the wait for new queues to age.
    let isAbandoned: () -> Bool

    /// Declares everything; returns the queues that were new.
    func declare() throws(LinkProblem) -> [String] {
        for exchange in plan.exchanges {
            if let words = try channel.exchange(exchange, passive: false) {
                throw words.channelProblem(subject: nil)
            }
        }
        var unmarked: [TopologyPlan.Queue] = []
        for queue in plan.queues where try declare(queue) { unmarked.append(queue) }
        for binding in plan.bindings {
            if let words = try channel.bind(binding) { throw words.channelProblem(subject: binding.queue) }
        }
        try declareMarkers(of: unmarked)
        try channel.close()
        return unmarked.map(\.name)
    }

    /// Whether the queue still needs its marker.
    private func declare(_ queue: TopologyPlan.Queue) throws(LinkProblem) -> Bool {
        var hasAged = false
        if try markerExists(of: queue) {
            let words = try channel.queue(queue, passive: true)
            if let words, words.code != 404 { throw words.channelProblem(subject: queue.name) }
            if words != nil, !plan.remakesQueues { throw queue.goneProblem }
            hasAged = words == nil
        }
        if let words = try channel.queue(queue, passive: false) { throw words.channelProblem(subject: queue.name) }
        return queue.marker != nil && !hasAged
    }

    private func markerExists(of queue: TopologyPlan.Queue) throws(LinkProblem) -> Bool {
        guard let marker = queue.marker else { return false }
        guard let words = try channel.exchange(.marker(marker), passive: true) else { return true }
        guard words.code == 404 else { throw words.channelProblem(subject: queue.name) }
        return false
    }

    /// One wait for all: they age together.
    private func declareMarkers(of queues: [TopologyPlan.Queue]) throws(LinkProblem) {
        guard !queues.isEmpty else { return }
        sleep(nanoseconds: plan.settle)
        if isAbandoned() { throw LinkProblem(.cut, "the declaration was given up before the new queues had aged") }
        for queue in queues {
            guard let marker = queue.marker else { continue }
            if let words = try channel.exchange(.marker(marker), passive: false) {
                throw words.channelProblem(subject: queue.name)
            }
        }
    }

    private func sleep(nanoseconds: Int64) {
        var left = nanoseconds
        while left > 0, !isAbandoned() {
            let step = min(left, 100_000_000)
            var time = timespec(tv_sec: 0, tv_nsec: Int(step))
            nanosleep(&time, nil)
            left -= step
        }
    }
}

extension TopologyWork {
    /// What differs; changes nothing.
    func check() throws(LinkProblem) -> [TopologyDifference] {
        var found: [TopologyDifference] = []
        for exchange in plan.exchanges {
            if let words = try channel.exchange(exchange, passive: true) {
                found.append(try missing("exchange", exchange.name, words))
                continue
            }
            found += try differences(exchange) { (exchange) throws(LinkProblem) in
                try channel.exchange(exchange, passive: false)
            }
        }
        for queue in plan.queues { found += try check(queue) }
        try channel.close()
        return found
    }

    private func check(_ queue: TopologyPlan.Queue) throws(LinkProblem) -> [TopologyDifference] {
        let isMarked = try markerExists(of: queue)
        if let words = try channel.queue(queue, passive: true) {
            let line = try missing("queue", queue.name, words)
            guard isMarked else { return [line] }
            return [
                TopologyDifference(
                    object: line.object, name: line.name, argument: line.argument, have: "gone (its marker exists)",
                    want: line.want, mend: queue.goneProblem.mend)
            ]
        }
        let found = try differences(queue) { (queue) throws(LinkProblem) in try channel.queue(queue, passive: false) }
        guard let marker = queue.marker, !isMarked else { return found }
        return found + [
            TopologyDifference(
                object: "exchange", name: marker, argument: "existence", have: "missing", want: "present",
                mend: "declare the topology again")
        ]
    }

    private func missing(
        _ object: String, _ name: String, _ words: ServerWords
    ) throws(LinkProblem) -> TopologyDifference {
        guard words.code == 404 else { throw words.channelProblem(subject: name) }
        return TopologyDifference(
            object: object, name: name, argument: "existence", have: "missing", want: "present",
            mend: "declare the topology")
    }

    /// All that differs. What exists is declared as wanted, which makes nothing, it only compares; the broker names one
    /// argument at a time, so what it names is taken as it is and the rest compared again.
    private func differences<Object: Comparable406>(
        _ wanted: Object, _ declare: (Object) throws(LinkProblem) -> ServerWords?
    ) throws(LinkProblem) -> [TopologyDifference] {
        var object = wanted
        var found: [TopologyDifference] = []
        while found.count < 32, let words = try declare(object) {
            guard let mismatch = Mismatch.parse(words.text) else { throw words.channelProblem(subject: nil) }
            // Named again: it cannot be taken over, so what follows stays unseen.
            if found.contains(where: { $0.argument == mismatch.argument }) { break }
            found.append(
                TopologyDifference(
                    object: mismatch.object, name: mismatch.name, argument: mismatch.argument, have: mismatch.have,
                    want: mismatch.want, mend: mismatch.mend))
            object.take(mismatch)
        }
        return found
    }
}

extension TopologyPlan.Exchange {
    /// Nothing is ever published to a marker.
    static func marker(_ name: String) -> Self { Self(name, type: "fanout") }
}

extension TopologyPlan.Queue {
    var goneProblem: LinkProblem {
        LinkProblem(
            .queueGone(name), "queue \(name) was made before and is gone; made again in haste it could lose messages",
            mend: "restore the broker's data, or make it anew on purpose (topology declare --again)")
    }
}
