import Foundation
import TestSupport
import Testing

/// A charge by a program that is not ours, and its answer on a queue of that program's.
@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct PlainClientTests {
    @Test func `published and read by amqp-tools`() async throws {
        let site = try await Site.start()
        let worker = try await site.worker()
        try await worker.untilReady()
        let reply = "\(site.prefix)-reply"
        let made = try await site.run(tool: "amqp-declare-queue", ["-u", site.broker, "-q", reply])
        try #require(made.exit == .status(0), "\(made.errors)")
        let body = #"{"id":"plain-1","token":"tok_visa","amount":500,"currency":"usd","description":"By AMQP"}"#
        let sent = try await site.run(
            tool: "amqp-publish",
            [
                "-u", site.broker, "-e", "\(site.prefix).charges", "-r", "checkout", "-C", "application/json", "-p",
                "-t", reply, "-b", body,
            ])
        try #require(sent.exit == .status(0), "\(sent.errors)")
        let taken = try await site.run(tool: "amqp-consume", ["-u", site.broker, "-q", reply, "-c", "1", "cat"])
        try #require(taken.exit == .status(0), "\(taken.errors)")
        let answer = try JSONDecoder().decode(TakenResult.self, from: Data(taken.output.utf8))
        #expect(answer.id == "plain-1")
        #expect(answer.status == "succeeded")
        #expect(answer.final)
        #expect(answer.amount == 500)
        // The durable one is there too, under the same event id.
        let taker = try await ResultsTaker(site)
        #expect(try await taker.first("plain-1").event == answer.event)
        #expect(try await site.ledger().charged == ["plain-1": 1])
        _ = try await site.run(tool: "amqp-delete-queue", ["-u", site.broker, "-q", reply])
        #expect(await worker.end() == .status(0))
        await site.finish()
    }
}
