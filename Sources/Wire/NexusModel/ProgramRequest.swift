/// What a program asks a person for, and where the browser goes after the decision.
public struct ProgramRequest: Hashable, Sendable, Codable {
    /// The name that the program gave itself.
    public var name: String
    /// The host to which the browser returns.
    public var returnsTo: String
    /// Whether that is a program on the person's machine.
    public var isLocal: Bool
    /// What the program may do then: `read`, `ask`, `write`.
    public var scopes: [String]
    /// The address to go to; nil while the person has not decided.
    public var redirectTo: String?

    public init(name: String, returnsTo: String, isLocal: Bool, scopes: [String], redirectTo: String? = nil) {
        self.name = name
        self.returnsTo = returnsTo
        self.isLocal = isLocal
        self.scopes = scopes
        self.redirectTo = redirectTo
    }
}
