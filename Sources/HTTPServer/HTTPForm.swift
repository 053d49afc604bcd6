/// The text format of queries and forms, application/x-www-form-urlencoded, and the percent encoding of paths.
public enum HTTPForm {
    /// The pairs of a form in order; nil when an escape is malformed or the text is not UTF-8. `+` is a space.
    public static func parse(_ bytes: some Collection<UInt8>) -> [HTTPField]? {
        var fields: [HTTPField] = []
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let value = equals.map { pair[pair.index(after: $0)...] }
            guard let name = decode(pair[..<(equals ?? pair.endIndex)], plusIsSpace: true),
                let text = value.map({ decode($0, plusIsSpace: true) }) ?? ""
            else { return nil }
            fields.append(HTTPField(name, text))
        }
        return fields
    }

    /// Takes the percent encoding off; nil when an escape is malformed or the result is not UTF-8.
    public static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            if byte == UInt8(ascii: "%") {
                guard let high = nibble(bytes, &index), let low = nibble(bytes, &index) else { return nil }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func nibble<Bytes: Collection<UInt8>>(_ bytes: Bytes, _ index: inout Bytes.Index) -> UInt8? {
        guard index != bytes.endIndex else { return nil }
        let byte = bytes[index]
        index = bytes.index(after: index)
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): return byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): return byte - UInt8(ascii: "A") + 10
        default: return nil
        }
    }
}

/// The request target as sent, taken apart.
struct HTTPTarget {
    /// As sent, before `?`, still percent-encoded; always begins with `/`, or is `*`.
    let rawPath: String
    /// As sent, after `?`.
    let rawQuery: String

    init(_ text: String) {
        var rest = Substring(text)
        if !rest.hasPrefix("/"), let scheme = rest.firstRange(of: "://") {
            // Absolute form (RFC 9112, 3.2.2): the authority is the Host header's business.
            let afterScheme = rest[scheme.upperBound...]
            rest = afterScheme.firstIndex(where: { $0 == "/" || $0 == "?" }).map { afterScheme[$0...] } ?? "/"
            if rest.hasPrefix("?") { rest = "/" + rest }
        }
        if let mark = rest.firstIndex(of: "?") {
            rawPath = String(rest[..<mark])
            rawQuery = String(rest[rest.index(after: mark)...])
        } else {
            rawPath = rest.startIndex == text.startIndex && rest.endIndex == text.endIndex ? text : String(rest)
            rawQuery = ""
        }
    }
}
