/// Reads CSV as RFC 4180 has it, from bytes that come in pieces: CRLF or LF, quoted fields with doubled quotes and
/// line breaks in them, a byte order mark before the first record. Lines with nothing in them are passed over.
///
/// What RFC 4180 leaves open is refused, not guessed at, because the rows move money: a quote inside an unquoted
/// field, text behind a closing quote, a bare carriage return. Reading goes on at the next line.
struct CSVReader: Sendable {
    /// The longest record, in bytes: where a quote was left open the rest of the file is not gathered up.
    static let recordLimit = 256 * 1024

    private enum State {
        case fieldStart, plain, quoted
        /// Behind a quote in a quoted field: its end, or the first of two.
        case quote
        /// Behind a carriage return outside quotes.
        case carriageReturn
        /// Passing over the rest of a line whose problem is noted.
        case broken
        case ended
    }

    private var state = State.fieldStart
    private var line = 1
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var startLine = 1
    /// Whether the record has a quoted field: then it is no empty line.
    private var hasQuotes = false
    /// How many bytes of the byte order mark were met.
    private var mark = 0
    private var isAtStart = true
    private var ready: [CSVItem] = []
    private var taken = 0

    private static let quoteMark = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriage = UInt8(ascii: "\r")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Takes the next piece of the file.
    mutating func feed(_ piece: some Sequence<UInt8>) {
        for byte in piece {
            if isAtStart { begin(byte) } else { take(byte) }
        }
    }

    /// Says that the file has ended.
    mutating func finish() {
        if isAtStart {
            isAtStart = false
            for known in Self.byteOrderMark[..<mark] { take(known) }
        }
        switch state {
        case .quoted:
            fail("the quote that opens this field is never closed", at: startLine, fatal: true)
        case .fieldStart, .plain, .quote:
            if !bytes.isEmpty || !ends.isEmpty || hasQuotes { endRecord() }
        case .carriageReturn: strayReturn()
        case .broken, .ended: break
        }
        state = .ended
    }

    /// The next record or problem, once it is complete.
    mutating func next() -> CSVItem? {
        guard taken < ready.count else {
            ready.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return ready[taken - 1]
    }

    /// The first bytes: a byte order mark may stand there.
    private mutating func begin(_ byte: UInt8) {
        if byte == Self.byteOrderMark[mark] {
            mark += 1
            isAtStart = mark < Self.byteOrderMark.count
            return
        }
        isAtStart = false
        if mark == 0, byte == 0xFF || byte == 0xFE {
            return fail("the file is not UTF-8 (it seems to be UTF-16): save it as UTF-8", at: 1, fatal: true)
        }
        for known in Self.byteOrderMark[..<mark] { take(known) }
        take(byte)
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .fieldStart:
            if byte == Self.quoteMark {
                state = .quoted
                hasQuotes = true
            } else {
                state = .plain
                takePlain(byte)
            }
        case .plain: takePlain(byte)
        case .quoted:
            if byte == Self.quoteMark { state = .quote } else { keep(byte) }
        case .quote:
            if byte == Self.quoteMark {
                state = .quoted
                keep(byte)
            } else if byte == Self.comma || byte == Self.lineFeed || byte == Self.carriage {
                takePlain(byte)
            } else {
                fail("text stands behind a closing quote: double a quote that belongs to the text", byte: byte)
            }
        case .carriageReturn:
            if byte == Self.lineFeed { endLine() } else { strayReturn(byte) }
        case .broken:
            if byte == Self.lineFeed {
                line += 1
                startRecord()
            }
        case .ended: break
        }
    }

    private mutating func takePlain(_ byte: UInt8) {
        switch byte {
        case Self.comma:
            guard bytes.count + ends.count < Self.recordLimit else { return failAsTooLong() }
            ends.append(bytes.count)
            state = .fieldStart
        case Self.lineFeed: endLine()
        case Self.carriage: state = .carriageReturn
        case Self.quoteMark:
            fail("a quote stands inside a field that does not begin with one: quote the whole field", byte: byte)
        default: keep(byte)
        }
    }

    private mutating func keep(_ byte: UInt8) {
        if byte == Self.lineFeed { line += 1 }
        guard bytes.count + ends.count < Self.recordLimit else { return failAsTooLong() }
        bytes.append(byte)
    }

    private mutating func endLine() {
        // A line of nothing is no record.
        if !bytes.isEmpty || !ends.isEmpty || hasQuotes { endRecord() }
        line += 1
        startRecord()
    }

    private mutating func endRecord() {
        ends.append(bytes.count)
        ready.append(.record(CSVRecord(line: startLine, bytes: bytes, ends: ends)))
    }

    private mutating func startRecord() {
        state = .fieldStart
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        hasQuotes = false
        startLine = line
    }

    private mutating func failAsTooLong() {
        let why = state == .quoted ? ": is a quote left open?" : ""
        fail("a record is longer than 256 KiB\(why)", at: startLine, fatal: true)
    }

    private mutating func strayReturn(_ byte: UInt8? = nil) {
        fail("a carriage return stands alone: save the file with line ends of CRLF or LF", byte: byte)
    }

    /// Notes a problem of the record that is being read, and what is to be passed over; `byte` is the one that showed
    /// it.
    private mutating func fail(_ message: String, at place: Int? = nil, byte: UInt8? = nil, fatal: Bool = false) {
        let problem = CSVProblem(line: place ?? line, field: ends.count + 1, message: message, isFatal: fatal)
        ready.append(.problem(problem))
        state = fatal ? .ended : .broken
        if !fatal, let byte, byte == Self.lineFeed { take(byte) }
    }
}
