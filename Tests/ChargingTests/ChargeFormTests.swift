import Foundation
import Testing

@testable import Charging

@Suite struct ChargeFormTests {
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: golden.path)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: golden.appending(path: name)))
    }

    @Test func `there are golden files`() {
        #expect(Self.names.count >= 16)
    }

    // The forms were written by another program (Python's quote_plus and hashlib). They may never change: a charge in
    // flight during an upgrade is sent again by the new version, and Stripe refuses other bytes under the same key.
    // Another spelling is a new encoding.
    @Test(arguments: names, Flow.allCases)
    func `the form is byte for byte the golden one`(name: String, flow: Flow) throws {
        let request = try ChargeRequest(json: Self.bytes("\(name).json"), flow: .paymentIntents)
        let form = ChargeForm(request, flow: flow, encoding: 1)
        let expected = String(decoding: try Self.bytes("\(name).\(flow.rawValue).form"), as: UTF8.self)
        #expect(String(decoding: form.bytes, as: UTF8.self) == expected)
        #expect(expected.hasSuffix("&metadata[chargeline_print]=\(form.print)"))
        var prints = ChargePrints(of: request)
        let isKnown = prints.contain(form.print)
        #expect(isKnown)

        // A retry reads the canonical body again, in another process.
        let again = try ChargeRequest(json: request.json(), flow: .paymentIntents)
        #expect(ChargeForm.encode(again, flow: flow) == form.bytes)
    }

    @Test(arguments: [
        ("Café ☕ & 50% off + tip", "Caf%C3%A9+%E2%98%95+%26+50%25+off+%2B+tip"), ("日本語", "%E6%97%A5%E6%9C%AC%E8%AA%9E"),
        ("a=b;c", "a%3Db%3Bc"), ("\n", "%0A"), ("az AZ 09 ._-~", "az+AZ+09+._-~"), ("[]", "%5B%5D"),
    ])
    func `text is escaped as Stripe's libraries do`(text: String, escaped: String) {
        var writer = FormWriter(reserving: 16)
        writer.add("d", text)
        writer.add("m", key: text, "1")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "d=\(escaped)&m[\(escaped)]=1")
    }

    @Test func `the print tells another charge under the same id, and only that`() throws {
        let request = try ChargeRequest(json: ChargeBodies.json(["metadata": #"{"b":"1","a":"2"}"#]), flow: .charges)
        let same = try ChargeRequest(
            json: ChargeBodies.json(["metadata": #"{"a":"2","b":"1"}"#, "x_n": "1"]), flow: .charges)
        #expect(ChargeForm(request, flow: .charges).print == ChargeForm(same, flow: .charges).print)
        var prints: Set<String> = []
        for change in [
            ["amount": "2000"], ["currency": "\"eur\""], ["token": "\"tok_visa\""], ["description": "\"d\""],
            ["capture": "false"],
            ["customer": "\"cus_1\""], ["receipt_email": "\"a@b.de\""], ["statement_descriptor_suffix": "\"A\""],
            ["metadata": #"{"a":"2"}"#], ["metadata": #"{"a":"2","b":"2"}"#], ["id": "\"a-2\""],
        ] as [KeyValuePairs<String, String?>] {
            let other = try ChargeRequest(json: ChargeBodies.json(change), flow: .charges)
            prints.formUnion(Flow.allCases.map { ChargeForm(other, flow: $0).print })
        }
        #expect(prints.count == 22)
        var own = ChargePrints(of: request)
        let isOwn = prints.contains { own.contain($0) }
        #expect(!isOwn)
    }

    @Test func `only the encoding of this build is known`() {
        #expect(ChargeForm.knows(encoding: ChargeForm.currentEncoding))
        #expect(!ChargeForm.knows(encoding: 2) && !ChargeForm.knows(encoding: 0))
    }
}
