internal import Glibc

/// The folder that holds Package.swift.
public let repositoryRoot: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    // Tests/TestSupport/Places.swift
    parts.removeLast(3)
    return parts.joined(separator: "/")
}()

/// Makes a folder of its own for a test, mode 700, under TMPDIR or /tmp.
public func temporaryDirectory(_ purpose: String) throws -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/chargeline-\(purpose)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw PlaceFailure(description: "cannot make a folder in \(base)") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Writes a small text file.
public func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw PlaceFailure(description: "cannot write \(path)") }
    defer { fclose(file) }
    fputs(text, file)
}

/// A file or folder could not be made.
public struct PlaceFailure: Error, CustomStringConvertible {
    /// Which, and why.
    public let description: String
}
