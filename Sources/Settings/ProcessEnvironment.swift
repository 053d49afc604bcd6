internal import CLinux

/// The environment of this process.
public enum ProcessEnvironment {
    /// Every variable, read once at start: nothing of ours changes it. Names without `=` are left out.
    public static func all() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = cl_environment()
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return variables
    }
}
