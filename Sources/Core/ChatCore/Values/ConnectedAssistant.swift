/// What a person can allow an assistant to do.
public enum AssistantScope: String, CaseIterable, Hashable, Sendable, Codable {
    /// Finds and reads what the person may read.
    case read
    /// Asks questions, which the server's language model answers and which become turns of the person.
    case ask
    /// Posts messages as the person.
    case write
}

/// A program that a person connected: it acts as the person, within the scopes that the person granted.
public struct ConnectedAssistant: Hashable, Sendable {
    /// The name that the program gave itself.
    public let name: String
    /// The SHA-256 of the id under which the program is registered.
    public let client: [UInt8]
    /// What the person allowed.
    public let scopes: Set<AssistantScope>

    public init(name: String, client: [UInt8], scopes: Set<AssistantScope>) {
        self.name = TextLimit.name.cut(name)
        self.client = client
        self.scopes = scopes
    }
}

extension Set<AssistantScope> {
    /// Reads words that are separated by spaces; unknown ones are left out.
    public init(words: String) {
        self.init(words.split(separator: " ").compactMap { AssistantScope(rawValue: String($0)) })
    }

    /// The scopes in the order of their definition.
    public var inOrder: [AssistantScope] { AssistantScope.allCases.filter(contains) }

    /// The words, separated by spaces and always in the same order.
    public var words: String { inOrder.map(\.rawValue).joined(separator: " ") }
}
