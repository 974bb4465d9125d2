import ChatCore

/// Embeds one batch so that one bad text harms only itself.
///
/// A failure of a whole batch may be the service's or one text's. A text that is known to be good tells them apart: when
/// the service cannot embed that either, the failure is its own; otherwise the batch is halved until the bad text
/// stands alone.
struct BatchEmbedding {
    /// A text that no service refuses.
    private static let probe = "hello"

    private let embedder: any Embedder
    private var serviceIsKnownToWork = false

    init(embedder: any Embedder) {
        self.embedder = embedder
    }

    /// Embeds `texts` as passages.
    ///
    /// - Parameter texts: None of them empty.
    /// - Returns: One outcome a text, in order.
    /// - Throws: ``ModelServiceError`` when the service as a whole does not work; then nothing counts.
    mutating func outcomes(for texts: ArraySlice<String>) async throws -> [EmbeddingOutcome] {
        guard !texts.isEmpty else { return [] }
        do {
            return try await embedder.embed(Array(texts), as: .passage).outcomes
        } catch let error as ModelServiceError where error.mayConcernOneText {
            try await checkService()
            guard texts.count > 1 else { return [.refused(error)] }
            let middle = texts.startIndex + texts.count / 2
            let first = try await outcomes(for: texts[..<middle])
            return first + (try await outcomes(for: texts[middle...]))
        }
    }

    private mutating func checkService() async throws {
        guard !serviceIsKnownToWork else { return }
        if case .refused(let error) = try await embedder.embed([Self.probe], as: .passage).outcomes.first {
            throw error
        }
        serviceIsKnownToWork = true
    }
}

extension ModelServiceError {
    /// Whether one text of a batch may be the cause; Ollama for one answers 500 when one of them gives NaN.
    fileprivate var mayConcernOneText: Bool {
        switch self {
        case .rejected(let status, _): [400, 413, 422].contains(status)
        case .failed(let status): status == 500
        case .tooLong, .invalidReply: true
        case .unreachable, .busy, .unauthorized, .quotaExhausted, .incompleteReply, .misconfigured: false
        }
    }
}
