internal import Operator
internal import Settings
internal import StripeSandbox

/// The commands as the command line and its help know them.
enum Commands {
    typealias Option = Command.Option

    static let api = Command(
        "api", "Take charges over HTTP, and answer with their results", role: .api,
        details: [
            """
            POST /v1/charges and POST /charge take a charge, GET /v1/charges/ID tells its state, GET /openapi.json all
            of it. A charge is accepted (202) once the broker has confirmed it. Run as many as you like, behind any
            load balancer. TERM or INT answers who waits, then ends with 0; HUP reads the secrets' files again.
            """
        ],
        examples: [
            ("chargeline api", "on 127.0.0.1:8080, for this machine only"),
            ("CHARGELINE_API_KEYS_FILE=/run/secrets/keys chargeline api --listen 0.0.0.0:8080", "for others, by key"),
        ])

    static let worker = Command(
        "worker", "Carry charges from the queues to Stripe, and publish their results", role: .worker,
        details: [
            """
            Run as many as you like: they share the queues. It stays up while the broker or Stripe is away, and ends
            with 2 when only a person can mend what is wrong. TERM or INT drains: what is held is finished or given
            back, then it ends with 0; a second one ends it at once. HUP reads the secrets' files again.
            """
        ],
        examples: [
            ("STRIPE_SECRET_KEY_FILE=/run/secrets/stripe chargeline worker", "charges at Stripe"),
            ("chargeline worker --in-flight 400 --stripe-rate 100", "with more charges at once"),
        ])

    static let sandbox = Command(
        "sandbox", "Be a local Stripe that keeps state and breaks on demand",
        options: SandboxFlags.help.map { flag, meaning in
            let words = flag.split(separator: " ", maxSplits: 1).map(String.init)
            return Option(String(words[0].dropFirst(2)), value: words.count > 1 ? words[1] : nil, meaning)
        },
        role: .sandbox,
        details: [
            """
            It listens on this machine only and moves no money. Its ledger is at /_sandbox/ledger, and as a page at /.
            Any key that begins with sk_test_ is taken.
            """
        ],
        examples: [
            ("chargeline sandbox", "at http://127.0.0.1:12110"),
            ("chargeline sandbox --latency 80ms-120ms --break status_503=5%", "slow, and failing now and then"),
        ])

    static let send = Command(
        "send", "Check a file of charges and publish them", operands: "FILE|-", operandCount: 1...1,
        options: [
            Option("check", "only check every row, and send nothing"),
            Option("batch", value: "NAME", "ids of rows without one: NAME-<line>; a second run is the same charges"),
            Option("lane", value: "LANE", "the lane of rows that name none"),
            Option("format", value: "csv|jsonl", "how the file is written, where its name does not tell"),
            Option("wait", "wait until every charge has its result, and count them"),
            Option("wait-for", value: "TIME", "as --wait, but no longer than this after the last was sent"),
            Command.json,
        ],
        details: [
            """
            A CSV file names its columns in the first row, in any order: id, token, amount (minor units: 1999 for
            19.99 usd), currency, description, lane, metadata.<key>, receipt_email, customer,
            statement_descriptor_suffix, capture, off_session, stripe_account, not_after. A JSON Lines file has one
            charge on each line, as on the wire, and may name a lane.
            """,
            """
            Every row is checked before anything is sent; with a bad row nothing is. Each charge is confirmed by the
            broker. To send a file again is safe: the same id is the same charge, and moves money once.
            """,
            """
            Ends with 1 for bad rows, and with --wait where a charge was parked, refused or has no result yet.
            Declined charges are no problem of sending.
            """,
        ],
        examples: [
            ("chargeline send donations.csv --check", "checks every row and sends nothing"),
            ("chargeline send donations.csv --batch gala-2026 --lane batch --wait", "sends, and counts the results"),
            ("export-charges | chargeline send - --format jsonl", "takes the charges from another program"),
        ])

    static let results = Command(
        "results", "Show results as they come, or take them from their queue",
        options: [
            Option("take", "take them from the durable queue: each is acked once its line is written"),
            Option("count", short: "n", value: "COUNT", "end after so many"),
            Option("json", "write each result as a line of JSON"),
        ],
        details: [
            """
            Without --take it watches a copy and disturbs nobody. With --take it does what the service does that tells
            the buyer: what it has taken is gone from the queue.
            """
        ],
        examples: [
            ("chargeline results", "watches until Ctrl-C"),
            ("chargeline results --take -n 100 --json > results.jsonl", "takes a hundred"),
        ])
}
