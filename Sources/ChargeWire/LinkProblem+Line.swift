public import Messaging

extension LinkProblem {
    /// The problem in one line for who can mend it, with the setting it lies in where it is one's.
    public var line: String {
        switch kind {
        case .credentials, .vhost, .tls, .invalid: "AMQP_URL: \(self)"
        case .unreachable, .silent, .cut, .closedByBroker, .permission, .mismatch, .missing, .queueGone, .locked,
            .queueFailed, .protocolError:
            description
        }
    }
}
