/// A decoder without data: it notes the fields that a type asks for, and gives each a sample.
///
/// Every optional field is there, and lists are empty.
struct RecordingDecoder: Decoder {
    /// The fields that a type asked for, in its order.
    final class Fields {
        /// Their names and types, and whether they may be missing.
        var all: [(name: String, type: any Decodable.Type, isOptional: Bool)] = []
        /// The fields of which it asked first whether they are null.
        fileprivate var maybe: Set<String> = []
        /// The text of the field `type`; nil for the usual sample.
        let word: String?

        init(word: String? = nil) {
            self.word = word
        }
    }

    /// A sample of each plain type; the text is a position of the feed too.
    private static let samples: [any Sendable] = ["0-0", 0, Int64(0), 0.0, false]

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let fields: Fields

    /// Returns an instance of a type, and the fields that it asked for.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - word: The text of its field `type`, if it reads other fields for each.
    /// - Returns: The instance, and the fields in its order.
    /// - Throws: The error of the type.
    static func record<Value: Decodable>(
        _ type: Value.Type, ofType word: String? = nil
    ) throws -> (value: Value, fields: Fields) {
        let fields = Fields(word: word)
        return (try Value(from: RecordingDecoder(fields: fields)), fields)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(fields: fields))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { EmptyList() }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single() }

    /// Returns a sample of a type; of a closed set of words, the first.
    fileprivate static func sample<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let plain = samples.lazy.compactMap({ $0 as? Value }).first { return plain }
        if let words = type as? any CaseIterable.Type, let word = first(of: words) as? Value { return word }
        return try record(type).value
    }

    private static func first<Words: CaseIterable>(of words: Words.Type) -> Any? { words.allCases.first }
}

extension RecordingDecoder {
    /// An object, of which each field is noted.
    fileprivate struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let fields: Fields
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        func contains(_ key: Key) -> Bool { true }

        func decodeNil(forKey key: Key) -> Bool {
            fields.maybe.insert(key.stringValue)
            return false
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            fields.all.append((key.stringValue, type, fields.maybe.contains(key.stringValue)))
            if key.stringValue == "type", let word = fields.word as? Value { return word }
            return try sample(type)
        }

        func nestedContainer<Other: CodingKey>(
            keyedBy _: Other.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Other> { KeyedDecodingContainer(Keyed<Other>(fields: Fields())) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { EmptyList() }
        func superDecoder() -> any Decoder { RecordingDecoder(fields: Fields()) }
        func superDecoder(forKey key: Key) -> any Decoder { superDecoder() }
    }

    /// A value that is no object.
    fileprivate struct Single: SingleValueDecodingContainer {
        let codingPath: [any CodingKey] = []

        func decodeNil() -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try sample(type) }
    }

    /// A list without elements.
    fileprivate struct EmptyList: UnkeyedDecodingContainer {
        /// Nothing can be read of an empty list.
        private struct End: Error {}

        let codingPath: [any CodingKey] = []
        let count: Int? = 0
        let isAtEnd = true
        let currentIndex = 0

        func decodeNil() throws -> Bool { throw End() }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw End() }
        func nestedContainer<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> { throw End() }
        func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw End() }
        func superDecoder() throws -> any Decoder { throw End() }
    }
}
