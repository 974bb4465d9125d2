/// A field of a request that breaks a rule.
struct FieldError: Error, Equatable {
    /// Where it is, as `messages[2].text`; empty for the body as a whole.
    let field: String
    /// Which rule, as the rest of a sentence: "must be a string".
    let reason: String

    init(_ path: FieldPath, _ reason: String) {
        field = path.description
        self.reason = reason
    }
}

/// Where a value stands in a request.
struct FieldPath: Equatable, CustomStringConvertible {
    /// The longest part of a key that an error repeats.
    private static let keyLimit = 64

    let description: String

    init(_ description: String = "") {
        self.description = description
    }

    subscript(key: String) -> FieldPath {
        let key = String(key.prefix(Self.keyLimit))
        return FieldPath(description.isEmpty ? key : "\(description).\(key)")
    }

    subscript(index: Int) -> FieldPath { FieldPath("\(description)[\(index)]") }
}
