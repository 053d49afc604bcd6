internal import Operator
internal import Settings

extension Commands {
    static let topologyDeclare = Command(
        "topology declare", "Make the exchanges, queues and bindings that are missing",
        options: [Option("again", "also make a queue anew that was there once and is gone"), Command.json],
        details: [
            """
            Roles do this when they start. A queue that is gone is not made anew without --again: restore the broker's
            data first, if there is any.
            """
        ],
        examples: [("chargeline topology declare", "before the first start, by a user with more rights")])

    static let topologyCheck = Command(
        "topology check", "Say what differs from how exchanges and queues should be", options: [Command.json],
        details: ["Changes nothing. Ends with 1 where anything differs; each line says what mends it."],
        examples: [("chargeline topology check", "after an upgrade of the broker")])

    static let doctor = Command(
        "doctor", "Check the broker, the topology, the key, Stripe and the clock", options: [Command.json],
        details: [
            "Each line is ok or a problem with its mend. Ends with 1 for a problem, 3 where it cannot reach one."
        ],
        examples: [("chargeline doctor", "with the settings of a worker")])

    static let config = Command(
        "config", "Print every setting, masked, and where it came from", operands: "[ROLE]", operandCount: 0...1,
        options: [Command.json],
        details: [
            "With a role (api, worker, sandbox) it prints that role's defaults. Ends with 2 for a wrong setting."
        ],
        examples: [("chargeline config worker", "the settings of a worker started here")])

    static let healthcheck = Command(
        "healthcheck", "Ask a role on this machine whether it is ready", operands: "[ROLE]", operandCount: 0...1,
        details: [
            "Asks /readyz of the admin listener. Ends with 0 for ready, 1 for not ready, 3 where nobody answers."
        ],
        examples: [
            ("chargeline healthcheck worker", "as a container's health check"),
            ("chargeline healthcheck --admin-listen 127.0.0.1:9999", "of a role at another place"),
        ])

    static let version = Command(
        "version", "Print the version, and the libraries' versions", options: [Command.json], role: nil,
        examples: [("chargeline version --json", "for a report of a fault")])
}
