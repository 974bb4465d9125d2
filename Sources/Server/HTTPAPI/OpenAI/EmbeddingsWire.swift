import ChatCore
import Foundation

/// The answer of `POST /v1/embeddings`.
struct EmbeddingsWire: Encodable {
    /// One vector.
    struct Item: Encodable {
        let object = "embedding"
        let index: Int
        let embedding: Components
    }

    /// The components in the requested format.
    enum Components: Encodable {
        case numbers([Float])
        case base64(String)

        init(_ vector: [Float], as format: EmbeddingsFields.Format) {
            switch format {
            case .float: self = .numbers(vector)
            case .base64:
                let words = vector.map(\.bitPattern.littleEndian)
                self = .base64(words.withUnsafeBytes { Data($0) }.base64EncodedString())
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .numbers(let numbers): try container.encode(numbers)
            case .base64(let text): try container.encode(text)
            }
        }
    }

    /// The tokens of all texts.
    struct Usage: Encodable {
        private enum CodingKeys: String, CodingKey {
            case promptTokens = "prompt_tokens"
            case totalTokens = "total_tokens"
        }

        let promptTokens: Int
        let totalTokens: Int
    }

    let object = "list"
    let data: [Item]
    let model: String
    let usage: Usage

    init(vectors: [[Float]], format: EmbeddingsFields.Format, model: String, tokenCount: Int) {
        data = vectors.enumerated().map { Item(index: $0.offset, embedding: Components($0.element, as: format)) }
        self.model = model
        usage = Usage(promptTokens: tokenCount, totalTokens: tokenCount)
    }
}

/// A model in OpenAI's format.
struct ModelWire: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, object, created
        case ownedBy = "owned_by"
    }

    let id: String
    let object = "model"
    let created = 0
    let ownedBy: String
}

/// The models.
struct ModelList: Encodable {
    let object = "list"
    let data: [ModelWire]
}
