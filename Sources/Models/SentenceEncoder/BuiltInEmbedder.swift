package import ChatCore
package import Foundation
import Synchronization

/// The embedder and token encoder that needs no service: all-MiniLM-L6-v2 in this process.
///
/// The weights are opened at the first use and stay open.
package final class BuiltInEmbedder: Embedder, TokenEncoder {
    /// The kind of provider in an embedding space.
    package static let provider = "builtin"
    /// The model's name in an embedding space.
    package static let model = "all-MiniLM-L6-v2"

    private let folder: URL
    private let threadCount: Int
    private let passageTokenLimit: Int
    private let givesWay: Bool
    private let encoder = Mutex<MiniLMEncoder?>(nil)

    /// - Parameters:
    ///   - folder: The model's files.
    ///   - threadCount: How many threads encode a batch.
    ///   - passageTokenLimit: The most tokens of a passage, including start and end token; limited to what the model
    ///     reads.
    ///   - givesWay: Whether passages are encoded only with idle processor time, because a user may be waiting for an
    ///     answer.
    package init(
        folder: URL, threadCount: Int, passageTokenLimit: Int = MiniLMEncoder.tokenLimit, givesWay: Bool = false
    ) {
        self.folder = folder
        self.threadCount = threadCount
        self.passageTokenLimit = passageTokenLimit
        self.givesWay = givesWay
    }

    /// See ``Embedder/space()``.
    package func space() async throws -> EmbeddingSpace {
        EmbeddingSpace(provider: Self.provider, model: Self.model, dimensions: MiniLMEncoder.dimensions)
    }

    /// See ``Embedder/passageLimit()``; tokens are counted by the model's own tokenizer.
    package func passageLimit() async throws -> PassageLimit {
        let encoder = try opened()
        let limit = min(passageTokenLimit, MiniLMEncoder.tokenLimit)
        return PassageLimit(tokenCount: max(1, limit - 2)) { encoder.tokenCount(of: $0) - 2 }
    }

    /// See ``Embedder/embed(_:as:)``; texts are cut to ``MiniLMEncoder/tokenLimit`` tokens.
    ///
    /// The tokens of the reply are those that the model read, with the start and end of each text.
    package func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        let encoder = try opened()
        let vectors =
            purpose == .passage && givesWay
            ? try await encoder.encode(givingWay: texts) : try await encoder.encode(concurrently: texts)
        let tokenCount = texts.reduce(0) { $0 + min(encoder.tokenCount(of: $1), MiniLMEncoder.tokenLimit) }
        return EmbeddingReply(outcomes: vectors.map { .vector($0) }, tokenCount: tokenCount)
    }

    /// See ``TokenEncoder/tokenVectors(of:)`` and ``MiniLMEncoder/encodeTokens(concurrently:)``.
    package func tokenVectors(of texts: [TokenText]) async throws -> [TokenVectors] {
        try await opened().encodeTokens(concurrently: texts)
    }

    private func opened() throws -> MiniLMEncoder {
        do {
            return try encoder.withLock { encoder in
                if let encoder { return encoder }
                try ModelFiles.standard.verify(folder: folder)
                let opened = try MiniLMEncoder(folder: folder, threadCount: threadCount)
                encoder = opened
                return opened
            }
        } catch {
            throw ModelServiceError.misconfigured(
                reason: "the sentence model in \(folder.path) is missing or damaged: nexus model fetch")
        }
    }
}
