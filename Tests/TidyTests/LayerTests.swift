import Foundation
import Testing

/// A module imports only from lower layers (docs/architecture.md), and each C library has one module that may.
struct LayerTests {
    private static let layers: [[String]] = [
        ["JSONText", "CLinux", "CCrypto", "CRabbitMQ", "CLibCurl", "CMicroHTTPD"],
        ["EventLoop", "Charging", "Telemetry", "Settings"],
        ["Messaging", "HTTPClient", "HTTPServer"],
        ["StripeClient", "ChargeWire"],
        ["ChargeAPI", "ChargeWorker", "StripeSandbox", "Operator"],
        ["chargeline", "ChargelineClient"],
    ]
    private static let owners = [
        "CCrypto": ["Charging"], "CRabbitMQ": ["Messaging"], "CLibCurl": ["HTTPClient"], "CMicroHTTPD": ["HTTPServer"],
    ]
    private static let outside: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Swift", "_Concurrency",
    ]
    /// Where Foundation would cost: no path of a charge may load it.
    private static let withoutFoundation: Set<String> = [
        "JSONText", "EventLoop", "Charging", "Telemetry", "Settings", "Messaging", "HTTPClient", "HTTPServer",
        "StripeClient", "ChargeWire", "ChargeWorker", "ChargeAPI",
    ]

    private func imports(of file: SourceTree.File) -> [String] {
        file.lines.compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let at = words.firstIndex(of: "import"), at <= 2, words.count > at + 1, !line.hasPrefix("//"),
                words[..<at].allSatisfy({ $0.hasPrefix("@") || ["public", "internal", "package"].contains($0) })
            else { return nil }
            return words.count > at + 2 && words[at + 1] == "struct" ? words[at + 2] : words[at + 1]
        }
    }

    @Test func `every module has a layer`() {
        let known = Set(Self.layers.joined())
        #expect(!SourceTree.sources.isEmpty)
        for file in SourceTree.sources { #expect(known.contains(file.module), "\(file.path)") }
    }

    @Test func `imports go down`() {
        var layer: [String: Int] = [:]
        for (index, names) in Self.layers.enumerated() { for name in names { layer[name] = index } }
        for file in SourceTree.sources {
            for name in imports(of: file) where name != file.module && !Self.outside.contains(name) {
                guard let mine = layer[file.module], let theirs = layer[name] else {
                    Issue.record("\(file.path) imports \(name), which has no layer")
                    continue
                }
                #expect(theirs < mine, "\(file.path) imports \(name)")
            }
        }
    }

    @Test func `a C library has one module`() {
        for file in SourceTree.sources {
            for name in imports(of: file) {
                guard let owners = Self.owners[name] else { continue }
                #expect(owners.contains(file.module), "\(file.path) imports \(name)")
            }
        }
    }

    @Test func `the path of a charge does without Foundation`() {
        for file in SourceTree.sources where Self.withoutFoundation.contains(file.module) {
            for name in imports(of: file) { #expect(!name.hasPrefix("Foundation"), "\(file.path)") }
        }
    }

    @Test func `no module has a type of its own name`() throws {
        let modules = Set(Self.layers.joined())
        let declaration = try Regex(#"\b(struct|class|enum|actor|protocol)\s+([A-Za-z]+)\b"#)
        for file in SourceTree.sources {
            for line in file.lines where !line.contains("//") {
                for match in line.matches(of: declaration) {
                    let name = String(match.output[2].substring ?? "")
                    #expect(!modules.contains(name), "\(file.path): \(name)")
                }
            }
        }
    }
}
