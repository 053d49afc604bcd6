import EventLoop
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(8)))
struct CancelTests {
    @Test func whatWasSentMayHaveMovedMoneyAndWhatNeverBeganHasNot() async throws {
        let arrived = Probe<Int>()
        try await withServer(script: { request in
            arrived.send(request.index)
            return [.hang]
        }) { transfers, server in
            let outcomes = Outcomes()
            for index in 0..<3 { transfers.start(post(server.base + "/", "a=1")) { outcomes.add(index, $0) } }
            _ = try await arrived.next(3)
            transfers.start(post(server.base + "/", "a=1")) { outcomes.add(3, $0) }
            transfers.cancelAll("the clock jumped")
            #expect(outcomes.byIndex.count == 4)
            #expect(transfers.openCount == 0)
            for index in 0..<4 {
                let failure = try #require(try outcomes.byIndex[index]?.failure)
                #expect(failure.kind == .cancelled)
                #expect(failure.message == "the clock jumped")
                #expect(failure.mayHaveBeenSent == (index < 3))
            }
            #expect(server.requests.count == 3)
        }
    }

    @Test func nothingIsSentAfterwardsAndTheNextRequestsWork() async throws {
        try await withServer(script: { $0.text == "hang" ? [.hang] : [.reply(200, $0.text)] }) { transfers, server in
            for round in 0..<10 {
                let before = server.requests.count
                _ = try await transfers.perform(post(server.base + "/", "warm")).reply
                let outcomes = Outcomes()
                for index in 0..<5 { transfers.start(post(server.base + "/", "hang")) { outcomes.add(index, $0) } }
                transfers.cancelAll("round \(round)")
                #expect(outcomes.byIndex.count == 5)
                let reply = try await transfers.perform(post(server.base + "/", "after")).reply
                #expect(reply.status == 200)
                #expect(server.requests.dropFirst(before).map(\.text) == ["warm", "after"])
            }
        }
    }

    @Test func whatStillConnectsOrWaitsForAConnectionWasNotSent() async throws {
        let arrived = Probe<Int>()
        try await withServer(
            greeting: { number in
                arrived.send(number)
                return number == 0 ? [.hang] : []
            }, script: { _ in [.reply(200, "")] }
        ) { transfers, server in
            let outcomes = Outcomes()
            let secure = "https://127.0.0.1:\(server.port)/"
            for index in 0..<20 { transfers.start(post(secure, "a=1")) { outcomes.add(index, $0) } }
            _ = try await arrived.next()
            transfers.cancelAll("jump")
            let failures = try outcomes.byIndex.values.map { try $0.failure }
            #expect(failures.count == 20)
            #expect(failures.allSatisfy { $0.kind == .cancelled && !$0.mayHaveBeenSent })
            let reply = try await transfers.perform(post(server.base + "/", "a=1")).reply
            #expect(reply.status == 200)
        }
    }

    @Test func awaitersAreResumedByShutdownAndLaterRequestsFail() async throws {
        try await withServer(script: { _ in [.hang] }) { transfers, server in
            let outcomes = Outcomes()
            transfers.start(post(server.base + "/", "a=1")) { outcomes.add(0, $0) }
            transfers.shutdown()
            #expect(try outcomes.byIndex[0]?.failure.kind == .cancelled)
            let failure = try await transfers.perform(get(server.base + "/")).failure
            #expect(failure.kind == .cancelled)
            #expect(!failure.mayHaveBeenSent)
        }
    }

    @Test func aWaiterMayShutDownOrCancelFromItsCallback() async throws {
        try await withServer(script: { _ in [.reply(200, "")] }) { transfers, server in
            let outcomes = Outcomes()
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                for index in 0..<100 {
                    transfers.start(get(server.base + "/")) { outcome in
                        outcomes.add(index, outcome)
                        let isLast = outcomes.byIndex.count == 100
                        if outcomes.byIndex.count == 1 { transfers.shutdown() }
                        if isLast { continuation.resume() }
                    }
                }
            }
            #expect(outcomes.byIndex.count == 100)
        }
    }

    @Test func aChainOfCallbacksStartsTheNextFromTheLast() async throws {
        try await withServer(TransferSettings(atOnce: 1), script: { [.reply(200, $0.text)] }) { transfers, server in
            let chain = Chain(transfers: transfers, url: server.base + "/")
            #expect(await chain.run(500) == 500)
            #expect(server.connectionCount == 1)
        }
    }
}

/// Outcomes by number; used on one loop only.
final class Outcomes {
    private(set) var byIndex: [Int: TransferOutcome] = [:]
    func add(_ index: Int, _ outcome: TransferOutcome) { byIndex[index] = outcome }
}

private final class Chain {
    private let transfers: Transfers
    private let url: String
    private var done = 0

    init(transfers: Transfers, url: String) {
        self.transfers = transfers
        self.url = url
    }

    func run(_ count: Int) async -> Int {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in step(count, continuation) }
        return done
    }

    private func step(_ left: Int, _ continuation: UnsafeContinuation<Void, Never>) {
        guard left > 0 else { return continuation.resume() }
        transfers.start(post(url, "\(left)")) { [self] outcome in
            if case .reply = outcome { done += 1 }
            step(left - 1, continuation)
        }
    }
}
