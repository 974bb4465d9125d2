public import ChatCore
public import Retrieval
import Synchronization

/// A search that returns a given result, and remembers its requests.
public final class FakeSearching: MessageSearching {
    private let requested = Mutex<[SearchRequest]>([])
    private let reply: Result<SearchResult, any Error>

    /// Makes a search that finds these hits, as many of them as are asked for.
    public init(
        hits: [Hit], generation: GenerationNumber? = GenerationNumber(rawValue: 1),
        noAnswerReason: NoAnswerReason? = nil, trace: SearchTrace = SearchTrace()
    ) {
        reply = .success(
            SearchResult(
                hits: hits, mode: .denseOnly, generation: generation, noAnswerReason: noAnswerReason, trace: trace))
    }

    /// Makes a search that fails.
    public init(failure: any Error) {
        reply = .failure(failure)
    }

    /// What it was asked so far.
    public var requests: [SearchRequest] { requested.withLock { $0 } }

    /// Gives the reply; see ``MessageSearching/search(_:)``.
    public func search(_ request: SearchRequest) async throws -> SearchResult {
        requested.withLock { $0.append(request) }
        var result = try reply.get()
        result.hits = Array(result.hits.prefix(request.limit))
        return result
    }
}
