internal import Operator
internal import Settings

extension Commands {
    static let parkedList = Command(
        "parked list", "List what a person must look at, by reason",
        options: [Option("limit", value: "COUNT", "look at the oldest so many (1000)"), Command.json],
        details: ["It takes nothing out of the queue: what it looked at goes back as it was."],
        examples: [("chargeline parked list", "the oldest thousand")])

    static let parkedShow = Command(
        "parked show", "Show a parked message: its reason, headers and body", operands: "ID", operandCount: 1...1,
        options: [Option("limit", value: "COUNT", "search the oldest so many (10000)"), Command.json],
        details: ["Tokens and card numbers are masked. It takes nothing out of the queue."],
        examples: [("chargeline parked show order-1001", "why that charge is parked")])

    static let parkedRetry = Command(
        "parked retry", "Take parked messages back to work", operands: "[ID…]", operandCount: 0...100_000,
        options: [
            Option("reason", value: "REASON", "all that are parked for this reason"),
            Option("all", "all that are parked"),
            Option("dry-run", "ask Stripe about each, say what would become of it, and change nothing"),
            Option("to-lane", value: "LANE", "to this lane, and not to the one they came by"),
            Option("rate", value: "COUNT", "no more than so many in a second"),
            Command.json,
        ],
        details: [
            """
            Charges go back to their lanes with all that is known of them, so that no rule on their age is lost: what
            may have been sent a day ago is looked up and never sent again. Results that their consumer rejected go back
            to the results as they were. Each is confirmed there before it is taken out here: to kill it, and to run it
            again, is safe at any time. What is not meant stays where it is.
            """,
            """
            What no worker could do better than before is refused with the reason: an unreadable body, a card number
            that was taken out, two payments at Stripe. Ends with 1 where anything was refused or not found.
            """,
        ],
        examples: [
            ("chargeline parked retry --all --dry-run", "a verdict on each charge, by what Stripe has of it"),
            ("chargeline parked retry order-1001 order-1002", "two charges"),
            ("chargeline parked retry --reason operator --rate 50", "once the key is mended, not all at once"),
            ("chargeline parked retry --reason unknown-lane --to-lane batch", "what was published for no lane"),
        ])

    static let parkedDiscard = Command(
        "parked discard", "Take parked messages out for good, with a record of who and why", operands: "[ID…]",
        operandCount: 0...100_000,
        options: [
            Option("reason", value: "REASON", "all that are parked for this reason"),
            Option("why", value: "TEXT", "why, for the record"),
            Option("who", value: "NAME", "who decided it, for the record ($USER)"),
            Option("not-charged", "say not_charged to the buyer's side: no money moved and none will"),
            Option("yes", "do not ask"),
            Option("json", "write each record as a line of JSON"),
        ],
        details: [
            """
            A record is published to the results, type charge.discarded, and confirmed before the message is taken out:
            who, why, when, what its headers say, its body with tokens and card numbers masked.
            """,
            """
            With --not-charged Stripe is asked first: it is refused where Stripe knows the charge, and where Stripe does
            not answer. That Stripe shows nothing proves nothing: you say it, and chargeline repeats it.
            """,
        ],
        examples: [
            ("chargeline parked discard order-1001 --why 'refunded by hand, ticket 812'", "one message, after asking"),
            ("chargeline parked discard order-1002 --why 'buyer paid in cash' --not-charged --yes", "as not charged"),
            ("chargeline parked discard --reason unreadable --why 'a test of the new shop' --yes", "all of a reason"),
        ])
}
