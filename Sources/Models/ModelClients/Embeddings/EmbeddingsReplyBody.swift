import ChatCore
import Foundation

/// The body of a reply with embeddings.
struct EmbeddingsReplyBody {
    /// The vectors, in the order of the reply.
    private(set) var items: [Item] = []
    /// The tokens as counted by the service; nil if there is no sensible number.
    private(set) var tokenCount: Int?

    /// One vector and the place of its text in the request.
    struct Item {
        var index: Int
        var vector: [Float]
    }

    private let numbers: OutputType.Numbers
    private let dimensions: Int?

    /// Reads a reply; nil when it is not JSON or has no list of vectors, such as an error, or Ollama's empty reply.
    ///
    /// A vector is read as numbers or as base64 of little-endian 32-bit floats, because some servers ignore the
    /// requested form; also as an object of vectors by their type.
    ///
    /// - Parameters:
    ///   - data: The reply.
    ///   - numbers: The numbers that were asked for.
    ///   - dimensions: The components that a vector should have; nil if that is not known.
    init?(_ data: Data, numbers: OutputType.Numbers = .float, dimensions: Int? = nil) {
        (self.numbers, self.dimensions) = (numbers, dimensions)
        let isRead = data.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes.bindMemory(to: UInt8.self))
            return read(from: &scanner) && scanner.isAtEnd()
        }
        guard isRead else { return nil }
    }

    private mutating func read(from scanner: inout JSONScanner) -> Bool {
        var hasVectors = false
        let isObject = scanner.object { scanner, key in
            switch key {
            case _ where key.elementsEqual("data".utf8):
                hasVectors = true
                items = []
                return scanner.array { scanner in
                    guard let item = item(from: &scanner, expecting: items.last?.vector.count ?? 0) else {
                        return false
                    }
                    items.append(item)
                    return true
                }
            case _ where key.elementsEqual("usage".utf8):
                guard let value = scanner.value() else { return false }
                tokenCount = ServiceUsage(try? JSONDecoder().decode(JSONValue.self, from: Data(value))).promptTokens
                return true
            default: return scanner.value() != nil
            }
        }
        return isObject && hasVectors
    }

    private func item(from scanner: inout JSONScanner, expecting count: Int) -> Item? {
        var index: Int?
        var vector: [Float]?
        let isObject = scanner.object { scanner, key in
            if key.elementsEqual("index".utf8) {
                index = scanner.integer()
                return index != nil
            }
            guard key.elementsEqual("embedding".utf8) else { return scanner.value() != nil }
            vector = vectorOrObject(from: &scanner, expecting: count)
            return vector != nil
        }
        guard isObject, let index, let vector else { return nil }
        return Item(index: index, vector: vector)
    }

    /// Reads a vector, or that of the requested type, else the first, of an object.
    private func vectorOrObject(from scanner: inout JSONScanner, expecting count: Int) -> [Float]? {
        guard scanner.next() == 0x7B else { return vector(from: &scanner, expecting: count) }
        var found: [Float]?
        let isObject = scanner.object { scanner, key in
            let isWanted = key.elementsEqual(numbers.rawValue.utf8)
            guard found == nil || isWanted else { return scanner.value() != nil }
            found = vector(from: &scanner, expecting: count)
            return found != nil
        }
        return isObject ? found : nil
    }

    private func vector(from scanner: inout JSONScanner, expecting count: Int) -> [Float]? {
        guard scanner.next() == 0x22 else {
            return Self.numbers(from: &scanner, expecting: count).map {
                numbers.components(of: $0, dimensions: dimensions)
            }
        }
        guard numbers != .float else { return Self.base64(from: &scanner, Base64Floats.floats) }
        return Self.base64(from: &scanner, Base64Floats.bytes).map {
            numbers.components(of: $0, dimensions: dimensions)
        }
    }

    private static func numbers(from scanner: inout JSONScanner, expecting count: Int) -> [Float]? {
        var vector: [Float] = []
        vector.reserveCapacity(count)
        let isRead = scanner.array { scanner in
            guard let number = scanner.float() else { return false }
            vector.append(number)
            return true
        }
        return isRead ? vector : nil
    }

    private static func base64<Value>(
        from scanner: inout JSONScanner, _ decode: (UnsafeBufferPointer<UInt8>) -> [Value]?
    ) -> [Value]? {
        guard let text = scanner.string() else { return nil }
        guard text.contains(0x5C) else { return decode(text) }
        // Some servers write "/" and "+" with an escape.
        let quoted = [0x22] + Array(text) + [0x22]
        guard var plain = try? JSONDecoder().decode(String.self, from: Data(quoted)) else { return nil }
        return plain.withUTF8 { decode($0) }
    }
}

/// The body of a request for embeddings; nil fields are not sent.
struct EmbeddingsRequestBody: Encodable {
    let model: String
    let input: [String]
    let usesBase64: Bool
    let dimensions: Int?
    /// What the texts are for, and the field that says so.
    let purpose: (field: String, word: String)?
    let outputType: OutputType?

    private struct Field: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        try container.encode(model, forKey: Field("model"))
        try container.encode(input, forKey: Field("input"))
        let isOwnForm = outputType?.field == .outputDtype
        // OpenAI's default is floats; services with another field refuse theirs, or ignore it.
        if usesBase64 || outputType == nil {
            try container.encode(usesBase64 ? "base64" : "float", forKey: Field("encoding_format"))
        }
        try container.encodeIfPresent(dimensions, forKey: Field(isOwnForm ? "output_dimension" : "dimensions"))
        if let purpose { try container.encode(purpose.word, forKey: Field(purpose.field)) }
        guard let outputType else { return }
        let (name, numbers) = (Field(outputType.field.rawValue), outputType.numbers.rawValue)
        if outputType.field == .embeddingTypes {
            try container.encode([numbers], forKey: name)
        } else {
            try container.encode(numbers, forKey: name)
        }
    }
}

/// The `usage` of a reply: missing and wrong numbers are nil.
struct ServiceUsage: Equatable {
    let promptTokens: Int?
    let completionTokens: Int?

    init(_ value: JSONValue?) {
        promptTokens = value?["prompt_tokens"]?.count
        completionTokens = value?["completion_tokens"]?.count
    }
}
