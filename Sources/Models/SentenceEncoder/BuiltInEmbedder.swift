package import ChatCore
package import Foundation
import Synchronization

/// The embedder and token encoder that needs no service: a ``BuiltInModel`` in this process.
///
/// The weights are opened at the first use and stay open.
package final class BuiltInEmbedder: Embedder, TokenEncoder {
    /// The kind of provider in an embedding space.
    package static let provider = "builtin"

    /// The model.
    package let model: BuiltInModel
    private let queryPrefix, passagePrefix: String
    private let folder: URL
    private let threadCount: Int
    private let passageTokenLimit: Int
    private let givesWay: Bool
    private let encoder = Mutex<TransformerEncoder?>(nil)

    /// - Parameters:
    ///   - model: The model.
    ///   - folder: The model's files.
    ///   - threadCount: How many threads encode a batch.
    ///   - queryPrefix: A text before each question; nil for the model's own.
    ///   - passagePrefix: A text before each passage; nil for the model's own.
    ///   - passageTokenLimit: The most tokens of a passage, including prefix, start and end token; limited to what the
    ///     model reads, and ``BuiltInModel/passageTokenLimit`` if nil.
    ///   - givesWay: Whether passages are encoded only with idle processor time, because a user may be waiting for an
    ///     answer.
    package init(
        model: BuiltInModel = .miniLM, folder: URL, threadCount: Int, queryPrefix: String? = nil,
        passagePrefix: String? = nil, passageTokenLimit: Int? = nil, givesWay: Bool = false
    ) {
        self.model = model
        self.folder = folder
        self.threadCount = threadCount
        self.queryPrefix = queryPrefix ?? model.queryPrefix
        self.passagePrefix = passagePrefix ?? model.passagePrefix
        self.passageTokenLimit = min(passageTokenLimit ?? model.passageTokenLimit, model.tokenLimit)
        self.givesWay = givesWay
    }

    /// See ``Embedder/space()``.
    package func space() async throws -> EmbeddingSpace {
        Self.space(of: model, queryPrefix: queryPrefix, passagePrefix: passagePrefix)
    }

    /// Returns the space of a model's vectors; a prefix that is nil is the model's own.
    package static func space(
        of model: BuiltInModel, queryPrefix: String? = nil, passagePrefix: String? = nil
    ) -> EmbeddingSpace {
        EmbeddingSpace(
            provider: provider, model: model.name, dimensions: model.dimensions,
            queryPrefix: queryPrefix ?? model.queryPrefix, passagePrefix: passagePrefix ?? model.passagePrefix)
    }

    /// See ``Embedder/passageLimit()``; tokens are counted by the model's own tokenizer.
    package func passageLimit() async throws -> PassageLimit {
        let encoder = try opened()
        let ends = 2
        // A prefix and a text are at most as many tokens together as apart.
        let prefixCount = passagePrefix.isEmpty ? 0 : encoder.tokenCount(of: passagePrefix) - ends
        return PassageLimit(tokenCount: max(1, passageTokenLimit - ends - prefixCount)) { text in
            // A character can become several, and a space is put before the first.
            min(encoder.tokenCount(of: text) - ends, text.utf8.count)
        }
    }

    /// See ``Embedder/embed(_:as:)``; texts are cut to ``BuiltInModel/tokenLimit`` tokens.
    ///
    /// The tokens of the reply are those that the model read, with the start and end of each text and its prefix.
    package func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        let encoder = try opened()
        let prefix = purpose == .query ? queryPrefix : passagePrefix
        let vectors =
            purpose == .passage && givesWay
            ? try await encoder.encode(givingWay: texts, prefix: prefix)
            : try await encoder.encode(concurrently: texts, prefix: prefix)
        let tokenCount = texts.reduce(0) { $0 + min(encoder.tokenCount(of: prefix + $1), encoder.tokenLimit) }
        return EmbeddingReply(outcomes: vectors.map { .vector($0) }, tokenCount: tokenCount)
    }

    /// See ``TokenEncoder/tokenVectors(of:)`` and ``TransformerEncoder/encodeTokens(concurrently:)``.
    package func tokenVectors(of texts: [TokenText]) async throws -> [TokenVectors] {
        try await opened().encodeTokens(concurrently: texts)
    }

    private func opened() throws -> TransformerEncoder {
        do {
            return try encoder.withLock { encoder in
                if let encoder { return encoder }
                try model.files.verify(folder: folder)
                let opened = try TransformerEncoder(model, folder: folder, threadCount: threadCount)
                encoder = opened
                return opened
            }
        } catch let error as EncoderError where model.files.files.isEmpty {
            throw ModelServiceError.misconfigured(
                reason: "the sentence model in \(folder.path) cannot be used: \(error.explanation)")
        } catch {
            let command = model == .miniLM ? "nexus model fetch" : "nexus model fetch --model \(model.name)"
            throw ModelServiceError.misconfigured(
                reason: "the sentence model in \(folder.path) is missing or damaged: \(command)")
        }
    }
}
