import Foundation
import TestSupport
import Testing

/// The batch tool from a file to its results; `OperatorTests` has the rest of it.
@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct SendAndTakeTests {
    private func file(_ text: String, _ name: String = "rows.csv") throws -> (path: String, folder: String) {
        let folder = try temporaryDirectory("send")
        try write(text, to: folder + "/" + name)
        return (folder + "/" + name, folder)
    }

    @Test func `a file is charged once, however often it is sent, and each result taken once`() async throws {
        let site = try await Site.start()
        let worker = try await site.worker()
        try await worker.untilReady()
        let rows = (1...60).map {
            "\($0 % 10 == 0 ? "tok_chargeDeclined" : "tok_visa"),\(1000 + $0),usd,Donation \($0)"
        }
        let (path, folder) = try file("token,amount,currency,description\n" + rows.joined(separator: "\n") + "\n")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for _ in 1...2 {
            let sent = try await site.run(
                ["send", path, "--batch", "gala", "--lane", "batch", "--wait-for", "60s", "--json"])
            #expect(sent.exit == .status(0), "\(sent.errors)")
            let summary = try #require(
                try JSONSerialization.jsonObject(with: Data(sent.output.utf8)) as? [String: Any])
            #expect(summary["sent"] as? Int == 60)
            let results = summary["results"] as? [String: Int] ?? [:]
            #expect(results["succeeded"] == 54)
            #expect(results["declined"] == 6)
            #expect(summary["without_an_end"] as? Int == 0)
            #expect(summary["watch_gaps"] as? Int == 0)
        }
        let charged = try await site.ledger().charged
        #expect(charged.count == 54)
        #expect(charged.values.allSatisfy { $0 == 1 })

        // Of each charge one result from each sending, with the same event id; two takers share them.
        let first = try await site.run(["results", "--take", "--json", "-n", "70"])
        let second = try await site.run(["results", "--take", "--json", "-n", "50"])
        let taken = try (first.output + "\n" + second.output).split(separator: "\n").map {
            try JSONDecoder().decode(TakenResult.self, from: Data($0.utf8))
        }
        #expect(taken.count == 120)
        let counts = taken.reduce(into: [String: Int]()) { $0[$1.event, default: 0] += 1 }
        #expect(counts.count == 60)
        #expect(counts.values.allSatisfy { $0 == 2 })
        #expect(await worker.end() == .status(0))
        await site.finish()
    }

    /// A full disk, or nothing at all where results are to be written, takes no result away and is told.
    @Test func `results that cannot be written stay`() async throws {
        let site = try await Site.start()
        let worker = try await site.worker()
        let (path, folder) = try file("id,token,amount,currency\nfull-1,tok_visa,500,usd\n")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try await site.run(["send", path, "--wait"]).exit == .status(0))
        let settings = ["AMQP_URL=\(site.broker)", "CHARGELINE_PREFIX=\(site.prefix)", Executable.path]
        let full = try await site.run(
            tool: "sh", ["-c", "exec env \"$@\" results --take -n 1 > /dev/full", "sh"] + settings)
        #expect(full.exit == .status(1))
        #expect(full.errors.contains("No space left on device"))
        // The broker's socket must not become standard error, nor be written a log.
        let closed = try await site.run(
            tool: "sh", ["-c", "exec env \"$@\" results --take -n 1 <&- 2>&-", "sh"] + settings)
        #expect(closed.exit == .status(0))
        #expect(closed.output.contains("full-1"))
        #expect(await worker.end() == .status(0))
        await site.finish()
    }

    @Test func `bad rows are listed, and nothing is sent`() async throws {
        let site = try await Site.start()
        let card = await site.keepSecret("4242424242424242")
        let (path, folder) = try file(
            """
            id,token,amount,currency,description,lane
            a-1,tok_visa,1000,usd,Tea,batch
            a-2,tok_visa,10.00,usd,Tea,batch
            a-3,\(card),1000,usd,Tea,batch
            a-4,tok_visa,1000,usd,Tea,bacth
            a-1,tok_visa,1000,usd,Tea,batch
            a-6,tok_visa,1000,"usd",Tea
            a-7,tok_visa,1000,xyz,"card \(card)",batch

            """)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for arguments in [["send", path, "--check"], ["send", path]] {
            let checked = try await site.run(arguments)
            #expect(checked.exit == .status(1))
            for start in [
                "line 3, amount: ", "line 4, token: ", "line 5, lane: ", "line 6, id: ", "line 7: ",
                "line 8, currency: ",
                "line 8, description: ",
            ] {
                let lines = checked.output.split(separator: "\n").filter { $0.hasPrefix(start) }
                #expect(lines.count == 1 && (lines.first?.count ?? 0) > start.count, "\(start) in\n\(checked.output)")
            }
        }
        // Not even declared: nobody was asked.
        #expect(try await site.run(["results", "--take", "-n", "1"]).exit == .status(2))
        await site.finish()
    }
}
