internal import CLinux
internal import Glibc

/// A file of charges that is read twice: once to check every row, once to send. What cannot be read twice (standard
/// input, a pipe) is first copied to a file without a name, which only this process can open and which goes with it.
final class RowFile: Sendable {
    /// How it is called in messages.
    let name: String
    /// How many bytes it has.
    let size: Int
    private let descriptor: Int32
    private let stamp: Stamp

    /// What would change with the file's content.
    private struct Stamp: Equatable, Sendable {
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private static let piece = 64 * 1024

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: what the system says.
    init(path: String, environment: [String: String]) throws(RowFileProblem) {
        name = path == "-" ? "standard input" : path
        let opened = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw RowFileProblem(name: name, reason: Self.reason()) }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            let reason = Self.reason()
            if opened > 0 { close(opened) }
            throw RowFileProblem(name: name, reason: reason)
        }
        switch status.st_mode & Glibc.S_IFMT {
        // Standard input may have been read in part: what is left is copied, not begun anew.
        case Glibc.S_IFREG where opened > 0:
            descriptor = opened
        case Glibc.S_IFDIR:
            if opened > 0 { close(opened) }
            throw RowFileProblem(name: name, reason: "it is a folder")
        default:
            defer { if opened > 0 { close(opened) } }
            descriptor = try Self.spool(opened, name: name, environment: environment)
            fstat(descriptor, &status)
        }
        size = Int(status.st_size)
        stamp = Self.stamp(status)
        rewind()
    }

    deinit {
        if descriptor > 0 { close(descriptor) }
    }

    /// Goes back to the start.
    func rewind() {
        lseek(descriptor, 0, SEEK_SET)
    }

    /// The next bytes; empty at the end.
    ///
    /// - Throws: what the system says.
    func read() throws(RowFileProblem) -> [UInt8] {
        try Self.read(descriptor, name: name)
    }

    /// Whether it is still the file that was opened first, by its size and time.
    var isUnchanged: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && Self.stamp(status) == stamp
    }

    private static func stamp(_ status: stat) -> Stamp {
        Stamp(
            size: Int(status.st_size), seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec))
    }

    private static func reason() -> String { String(cString: strerror(errno)) }

    private static func read(_ descriptor: Int32, name: String) throws(RowFileProblem) -> [UInt8] {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: piece) { buffer, filled in
                count = Glibc.read(descriptor, buffer.baseAddress, piece)
                filled = max(0, count)
            }
            if count >= 0 { return bytes }
            guard errno == EINTR else { throw RowFileProblem(name: name, reason: reason()) }
        }
    }

    private static func spool(
        _ source: Int32, name: String, environment: [String: String]
    ) throws(RowFileProblem) -> Int32 {
        let folder = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(folder)/chargeline-XXXXXX".utf8CString)
        // Mode 600, and without a name at once: it holds tokens.
        let copy = mkstemp(&template)
        guard copy >= 0 else { throw RowFileProblem(name: "a temporary file in \(folder)", reason: reason()) }
        _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
        unlink(template)
        do throws(RowFileProblem) {
            while true {
                let bytes = try read(source, name: name)
                if bytes.isEmpty { return copy }
                guard Console.write(bytes, to: copy) else {
                    throw RowFileProblem(name: "a temporary file in \(folder)", reason: reason())
                }
            }
        } catch {
            close(copy)
            throw error
        }
    }
}

/// Why a file could not be read.
struct RowFileProblem: Error, CustomStringConvertible {
    let name: String
    let reason: String

    var description: String { "cannot read \(name): \(reason)" }
}
