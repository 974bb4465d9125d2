package import ChatCore
import Foundation
package import Transport

/// Scores texts with `POST {base}/rerank` of a reranking service.
///
/// A call including a second attempt ends within the configured time limit, because a user is waiting and the search
/// has an order without it. A reply with one invalid score is an error as a whole.
package struct RerankClient: Reranker {
    private let settings: RerankServiceSettings
    private let client: ServiceClient

    /// The most attempts of a request, regardless of the schedule.
    private static let attemptLimit = 2

    /// Makes a client without a request to the service.
    ///
    /// - Parameters:
    ///   - settings: The service and the shape of its replies.
    ///   - transport: Carries the requests.
    ///   - retry: When a failed request is sent again, at most once.
    /// - Throws: ``ModelServiceError/misconfigured(reason:)`` as ``RerankServiceSettings/validate()``.
    package init(
        settings: RerankServiceSettings, transport: any HTTPTransport, retry: RetrySchedule = RetrySchedule()
    ) throws(ModelServiceError) {
        try settings.validate()
        self.settings = settings
        var retry = retry
        retry.attemptLimit = min(retry.attemptLimit, Self.attemptLimit)
        retry.hintLimit = min(retry.hintLimit, settings.timeLimit)
        let limit = settings.timeLimit
        client = ServiceClient(
            endpoint: try ServiceEndpoint(settings.address, path: "rerank"), transport: transport, retry: retry,
            timeouts: HTTPDeadlines(connect: limit, idle: limit, total: limit))
    }

    /// The model's name as configured.
    package var name: String { settings.model }

    /// See ``Reranker/scores(of:for:)``.
    package func scores(of texts: [String], for question: String) async throws -> [Double] {
        do {
            return try await withTimeLimit(settings.timeLimit) {
                var scores: [Double] = []
                for batch in batches(of: texts) { scores += try await reply(to: batch, for: question) }
                return scores
            }
        } catch is TimeLimitExceeded {
            throw ModelServiceError.slow(.working)
        }
    }

    private func batches(of texts: [String]) -> [ArraySlice<String>] {
        stride(from: 0, to: texts.count, by: settings.batchItemLimit).map { start in
            texts[start..<min(start + settings.batchItemLimit, texts.count)]
        }
    }

    private func reply(to batch: ArraySlice<String>, for question: String) async throws -> [Double] {
        let body = try RerankWire.request(
            settings.shape, model: settings.model, question: question, texts: Array(batch))
        let data: Data
        do {
            data = try await client.send(body)
        } catch let failure as ServiceFailure {
            throw failure.error
        }
        guard let items = RerankWire.items(settings.shape, in: data) else {
            throw client.error(inGoodReply: data, lacking: "scores")
        }
        return try RerankWire.ordered(items, count: batch.count)
    }
}
