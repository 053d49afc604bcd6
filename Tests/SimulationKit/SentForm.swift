import Charging

/// What Stripe reads out of the bytes that a visit sent; the simulation knows no other way to tell what was asked.
struct SentForm {
    var amount: Int64 = 0
    var currency = ""
    var token: String?
    var customer: String?
    var confirms = false
    var captures = true
    var chargelineID: String?
    var print: String?

    /// Reads a form; parameters that decide nothing here are passed over.
    init(_ bytes: [UInt8], flow: Flow) {
        confirms = flow == .charges
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                var equals = start
                while equals < bytes.count, bytes[equals] != UInt8(ascii: "=") { equals += 1 }
                var end = equals
                while end < bytes.count, bytes[end] != UInt8(ascii: "&") { end += 1 }
                take(
                    UnsafeRawBufferPointer(rebasing: bytes[start..<equals]),
                    UnsafeRawBufferPointer(rebasing: bytes[min(equals + 1, end)..<end]))
                start = end + 1
            }
        }
    }

    /// Whether a form may move money: `confirm` stands at its head, if at all.
    static func confirms(_ bytes: [UInt8], _ flow: Flow) -> Bool {
        guard flow == .paymentIntents else { return true }
        return bytes.withUnsafeBufferPointer { bytes in
            let name: StaticString = "&confirm=true&"
            let sought = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            for start in 0..<max(0, min(60, bytes.count - sought.count)) where bytes[start] == sought[0] {
                if bytes[start..<start + sought.count].elementsEqual(sought) { return true }
            }
            return false
        }
    }

    private mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        func isNamed(_ text: StaticString) -> Bool {
            name.count == text.utf8CodeUnitCount
                && name.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        // None of these holds a byte that a form escapes.
        func text() -> String { String(decoding: value, as: UTF8.self) }
        switch name.first {
        case UInt8(ascii: "a"):
            if isNamed("amount") { amount = Int64(text()) ?? 0 }
        case UInt8(ascii: "c"):
            if isNamed("currency") {
                currency = text()
            } else if isNamed("confirm") {
                confirms = text() == "true"
            } else if isNamed("customer") {
                customer = text()
            } else if isNamed("capture") {
                captures = text() == "true"
            } else if isNamed("capture_method") {
                captures = text() == "automatic"
            }
        case UInt8(ascii: "m"):
            if isNamed("metadata[chargeline_id]") {
                chargelineID = text()
            } else if isNamed("metadata[chargeline_print]") {
                print = text()
            }
        case UInt8(ascii: "p"):
            if isNamed("payment_method") || isNamed("payment_method_data[card][token]") { token = text() }
        case UInt8(ascii: "s"):
            if isNamed("source") { token = text() }
        default: break
        }
    }
}
