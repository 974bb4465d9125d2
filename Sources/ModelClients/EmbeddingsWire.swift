import ChatCore
import Foundation

/// The body of a request for embeddings; what is nil is not sent.
struct EmbeddingsRequestBody: Encodable {
    let model: String
    let input: [String]
    let encodingFormat: String
    let dimensions: Int?

    private enum CodingKeys: String, CodingKey {
        case model, input, dimensions
        case encodingFormat = "encoding_format"
    }
}

/// The body of a reply with embeddings.
struct EmbeddingsReplyBody: Decodable {
    /// The vectors; absent in an error, and null in Ollama's empty reply.
    let data: [Item]?
    /// The tokens that were counted; nil where there is no sensible number.
    let tokenCount: Int?

    /// One vector and the place of its text in the request.
    struct Item: Decodable {
        let index: Int
        let vector: [Float]
    }

    private enum CodingKeys: String, CodingKey { case data, usage }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        data = try container.decodeIfPresent([Item].self, forKey: .data)
        tokenCount = ServiceUsage(try? container.decodeIfPresent(JSONValue.self, forKey: .usage)).promptTokens
    }
}

extension EmbeddingsReplyBody.Item {
    private enum CodingKeys: String, CodingKey { case index, embedding }

    /// Reads the vector as numbers or as base64 of little-endian 32-bit floats, whichever is there: some servers
    /// ignore the form that was asked for.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        index = try container.decode(Int.self, forKey: .index)
        if let numbers = try? container.decode([Float].self, forKey: .embedding) {
            vector = numbers
        } else {
            let text = try container.decode(String.self, forKey: .embedding)
            guard let data = Data(base64Encoded: text), data.count % 4 == 0 else {
                throw DecodingError.dataCorruptedError(forKey: .embedding, in: container, debugDescription: "base64")
            }
            vector = Self.floats(data)
        }
    }

    private static func floats(_ data: Data) -> [Float] {
        data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { offset in
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: word))
            }
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
