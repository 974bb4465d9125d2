/// An id of a `Subject` that was given outside: compared byte by byte, never parsed.
///
/// The type parameter prevents the use of a message's id as the id of a conversation.
public struct Identifier<Subject>: Hashable, Sendable, RawRepresentable {
    /// The longest id that is accepted, in UTF-8 bytes.
    public static var byteLimit: Int { 256 }

    /// The id as it was given.
    public let rawValue: String

    /// Wraps a valid id: one of our own, or one from the store.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Validates an id from outside; nil when it is empty, longer than ``byteLimit`` or contains a control character.
    public init?(validating text: String) {
        let isPrintable = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard !text.isEmpty, text.utf8.count <= Self.byteLimit, isPrintable else { return nil }
        self.rawValue = text
    }
}

extension Identifier {
    /// Compares the UTF-8 bytes.
    ///
    /// Two spellings of "é" are two ids, here as in the database. `String` would treat them as equal, and a permission
    /// for one would apply to the other.
    public static func == (left: Identifier, right: Identifier) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Feeds the UTF-8 bytes.
    public func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Identifier: Comparable {
    /// Orders ids by their UTF-8 bytes, as SQLite's BINARY collation does.
    public static func < (left: Identifier, right: Identifier) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }
}

extension Identifier: ExpressibleByStringLiteral {
    /// Wraps a literal; for tests and defaults.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }
}

extension Identifier: CustomStringConvertible {
    /// The id as it was given.
    public var description: String { rawValue }
}

extension Identifier: Codable {
    /// Reads the id from a bare string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let identifier = Identifier(validating: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "an id has 1 to \(Self.byteLimit) bytes and no control characters")
        }
        self = identifier
    }

    /// Writes the id as a bare string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// The id of a conversation, unique in a data folder.
public typealias ConversationID = Identifier<Conversation>
/// The id of a message, unique within its conversation only: see ``MessageKey``.
public typealias MessageID = Identifier<Message>
/// The id of a person or bot in the chat application.
public typealias UserID = Identifier<Member>
/// The id of one question with its answer.
public typealias TurnID = Identifier<Turn>

/// A number that the store assigns to one `Subject`: growing, never assigned twice, meaningless elsewhere.
///
/// It is not a row id: a store may keep it in any way that fulfils this.
public struct StoreNumber<Subject>: Hashable, Comparable, Sendable, RawRepresentable, Codable {
    /// The number; 1 is the first, 0 comes before all.
    public let rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Orders numbers by the time of their assignment.
    public static func < (left: StoreNumber, right: StoreNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Counts the changes of a data folder; indexes and feeds follow it.
public typealias ChangeNumber = StoreNumber<Change>
/// The number of an embedding generation.
public typealias GenerationNumber = StoreNumber<EmbeddingGeneration>
/// The number of a passage; an edited text gets new passages with new numbers.
public typealias PassageNumber = StoreNumber<Passage>
/// A short key of a message; grows in the order of arrival.
public typealias MessageNumber = StoreNumber<Message>
/// A short key of a conversation, used for the groups of the indexes.
public typealias ConversationNumber = StoreNumber<Conversation>
