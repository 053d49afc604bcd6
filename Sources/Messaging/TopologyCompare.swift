/// What RabbitMQ compares when it is declared again, and names with 406 where it differs.
protocol Comparable406 {
    /// Becomes like the existing one in what the broker named.
    mutating func take(_ mismatch: Mismatch)
}

extension TopologyPlan.Queue: Comparable406 {
    mutating func take(_ mismatch: Mismatch) {
        switch mismatch.argument {
        case "durable": isDurable = mismatch.have == "true"
        case "exclusive": isExclusive = mismatch.have == "true"
        case "auto_delete": isAutoDelete = mismatch.have == "true"
        default: arguments.take(mismatch)
        }
    }
}

extension TopologyPlan.Exchange: Comparable406 {
    mutating func take(_ mismatch: Mismatch) {
        if mismatch.argument == "type" { type = mismatch.have } else { arguments.take(mismatch) }
    }
}

extension [MessageHeader] {
    fileprivate mutating func take(_ mismatch: Mismatch) {
        removeAll { $0.name == mismatch.argument }
        if mismatch.have == "none" { return }
        switch mismatch.haveType {
        case "bool": append(MessageHeader(mismatch.argument, .bool(mismatch.have == "true")))
        case "longstr", "": append(MessageHeader(mismatch.argument, .text(mismatch.have)))
        default:
            if let number = Int64(mismatch.have) { append(MessageHeader(mismatch.argument, .int(number))) }
        }
    }
}
