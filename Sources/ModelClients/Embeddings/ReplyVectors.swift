import ChatCore

/// The checks that every vector passes before anybody sees it.
enum ReplyVectors {
    /// Returns the vectors in the order of their texts, each of length 1.
    ///
    /// - Parameters:
    ///   - items: The items of a reply, in any order.
    ///   - count: How many texts were sent.
    ///   - dimensions: The components that a vector must have; nil: as many as the others.
    /// - Returns: `count` vectors.
    /// - Throws: ``ModelServiceError/invalidReply(reason:)`` if one item is wrong.
    static func checked(
        _ items: [EmbeddingsReplyBody.Item], count: Int, dimensions: Int?
    ) throws(ModelServiceError) -> [[Float]] {
        guard items.count == count else {
            throw .invalidReply(reason: "\(items.count) vectors for \(count) texts")
        }
        let wanted = dimensions ?? items.first?.vector.count ?? 0
        guard EmbeddingSpace.dimensionRange.contains(wanted) || items.isEmpty else {
            let range = EmbeddingSpace.dimensionRange
            throw .invalidReply(
                reason: "a vector of \(wanted) dimensions; \(range.lowerBound) to \(range.upperBound) can be used")
        }
        var ordered = [[Float]?](repeating: nil, count: count)
        for item in items {
            guard ordered.indices.contains(item.index), ordered[item.index] == nil else {
                throw .invalidReply(reason: "the indexes are not those of the texts")
            }
            ordered[item.index] = try unitLength(item.vector, dimensions: wanted)
        }
        return ordered.compactMap { $0 }
    }

    private static func unitLength(_ vector: [Float], dimensions: Int) throws(ModelServiceError) -> [Float] {
        guard vector.count == dimensions else {
            throw .invalidReply(reason: "a vector of \(vector.count) dimensions instead of \(dimensions)")
        }
        let square = vector.reduce(0) { $0 + Double($1) * Double($1) }
        guard square.isFinite else { throw .invalidReply(reason: "a vector with a component that is not finite") }
        guard square > 0 else { throw .invalidReply(reason: "a vector of zeros") }
        let norm = square.squareRoot()
        return vector.map { Float(Double($0) / norm) }
    }
}
