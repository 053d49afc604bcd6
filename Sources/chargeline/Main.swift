internal import Glibc

/// The one program; what it does is in `Program`.
@main
struct Main {
    static func main() {
        exit(Program.run(Array(CommandLine.arguments.dropFirst())))
    }
}
