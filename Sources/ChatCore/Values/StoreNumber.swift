/// A number that the store hands out for one `Subject`: growing, never given twice, meaningless elsewhere.
///
/// It is not a row id: a store may keep it in any way that keeps this promise.
public struct StoreNumber<Subject>: Hashable, Comparable, Sendable, RawRepresentable, Codable {
    /// The number; 1 is the first, 0 stands before all.
    public let rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Orders numbers by when they were given.
    public static func < (left: StoreNumber, right: StoreNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Counts the changes of a data folder; what the indexes and every feed follow.
public typealias ChangeNumber = StoreNumber<Change>
/// Names an embedding generation.
public typealias GenerationNumber = StoreNumber<EmbeddingGeneration>
/// Names a passage; an edited text gets new passages with new numbers.
public typealias PassageNumber = StoreNumber<Passage>
/// Names a message where a short key is wanted; grows in the order of arrival.
public typealias MessageNumber = StoreNumber<Message>
/// Names a conversation where a short key is wanted, as in the indexes' groups.
public typealias ConversationNumber = StoreNumber<Conversation>
