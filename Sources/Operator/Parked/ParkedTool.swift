internal import EventLoop
internal import JSONText
internal import Messaging
internal import Settings

/// `chargeline parked list` and `chargeline parked show`: what a person must look at. Neither settles anything.
public enum ParkedTool {
    /// Lists what is parked, by reason.
    public static func list(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        run(invocation, context, limit: 1000) { look in
            let listing = ParkedListing(look)
            if invocation.wantsJSON {
                context.console.write(listing.json)
                context.console.print("")
            } else {
                for line in listing.lines(now: LoopClock.wall()) { context.console.print(line) }
            }
            return .done
        }
    }

    /// Shows all of one message: why it is parked, its headers, its body with secrets masked.
    public static func show(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        let id = invocation.operands.first ?? ""
        return run(invocation, context, limit: 10_000) { look in
            let found = look.messages.filter { $0.id == id }
            guard !found.isEmpty else {
                let among = look.messages.count < look.depth ? "the oldest \(look.messages.count) of " : ""
                context.console.complain("\(Shown.word(id)) is not among \(among)\(look.depth) parked messages")
                return .problem
            }
            for (index, message) in found.enumerated() {
                if invocation.wantsJSON {
                    context.console.write(ParkedView(message).json)
                    context.console.print("")
                } else {
                    if index > 0 { context.console.print("") }
                    for line in ParkedView(message).lines { context.console.print(line) }
                }
            }
            return .done
        }
    }

    private static func run(
        _ invocation: Invocation, _ context: ToolContext, limit standard: Int,
        _ body: (ParkedReader.Look) -> ToolExit
    ) -> Int32 {
        guard let settings = context.settings(invocation) else { return ToolExit.usage.rawValue }
        let limit: Int
        do {
            limit = try invocation.count("limit", in: 1...ParkedReader.most) ?? standard
        } catch {
            return context.refuse(error)
        }
        guard let access = context.access(settings) else { return ToolExit.usage.rawValue }
        let outcome = MainRoom.run { room -> Result<ParkedReader.Look, LinkProblem> in
            do throws(LinkProblem) {
                return .success(try await ParkedReader(loop: room.loop, access: access).look(limit: limit))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let look): return body(look).rawValue
        case .failure(let problem):
            context.console.complain("\(problem)")
            return problem.exit.rawValue
        }
    }
}
