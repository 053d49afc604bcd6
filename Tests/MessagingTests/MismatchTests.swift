import Testing

@testable import Messaging

struct MismatchTests {
    @Test(arguments: [
        (
            "PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue 'q' in vhost '/': received the value '5' "
                + "of type 'signedint' but current is the value '1000' of type 'signedint'",
            Mismatch(
                object: "queue", name: "q", argument: "x-message-ttl", have: "1000", want: "5", haveType: "signedint")
        ),
        (
            "PRECONDITION_FAILED - inequivalent arg 'x-expires' for queue 'a.b' in vhost 'v': received none but "
                + "current is the value '7' of type 'long'",
            Mismatch(object: "queue", name: "a.b", argument: "x-expires", have: "7", want: "none", haveType: "long")
        ),
        (
            "PRECONDITION_FAILED - inequivalent arg 'type' for exchange 'x' in vhost '/': received 'topic' but current "
                + "is 'direct'",
            Mismatch(object: "exchange", name: "x", argument: "type", have: "direct", want: "topic")
        ),
    ])
    func `RabbitMQ's sentence is taken apart`(text: String, mismatch: Mismatch) {
        #expect(Mismatch.parse(text) == mismatch)
        let problem = ServerWords(code: 406, text: text, classID: 50, methodID: 10).channelProblem(subject: "q")
        #expect(problem.kind == .mismatch(mismatch) && problem.isPermanent && !problem.mend.isEmpty)
    }

    @Test func `another sentence is none`() {
        for text in [
            "", "inequivalent arg '", "PRECONDITION_FAILED - unknown delivery tag 3", "inequivalent arg 'a' for x",
        ] {
            #expect(Mismatch.parse(text) == nil)
        }
    }

    @Test(arguments: [
        (403, LinkProblem.Kind.permission, true), (404, .missing("q"), false), (405, .locked, false),
        (406, .protocolError, false), (541, .queueFailed("q"), false), (504, .protocolError, false),
    ])
    func `a closed channel is understood`(code: Int, kind: LinkProblem.Kind, isPermanent: Bool) {
        let problem = ServerWords(code: code, text: "words", classID: 0, methodID: 0).channelProblem(subject: "q")
        #expect(problem.kind == kind && problem.isPermanent == isPermanent && problem.text.contains("words"))
    }

    @Test(arguments: [
        (320, LinkProblem.Kind.closedByBroker, false), (403, .credentials, true), (530, .vhost, true),
        (505, .protocolError, false),
    ])
    func `a closed connection is understood`(code: Int, kind: LinkProblem.Kind, isPermanent: Bool) {
        let problem = ServerWords(code: code, text: "words", classID: 0, methodID: 0).connectionProblem
        #expect(problem.kind == kind && problem.isPermanent == isPermanent && problem.text.contains("words"))
    }

    @Test func `waits double to five seconds, with jitter, and start anew after a lasting success`() {
        var backoff = Backoff()
        var waits: [Int64] = []
        for _ in 0..<8 { waits.append(backoff.next(now: 0, isPermanent: false, chance: 1) / 1_000_000) }
        #expect(waits == [100, 200, 400, 800, 1600, 3200, 5000, 5000])
        #expect(backoff.next(now: 0, isPermanent: false, chance: 0) == 2_500_000_000)
        backoff.succeeded(now: 0)
        #expect(backoff.next(now: 1_000_000_000, isPermanent: false, chance: 1) == 5_000_000_000)
        backoff.succeeded(now: 0)
        #expect(backoff.next(now: 10_000_000_000, isPermanent: false, chance: 1) == 100_000_000)
        #expect(backoff.next(now: 0, isPermanent: true, chance: 1) == 5_000_000_000)
    }
}
