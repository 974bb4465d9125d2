package import ChatCore
package import Retrieval
import Synchronization

/// A search that returns a given result, and remembers its requests.
package final class FakeSearching: MessageSearching {
    private let requested = Mutex<[SearchRequest]>([])
    private let reply: Result<SearchResult, any Error>

    /// Makes a search that finds these hits, as many of them as are asked for.
    package init(
        hits: [Hit], generation: GenerationNumber? = GenerationNumber(rawValue: 1),
        noAnswerReason: NoAnswerReason? = nil, trace: SearchTrace = SearchTrace()
    ) {
        reply = .success(
            SearchResult(
                hits: hits, mode: .denseOnly, generation: generation, noAnswerReason: noAnswerReason, trace: trace))
    }

    /// Makes a search that fails.
    package init(failure: any Error) {
        reply = .failure(failure)
    }

    /// What it was asked so far.
    package var requests: [SearchRequest] { requested.withLock { $0 } }

    /// Gives the reply; see ``MessageSearching/search(_:)``.
    package func search(_ request: SearchRequest) async throws -> SearchResult {
        requested.withLock { $0.append(request) }
        var result = try reply.get()
        result.hits = Array(result.hits.prefix(request.limit))
        return result
    }
}
