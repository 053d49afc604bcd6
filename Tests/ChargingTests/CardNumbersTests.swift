import Testing

@testable import Charging

@Suite struct CardNumbersTests {
    /// Stripe's test cards, and one of each other network we look for.
    static let cards = [
        "4242424242424242", "4000056655665556", "5555555555554444", "2223003122003222", "5200828282828210",
        "5105105105105100", "378282246310005", "371449635398431", "6011111111111117", "6011000990139424",
        "3056930009020004", "36227206271667", "3566002020360505", "6200000000000005", "6205500000000000004",
        "4000000000000002", "4222222222222", "2200000000000004",
    ]

    @Test(arguments: cards)
    func `finds a card number however it is written`(card: String) {
        let digits = Array(card)
        func parted(by separator: String, _ sizes: [Int]) -> String {
            var parts: [String] = []
            var rest = digits[...]
            for size in sizes where !rest.isEmpty {
                parts.append(String(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            if !rest.isEmpty { parts.append(String(rest)) }
            return parts.joined(separator: separator)
        }
        let fours = parted(by: " ", [4, 4, 4, 4])
        let texts = [
            card, fours, "Visa \(fours).", parted(by: "-", [4, 4, 4, 4]), parted(by: ".", [4, 4, 4, 4]),
            parted(by: "\u{A0}", [4, 4, 4, 4]), parted(by: " - ", [4, 4, 4, 4]), parted(by: "–", [4, 4, 4, 4]),
            parted(by: " ", [4, 6, 5]), "card\(card)", "Order 77, card \(card), exp 12/34", "\(card)=2512",
            "(\(fours))",
            "tickets 12 \(fours) 12/30",
        ]
        for text in texts {
            #expect(CardNumbers.isPresent(in: text), "\(text)")
            let masked = String(decoding: CardNumbers.masked(Array(text.utf8)), as: UTF8.self)
            #expect(!CardNumbers.isPresent(in: masked))
            #expect(masked.utf8.count == text.utf8.count)
            #expect(!Scrubber.scrub(text).filter(\.isNumber).contains(card))
        }
    }

    @Test(arguments: [
        "", "1001", "4242424242424241", "1700000000000", "2026-01-02T03:04:05.678Z", "2026-01-02 03:04:05",
        "+49 30 123456 78", "9999999999999999", "0000000000000000", "12345678901234567890", "1234567812345678",
        "123e4567-e89b-12d3-a456-426614174000", "42424242-4242-4242-4242-424242424242",
        "00000000-0000-4000-8000-000000000000",
        "ab4242424242424242cd", "f4242424242424242", "4242424242424242ab", "4242,4242,4242,4242", "4242 4242 4242 424",
        "order 4242 4242 / 4242 4242", "1.7976931348623157", "4006381333931", "ISBN 978-3-16-148410-0",
    ])
    func `lets other numbers pass`(text: String) {
        #expect(!CardNumbers.isPresent(in: text))
        #expect(Scrubber.scrub(text) == text)
    }

    @Test func `a hash in a hundred thousand is no card`() {
        let taken = (0..<50_000).filter { CardNumbers.isPresent(in: Digest.sha256Hex(Array("\($0)".utf8), digits: 64)) }
        #expect(taken.isEmpty)
    }

    @Test func `a kept body loses the digits of the card and its security code, nothing else`() {
        let body = """
            {"id":"a-1","number":"4242 4242 4242 4242","cvc":"123","card":{"cvv" : 9876, "exp_month":12},"amount":1999}
            """
        let masked = String(decoding: CardNumbers.masked(Array(body.utf8)), as: UTF8.self)
        #expect(
            masked == """
                {"id":"a-1","number":"**** **** **** ****","cvc":"***","card":{"cvv" : ****, "exp_month":12},"amount":1999}
                """)
        let form = String(decoding: CardNumbers.masked(Array("card[cvc]=123&amount=1999".utf8)), as: UTF8.self)
        #expect(form == "card[cvc]=***&amount=1999")
    }

    @Test func `a body of a megabyte of digits takes no long time`() {
        let digits = [UInt8](repeating: UInt8(ascii: "4"), count: 1 << 20)
        #expect(CardNumbers.ranges(in: digits).isEmpty)
        let parted = Array(repeating: Array("4242 ".utf8), count: 100_000).flatMap(\.self)
        #expect(!CardNumbers.ranges(in: parted).isEmpty)
    }
}
