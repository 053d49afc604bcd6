import Foundation

/// The package's own files, read as text.
enum SourceTree {
    /// One Swift file.
    struct File: Sendable, CustomStringConvertible {
        /// From the package's root: `Sources/Charging/Verdict.swift`.
        let path: String
        let lines: [String]
        var description: String { path }
        var module: String { String(path.split(separator: "/")[1]) }
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let sources = swiftFiles(under: "Sources")
    static let tests = swiftFiles(under: "Tests")

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func swiftFiles(under folder: String) -> [File] {
        let base = root.appendingPathComponent(folder).path
        guard let names = FileManager.default.enumerator(atPath: base) else { return [] }
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
            guard let text = try? String(contentsOfFile: "\(base)/\(name)", encoding: .utf8) else { return nil }
            return File(path: "\(folder)/\(name)", lines: text.components(separatedBy: "\n"))
        }
    }
}
