/// What the broker says when it closes a channel or a connection.
struct ServerWords: Equatable {
    let code: Int
    let text: String
    /// The method it objects to, class and id.
    let classID: UInt16
    let methodID: UInt16

    /// What it means, when a channel was closed.
    ///
    /// - Parameter subject: the queue that the channel works on, for the text.
    func channelProblem(subject: String?) -> LinkProblem {
        let what = subject.map { "queue \($0): " } ?? ""
        switch code {
        case 403 where text.contains("exclusive"):
            return LinkProblem(.locked, "\(what)\(text)")
        case 403:
            return LinkProblem(
                .permission, "\(what)\(text)",
                mend: "give the user the right: rabbitmqctl set_permissions -p VHOST USER CONFIGURE WRITE READ")
        case 404:
            return LinkProblem(.missing(subject ?? ""), "\(what)\(text)")
        case 405:
            return LinkProblem(.locked, "\(what)\(text)")
        case 406:
            if let mismatch = Mismatch.parse(text) { return mismatch.problem }
            return LinkProblem(.protocolError, "\(what)\(text)")
        case 541:
            return LinkProblem(.queueFailed(subject ?? ""), "\(what)\(text)", mend: Self.queueMend)
        default:
            return LinkProblem(.protocolError, "\(what)\(code) \(text)")
        }
    }

    /// What it means, when the connection was closed.
    var connectionProblem: LinkProblem {
        switch code {
        case 320:
            return LinkProblem(.closedByBroker, text)
        case 403:
            return LinkProblem(
                .credentials, "the broker refuses the user or password: \(text)",
                mend: "check the user and password in the broker's URL")
        case 530:
            return LinkProblem(
                .vhost, text,
                mend: "check the virtual host in the broker's URL (/%2F is the default one) and the user's rights in it"
            )
        case 541:
            return LinkProblem(.queueFailed(""), text, mend: Self.queueMend)
        default:
            return LinkProblem(.protocolError, "\(code) \(text)")
        }
    }

    /// RabbitMQ 3.10.8's young or remade quorum queues (their index is lost at a crash) fail in this way.
    static let queueMend =
        "if it persists, a quorum queue may have lost its index in a crash: restart the broker, then see its log"
}

extension Mismatch {
    /// The mismatch as a problem that no retry mends.
    var problem: LinkProblem {
        LinkProblem(
            .mismatch(self),
            "\(object) \(name) exists with another \(argument): have \(have), want \(want)", mend: mend)
    }

    /// The two ways out.
    var mend: String {
        let delete =
            object == "queue"
            ? "drain it, then rabbitmqctl delete_queue \(name)"
            : "delete the exchange \(name)"
        return "use another name (another prefix), or \(delete) and declare again"
    }
}
