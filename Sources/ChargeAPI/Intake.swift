internal import Charging

/// Turns a request's body into a charge with its id: the rules of "The id" in the contract, which are frozen.
struct Intake {
    /// Whose limits hold for descriptions and tokens.
    let flow: Flow
    /// The first is the default.
    let lanes: [String]
    /// Whether charge ids begin with their caller's.
    let callersAreMany: Bool

    /// Reads and checks a body.
    ///
    /// - Parameters:
    ///   - contentType: the header, as it came.
    ///   - key: the text of `Idempotency-Key`.
    ///   - generator: makes the id of a charge that brings nothing to make it from.
    /// - Throws: the problem to answer with.
    func read(
        _ body: [UInt8], contentType: String?, key: String?, caller: Caller,
        using generator: inout some RandomNumberGenerator
    ) throws(Problem) -> ChargeRequest {
        var draft: ChargeDraft
        switch RequestHeaders.body(contentType: contentType) {
        case .json: draft = ChargeDraft(json: body, flow: flow)
        case .form: draft = ChargeDraft(form: body, flow: flow)
        case nil:
            throw Problem(
                .mediaType,
                "Content-Type must be application/json or application/x-www-form-urlencoded")
        }
        // An id made by chance says nothing to a caller whose charge is not taken.
        let saysID = draft.namesID || key != nil || draft.token?.isOneTime == true
        if !draft.namesID { draft.id = derivedID(draft, key, caller, &generator) }
        do {
            if callersAreMany, let id = draft.id { draft.id = try scoped(id.text, caller) }
            return try draft.finish()
        } catch let fault as ChargeRequestProblems {
            throw Problem(ChargeRequestProblems(id: saysID ? fault.id : nil, problems: fault.problems))
        } catch let problem as FieldProblem {
            throw Problem(ChargeRequestProblems(id: nil, problems: [problem]))
        } catch {
            throw Problem(.invalidBody, "the body cannot be read")
        }
    }

    /// The charge that a caller means by the id in a path: in full, or without its own name before it.
    func candidates(for text: String, caller: Caller) -> [ChargeID] {
        guard callersAreMany else { return [text].compactMap { try? ChargeID(validating: $0) } }
        let full = text.hasPrefix(caller.id + ":") ? try? ChargeID(validating: text) : nil
        return [full, try? scoped(text, caller)].compactMap { $0 }
    }

    /// The lane named, or the default; nil for one that is not configured.
    func lane(named name: String?) -> String? {
        guard let name else { return lanes.first }
        return lanes.first { $0 == name }
    }

    private func derivedID(
        _ draft: ChargeDraft, _ key: String?, _ caller: Caller, _ generator: inout some RandomNumberGenerator
    ) -> ChargeID {
        if let key { return DerivedID.fromIdempotencyKey(caller: caller.id, key: key) }
        if let token = draft.token, token.isOneTime {
            return DerivedID.fromOneTimeToken(caller: caller.id, token: token)
        }
        return DerivedID.random(using: &generator)
    }

    private func scoped(_ id: String, _ caller: Caller) throws(FieldProblem) -> ChargeID {
        try ChargeID(validating: caller.id + ":" + id)
    }
}

/// The system's generator. It has a size, because the thread sanitizer crashes on the address of a value that has none,
/// such as `SystemRandomNumberGenerator`.
struct SystemChance: RandomNumberGenerator {
    private let filler: UInt8 = 0

    mutating func next() -> UInt64 { UInt64.random(in: .min ... .max) }
}
