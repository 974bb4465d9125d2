package import ChatCore
import Foundation
import Synchronization
package import Transport

/// Embeds texts with `POST {base}/embeddings` of any OpenAI-compatible service.
///
/// Texts are sent in batches, one after the other. A batch that is too large for the service is halved until the one
/// text is found that it does not accept; that text is refused and the others count. A reply with one invalid vector is
/// an error as a whole.
package final class OpenAIEmbedder: Embedder {
    private let settings: EmbeddingServiceSettings
    private let queryClient: ServiceClient
    private let passageClient: ServiceClient
    /// The components of a vector, once they are known.
    private let dimensions: Mutex<Int?>

    /// Makes an embedder without a request to the service.
    ///
    /// - Parameters:
    ///   - settings: The service, the model and the limits.
    ///   - transport: Carries the requests.
    ///   - retry: When a failed request is sent again.
    /// - Throws: ``ModelServiceError/misconfigured(reason:)`` as ``EmbeddingServiceSettings/validate()``.
    package init(
        settings: EmbeddingServiceSettings, transport: any HTTPTransport, retry: RetrySchedule = RetrySchedule()
    ) throws(ModelServiceError) {
        try settings.validate()
        self.settings = settings
        let endpoint = try ServiceEndpoint(settings.address, path: "embeddings")
        var questionRetry = retry
        questionRetry.attemptLimit = settings.questionAttemptLimit ?? retry.attemptLimit
        queryClient = ServiceClient(
            endpoint: endpoint, transport: transport, retry: questionRetry, timeouts: settings.timeouts)
        var passageRetry = retry
        passageRetry.attemptLimit = settings.passageAttemptLimit ?? retry.attemptLimit
        passageClient = ServiceClient(
            endpoint: endpoint, transport: transport, retry: passageRetry, timeouts: settings.timeouts)
        dimensions = Mutex(settings.dimensions)
    }

    /// Returns the space; embeds one word to learn the dimensions if they are neither configured nor known.
    package func space() async throws -> EmbeddingSpace {
        if let known = knownDimensions { return space(dimensions: known) }
        let reply = try await embed(["dimensions"], as: .passage)
        switch reply.outcomes.first {
        case .vector(let vector): return space(dimensions: vector.count)
        case .refused(let error): throw error
        case nil: throw ModelServiceError.invalidReply(reason: "no vector")
        }
    }

    /// See ``Embedder/passageLimit()``.
    package func passageLimit() async throws -> PassageLimit {
        let prefixCount = TokenEstimate.count(settings.passagePrefix)
        return PassageLimit(tokenCount: max(1, settings.passageTokenLimit - prefixCount))
    }

    /// See ``Embedder/embed(_:as:)``.
    package func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        let prefix = purpose == .query ? settings.queryPrefix : settings.passagePrefix
        let channel = Channel(
            client: purpose == .query ? queryClient : passageClient,
            purpose: settings.inputTypes.map { ($0.field, purpose == .query ? $0.query : $0.passage) })
        let inputs = texts.map { prefix + $0 }
        var whole = EmbeddingReply(outcomes: [])
        for range in EmbeddingBatches.ranges(
            of: inputs, itemLimit: settings.batchItemLimit, tokenLimit: settings.batchTokenLimit)
        {
            whole.append(try await embed(batch: inputs[range], through: channel))
        }
        return whole
    }

    private var knownDimensions: Int? { dimensions.withLock { $0 } }

    private func space(dimensions: Int) -> EmbeddingSpace {
        let prefixes = InputTypes.marked(
            queryPrefix: settings.queryPrefix, passagePrefix: settings.passagePrefix, types: settings.inputTypes,
            output: settings.outputType)
        return EmbeddingSpace(
            provider: settings.providerKind, model: settings.model, dimensions: dimensions,
            queryPrefix: prefixes.query, passagePrefix: prefixes.passage)
    }
}

// MARK: - One batch

extension OpenAIEmbedder {
    /// How texts of one purpose are sent.
    private struct Channel {
        let client: ServiceClient
        /// What the texts are for, and the field that says so.
        let purpose: (field: String, word: String)?
    }

    /// The type of the reply's numbers; that of the model's makers if they want a field for it.
    private var outputType: OutputType? {
        if let type = settings.outputType { return type }
        let field = EmbeddingPreset.of(model: settings.model)?.requiredOutputField
        return field.map { OutputType(field: $0, numbers: .float) }
    }

    private func embed(batch: ArraySlice<String>, through channel: Channel) async throws -> EmbeddingReply {
        do {
            return try await reply(to: batch, through: channel)
        } catch ModelServiceError.tooLong {
            guard batch.count > 1 else { return EmbeddingReply(outcomes: [.refused(.tooLong)]) }
        }
        let middle = batch.startIndex + batch.count / 2
        var reply = try await embed(batch: batch[..<middle], through: channel)
        reply.append(try await embed(batch: batch[middle...], through: channel))
        return reply
    }

    private func reply(to batch: ArraySlice<String>, through channel: Channel) async throws -> EmbeddingReply {
        let client = channel.client
        let body = EmbeddingsRequestBody(
            model: settings.model, input: Array(batch), usesBase64: settings.usesBase64,
            dimensions: settings.dimensions, purpose: channel.purpose, outputType: outputType)
        let data: Data
        do {
            data = try await client.send(try JSONEncoder().encode(body))
        } catch let failure as ServiceFailure {
            throw failure.error
        }
        let reply = try decode(data, from: client)
        let vectors = try ReplyVectors.checked(reply.items, count: batch.count, dimensions: knownDimensions)
        try learn(vectors.first?.count)
        return EmbeddingReply(outcomes: vectors.map { .vector($0) }, tokenCount: reply.tokenCount)
    }

    private func decode(_ data: Data, from client: ServiceClient) throws(ModelServiceError) -> EmbeddingsReplyBody {
        let numbers = settings.outputType?.numbers ?? .float
        if let reply = EmbeddingsReplyBody(data, numbers: numbers, dimensions: knownDimensions) { return reply }
        throw client.error(inGoodReply: data, lacking: "vectors")
    }

    /// Keeps the first vector's dimensions; of two first replies at once, the later one must agree.
    private func learn(_ count: Int?) throws(ModelServiceError) {
        guard let count else { return }
        let known = dimensions.withLock { dimensions in
            dimensions = dimensions ?? count
            return dimensions
        }
        guard known == count else { throw .invalidReply(reason: "vectors of different dimensions") }
    }
}

extension EmbeddingReply {
    /// Adds the reply to the texts that follow.
    fileprivate mutating func append(_ next: EmbeddingReply) {
        outcomes += next.outcomes
        if let more = next.tokenCount { tokenCount = (tokenCount ?? 0).addingClamped(more) }
    }
}

/// How texts are divided into requests.
enum EmbeddingBatches {
    /// Returns ranges that cover `texts` in order, each with at most `itemLimit` texts and at most `tokenLimit` tokens
    /// by ``TokenEstimate``; a single text may have more.
    static func ranges(of texts: [String], itemLimit: Int, tokenLimit: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, tokens) = (0, 0)
        for (place, text) in texts.enumerated() {
            let count = TokenEstimate.count(text)
            if place > start && (place - start == itemLimit || tokens + count > tokenLimit) {
                ranges.append(start..<place)
                (start, tokens) = (place, 0)
            }
            tokens += count
        }
        if start < texts.count { ranges.append(start..<texts.count) }
        return ranges
    }
}

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
