/// An object's metadata, in the order it was sent.
struct Metadata: Sendable, Equatable {
    private(set) var pairs: [FormFields.Field] = []

    /// The name under which chargeline stores its charge id.
    static let chargeID = "chargeline_id"

    init(_ pairs: [FormFields.Field] = []) {
        self.pairs = pairs.filter { !$0.value.isEmpty }
    }

    subscript(_ key: String) -> String? {
        pairs.first { $0.name == key }?.value
    }

    /// With other pairs laid over it: an empty value takes a key out.
    func merging(_ changes: [FormFields.Field]) -> Metadata {
        var merged = pairs
        for change in changes {
            if let known = merged.firstIndex(where: { $0.name == change.name }) {
                merged[known] = change
            } else {
                merged.append(change)
            }
        }
        return Metadata(merged)
    }
}
