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

    /// Reads a reply; nil when it is not JSON or has no list of vectors, such as an error, or Ollama's empty reply.
    ///
    /// A vector is read as numbers or as base64 of little-endian 32-bit floats, because some servers ignore the
    /// requested form.
    init?(_ data: Data) {
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
                    guard let item = Self.item(from: &scanner, expecting: items.last?.vector.count ?? 0) else {
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

    private static func item(from scanner: inout JSONScanner, expecting count: Int) -> Item? {
        var index: Int?
        var vector: [Float]?
        let isObject = scanner.object { scanner, key in
            if key.elementsEqual("index".utf8) {
                index = scanner.integer()
                return index != nil
            }
            guard key.elementsEqual("embedding".utf8) else { return scanner.value() != nil }
            vector = scanner.next() == 0x22 ? base64(from: &scanner) : numbers(from: &scanner, expecting: count)
            return vector != nil
        }
        guard isObject, let index, let vector else { return nil }
        return Item(index: index, vector: vector)
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

    private static func base64(from scanner: inout JSONScanner) -> [Float]? {
        guard let text = scanner.string() else { return nil }
        guard text.contains(0x5C) else { return Base64Floats.floats(text) }
        // Some servers write "/" and "+" with an escape.
        let quoted = [0x22] + Array(text) + [0x22]
        guard var plain = try? JSONDecoder().decode(String.self, from: Data(quoted)) else { return nil }
        return plain.withUTF8 { Base64Floats.floats($0) }
    }
}

/// The body of a request for embeddings; nil fields are not sent.
struct EmbeddingsRequestBody: Encodable {
    let model: String
    let input: [String]
    let encodingFormat: String
    let dimensions: Int?
    let inputType: String?

    private enum CodingKeys: String, CodingKey {
        case model, input, dimensions
        case inputType = "input_type"
        case encodingFormat = "encoding_format"
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
