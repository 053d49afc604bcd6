internal import CLinux
internal import Glibc

/// What the system knows of this process, under the names that Prometheus' clients agree on.
public struct ProcessFigures: Sendable, Equatable {
    /// Memory that is in RAM, in bytes.
    public var residentBytes: Double?
    /// Time on a processor, user and system, in seconds.
    public var cpuSeconds: Double?
    /// When it was started, seconds since 1970.
    public var startTime: Double?
    /// Open descriptors.
    public var openDescriptors: Double?
    /// The most that may be open.
    public var descriptorsMax: Double?

    /// Reads the figures of this process; one that cannot be read is left out.
    public static func now() -> ProcessFigures {
        var figures = ProcessFigures()
        figures.residentBytes = residentBytes(
            statm: text("/proc/self/statm"), pageSize: Double(sysconf(Int32(_SC_PAGESIZE))))
        figures.cpuSeconds = Double(cl_nanoseconds(CLOCK_PROCESS_CPUTIME_ID)) / 1e9
        figures.startTime = startTime(
            stat: text("/proc/self/stat"), system: text("/proc/stat"), ticks: Double(sysconf(Int32(_SC_CLK_TCK))))
        figures.openDescriptors = openDescriptors()
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            figures.descriptorsMax = Double(limit.rlim_cur)
        }
        return figures
    }

    /// The second field of proc(5)'s statm: resident pages.
    static func residentBytes(statm: String, pageSize: Double) -> Double? {
        let fields = statm.split(separator: " ")
        return fields.count > 1 ? Double(fields[1]).map { $0 * pageSize } : nil
    }

    /// Field 22 of proc(5)'s stat, ticks since boot, and `btime` of the system's: the instant of boot. The second field
    /// is the program's name in brackets and may hold anything, so fields are counted from the last bracket.
    static func startTime(stat: String, system: String, ticks: Double) -> Double? {
        guard let bracket = stat.lastIndex(of: ")"), ticks > 0 else { return nil }
        let fields = stat[bracket...].split(separator: " ")
        let boot = system.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
        guard fields.count > 20, let started = Double(fields[20]), let boot else { return nil }
        return boot + started / ticks
    }

    private static func openDescriptors() -> Double? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        // Not counted: `.`, `..`, and the descriptor with which the folder is read.
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return Double(count)
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 1 << 20 {
            let count = read(file, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func append(to text: inout MetricText) {
        func add(_ name: StaticString, _ help: StaticString, _ type: StaticString, _ value: Double?) {
            guard let value else { return }
            text.header(name, help, type)
            text.sample(name, [], value)
        }
        add("process_resident_memory_bytes", "Memory in RAM.", "gauge", residentBytes)
        add("process_cpu_seconds_total", "Time on a processor, user and system.", "counter", cpuSeconds)
        add("process_start_time_seconds", "Start, seconds since 1970.", "gauge", startTime)
        add("process_open_fds", "Open descriptors.", "gauge", openDescriptors)
        add("process_max_fds", "Most open descriptors.", "gauge", descriptorsMax)
    }
}
