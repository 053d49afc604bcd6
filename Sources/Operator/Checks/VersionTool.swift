internal import JSONText

/// `chargeline version`: what this is, and with what it was made.
public enum VersionTool {
    /// Prints it.
    ///
    /// - Parameter libraries: the C libraries by name, as they are loaded.
    public static func run(
        _ invocation: Invocation, _ context: ToolContext, libraries: [(name: String, version: String)]
    ) -> Int32 {
        if invocation.wantsJSON {
            var writer = JSONWriter()
            writer.beginObject()
            writer.field("chargeline", context.version)
            writer.field("swift", swift)
            writer.name("libraries")
            writer.beginObject()
            for library in libraries {
                writer.name(string: library.name)
                writer.value(library.version)
            }
            writer.endObject()
            writer.endObject()
            context.console.write(writer.finish())
            context.console.print("")
        } else {
            context.console.print("chargeline \(context.version)")
            for line in [("swift", swift)] + libraries { context.console.print("  \(line.0) \(line.1)") }
        }
        return ToolExit.done.rawValue
    }

    /// The compiler's version, as far as a program can tell it.
    private static var swift: String {
        #if compiler(>=6.5)
            "6.5 or newer"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
