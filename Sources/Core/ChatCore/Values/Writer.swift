/// A person who was identified.
public struct IdentifiedPerson: Hashable, Sendable {
    /// The longest name that is used, in characters and in bytes.
    private static let nameLimit = (characters: 256, bytes: 1_024)

    /// The person's id.
    public let id: UserID
    /// The person's name; nil if it is unknown or cannot be used.
    public let name: String?

    /// A name that is empty, too long or contains control characters is dropped.
    public init(id: UserID, name: String? = nil) {
        self.id = id
        let name = name?.trimmingWhitespace()
        let isUsable = name.map { name in
            !name.isEmpty && name.utf8.count <= Self.nameLimit.bytes && name.count <= Self.nameLimit.characters
                && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        self.name = isUsable == true ? name : nil
    }
}

/// The party that writes, with the users for whom it may write.
public enum Writer: Equatable, Sendable {
    /// A person, who writes only for himself or herself, in conversations that this person may see.
    case person(IdentifiedPerson)
    /// An unidentified caller, who writes for anybody, in conversations that this user may see.
    case trusted(UserID)
    /// A server, which writes for anybody, anywhere; this user is the default author.
    case server(defaultUser: UserID?)
}

extension Writer {
    /// Whether something by `user` may be written, changed or deleted.
    public func mayWrite(for user: UserID) -> Bool {
        if case .person(let person) = self { return person.id == user }
        return true
    }

    /// Whether it may change or delete a message.
    ///
    /// A message that the application or a program wrote in a person's name is not the person's own.
    public func mayChange(_ message: Message) -> Bool {
        guard mayWrite(for: message.senderID) else { return false }
        if case .person = self { return message.kind == .text }
        return true
    }

    /// Whether it may only write; replies report only the outcome of its writes.
    public var isWriteOnly: Bool {
        if case .server = self { true } else { false }
    }

    /// The user whose reading rights count; nil for a server, which writes in every conversation.
    public var reader: UserID? {
        switch self {
        case .person(let person): person.id
        case .trusted(let user): user
        case .server: nil
        }
    }

    /// The user for whom it writes, and the author of content that names none; nil if that is unknown.
    public var user: UserID? {
        switch self {
        case .person(let person): person.id
        case .trusted(let user): user
        case .server(let user): user
        }
    }
}

/// A reason why somebody may not do something.
public enum PermissionError: Error, Equatable, Sendable {
    /// It belongs to another user.
    case notOwn
    /// A person sends in another user's name.
    case foreignSender
    /// The permissions do not let people add others.
    case addingForbidden
    /// Only keys with the role ingest may create conversations that everybody reads.
    case openingForbidden
    /// A person leaves himself or herself out of a new conversation.
    case creatorMissing
}
