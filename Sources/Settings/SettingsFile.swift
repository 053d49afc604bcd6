internal import Glibc

/// Reads the small files in which secrets stand.
public enum SettingsFile {
    /// Why a file could not be read.
    public struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// The system's words, or ours.
        public let description: String
    }

    /// Most bytes that a secret's file may hold.
    public static let longest = 64 * 1024

    /// The file's text.
    ///
    /// - Throws: what the system says, or that it is too long or not UTF-8.
    public static func read(_ path: String) throws(Problem) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Problem(description: String(cString: strerror(errno))) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: longest + 1)
        var filled = 0
        while filled < bytes.count {
            let wanted = bytes.count - filled
            let count = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { Glibc.read(file, $0 + filled, wanted) } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Problem(description: String(cString: strerror(errno))) }
            if count == 0 { break }
            filled += count
        }
        guard filled <= longest else { throw Problem(description: "longer than \(longest) bytes") }
        guard let text = String(validating: bytes[..<filled], as: UTF8.self) else {
            throw Problem(description: "not UTF-8 text")
        }
        return text
    }
}
