/// The rows of a file, one by one, with no more of it in memory than a piece.
final class RowSource {
    private let file: RowFile
    private var reader: RowReader
    private var hasEnded = false
    /// Bytes read so far.
    private(set) var bytesRead = 0

    /// Starts at the beginning of the file.
    ///
    /// - Parameter format: nil finds it out.
    init(_ file: RowFile, format: RowFormat?, rules: RowRules) throws(RowFileProblem) {
        self.file = file
        file.rewind()
        let first = try file.read()
        self.format = format ?? RowFormat.of(name: file.name, beginning: first)
        reader = RowReader(format: self.format, rules: rules)
        take(first)
    }

    /// How the file is written.
    let format: RowFormat

    /// The next row; nil at the end.
    func next() throws(RowFileProblem) -> RowItem? {
        while true {
            if let item = reader.next() { return item }
            if hasEnded || reader.isBroken { return nil }
            take(try file.read())
        }
    }

    private func take(_ piece: [UInt8]) {
        bytesRead += piece.count
        if piece.isEmpty {
            hasEnded = true
            reader.finish()
        } else {
            reader.feed(piece)
        }
    }
}
