import Testing

@testable import StripeSandbox

@Suite struct FormTests {
    @Test(arguments: [
        ("a=1&b=2", [("a", "1"), ("b", "2")]),
        ("a[b]=v&a%5Bc%5D=w", [("a[b]", "v"), ("a[c]", "w")]),
        ("a[]=1&a[]=2&b[]=3", [("a[0]", "1"), ("a[1]", "2"), ("b[0]", "3")]),
        ("expand[0]=x&expand[1]=y", [("expand[0]", "x"), ("expand[1]", "y")]),
        ("a=1&a=2", [("a", "2")]),
        ("a", [("a", "")]),
        ("a=&&b=", [("a", ""), ("b", "")]),
        ("t=a%3Db%3Bc&n=%0A&s=a+b%20c", [("t", "a=b;c"), ("n", "\n"), ("s", "a b c")]),
        ("d=Caf%C3%A9+%E2%98%95+%26+50%25+off+%2B+tip", [("d", "Café ☕ & 50% off + tip")]),
        ("x=1=2", [("x", "1=2")]),
        ("", []),
    ])
    func `reads what Stripe reads`(_ text: String, _ wanted: [(String, String)]) throws {
        let form = try #require(FormParser.parse(Array(text.utf8)))
        #expect(form.fields.map(\.name) == wanted.map(\.0))
        #expect(form.fields.map(\.value) == wanted.map(\.1))
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "%f=1", "a=%ff", "a=%C3"])
    func `refuses what is no form`(_ text: String) {
        #expect(FormParser.parse(Array(text.utf8)) == nil)
    }

    @Test func `refuses a flood of fields`() {
        let text = (0..<FormParser.fieldsMax + 1).map { "a\($0)=" }.joined(separator: "&")
        #expect(FormParser.parse(Array(text.utf8)) == nil)
    }

    @Test func `same parameters in another order have the same print`() throws {
        func print(_ text: String) throws -> UInt64 { try #require(FormParser.parse(Array(text.utf8))).fingerprint }
        #expect(try print("a=1&b[c]=2") == print("b%5Bc%5D=2&a=1"))
        #expect(try print("a=1&b=2") != print("a=2&b=1"))
        #expect(try print("a[]=1&a[]=2") != print("a[]=2&a[]=1"))
        #expect(try print("a=1") != print("a=1&b="))
    }

    @Test func `lists and hashes are found by their parent`() throws {
        let form = try #require(FormParser.parse(Array("metadata[a]=1&metadata[b]=2&meta=3&expand[]=x".utf8)))
        #expect(form.members(of: "metadata").map(\.name) == ["a", "b"])
        #expect(form.list("expand") == ["x"])
        #expect(form.mentions("metadata") && !form.mentions("metadat") && form.mentions("meta"))
    }

    @Test(arguments: [("c2tfdGVzdF8xOg==", "sk_test_1:"), ("YQ", "a"), ("", "")])
    func `base64 is read`(_ text: String, _ wanted: String) throws {
        #expect(Base64.decode(text) == Array(wanted.utf8))
    }

    @Test func `what is no base64 is refused`() {
        #expect(Base64.decode("a b") == nil)
        #expect(Base64.decode("YQ==YQ") == nil)
    }

    @Test func `a key never shows itself`() throws {
        let key = try #require(APIKey.read(authorization: "Bearer sk_test_abcdefghijklmnop"))
        for text in ["\(key)", String(reflecting: key), "\(Mirror(reflecting: key).children.map { "\($0)" })"] {
            #expect(!text.contains("efghij") && text.contains("mnop"))
        }
        #expect(key == APIKey.read(authorization: "basic c2tfdGVzdF9hYmNkZWZnaGlqa2xtbm9wOg=="))
        #expect(APIKey.read(authorization: "Digest x") == nil)
        #expect(APIKey.read(authorization: "Basic Og==") == nil)
    }
}

@Suite struct ObjectIDTests {
    @Test func `an id gives its number back and no other id does`() throws {
        let ids = ObjectID(seed: 7)
        for kind in ObjectID.Kind.allCases {
            var seen: Set<String> = []
            for number in [0, 1, 2, 61, 62, 1_000, 999_999, 1 << 30] {
                let id = ids.text(kind, number)
                #expect(id.hasPrefix(kind.prefix) && id.utf8.count == kind.prefix.utf8.count + kind.length)
                #expect(ids.number(kind, id) == number)
                #expect(seen.insert(id).inserted)
                #expect(ids.number(kind, id.dropLast() + "?") == nil)
                #expect(ids.number(kind, id + "x") == nil)
                #expect(ObjectID(seed: 8).number(kind, id) == nil)
            }
        }
        #expect(ids.number(.charge, ids.text(.intent, 3)) == nil)
        #expect(ids.number(.charge, "ch_3zzzzzzzzzzzzzzzzzzzzzzz") == nil)
    }

    @Test func `the scramble turns back`() {
        var chance = Chance(seed: 3)
        for _ in 0..<1_000 {
            let value = chance.next()
            #expect(ObjectID.unmix(ObjectID.mix(value)) == value)
        }
    }
}
