import ChatCore
import Foundation

/// The bodies of requests and replies of reranking.
///
/// Only necessary fields are sent because some services refuse unknown ones.
enum RerankWire {
    /// A score and the place of its text in the request.
    struct Item: Equatable {
        let index: Int
        let score: Double
    }

    private struct DocumentsRequest: Encodable {
        let model: String
        let query: String
        let documents: [String]
        let topN: Int

        private enum CodingKeys: String, CodingKey {
            case model, query, documents
            case topN = "top_n"
        }
    }

    private struct TextsRequest: Encodable {
        let query: String
        let texts: [String]
        let rawScores: Bool
        let truncate: Bool

        private enum CodingKeys: String, CodingKey {
            case query, texts, truncate
            case rawScores = "raw_scores"
        }
    }

    private struct ResultsReply: Decodable {
        let results: [Result]

        struct Result: Decodable {
            let index: Int
            let relevanceScore: Double

            private enum CodingKeys: String, CodingKey {
                case index
                case relevanceScore = "relevance_score"
            }
        }
    }

    private struct Scored: Decodable {
        let index: Int
        let score: Double
    }

    /// Returns the body that asks for a score of every text.
    static func request(
        _ shape: RerankShape, model: String, question: String, texts: [String]
    ) throws -> Data {
        switch shape {
        case .cohere:
            try JSONEncoder().encode(
                DocumentsRequest(model: model, query: question, documents: texts, topN: texts.count))
        case .tei:
            try JSONEncoder().encode(
                TextsRequest(query: question, texts: texts, rawScores: false, truncate: true))
        }
    }

    /// Returns the scores in `data`, in the service's order; nil when it does not have this shape.
    static func items(_ shape: RerankShape, in data: Data) -> [Item]? {
        switch shape {
        case .cohere:
            (try? JSONDecoder().decode(ResultsReply.self, from: data))?.results
                .map { Item(index: $0.index, score: $0.relevanceScore) }
        case .tei:
            (try? JSONDecoder().decode([Scored].self, from: data))?.map { Item(index: $0.index, score: $0.score) }
        }
    }

    /// Returns the scores in the order of their texts.
    ///
    /// They are finite: JSON has no other numbers, and the decoder rejects numbers that do not fit a `Double`.
    ///
    /// - Parameters:
    ///   - items: The items of a reply, in any order.
    ///   - count: How many texts were sent.
    /// - Returns: `count` scores.
    /// - Throws: ``ModelServiceError/invalidReply(reason:)`` if one item is wrong.
    static func ordered(_ items: [Item], count: Int) throws(ModelServiceError) -> [Double] {
        guard items.count == count else {
            throw .invalidReply(reason: "\(items.count) scores for \(count) texts")
        }
        var ordered = [Double?](repeating: nil, count: count)
        for item in items {
            guard ordered.indices.contains(item.index), ordered[item.index] == nil else {
                throw .invalidReply(reason: "the indexes are not those of the texts")
            }
            ordered[item.index] = item.score
        }
        return ordered.compactMap { $0 }
    }
}
