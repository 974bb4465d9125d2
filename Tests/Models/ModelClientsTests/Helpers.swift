import ChatCore
import Foundation
import ModelClients
import Synchronization
import TestSupport
import Testing
import Transport

/// Notes the waits that a schedule asks for, without waiting.
final class RecordedWaits: Sendable {
    private let waits = Mutex<[Duration]>([])

    /// The waits so far.
    var all: [Duration] { waits.withLock { $0 } }

    /// A schedule of four attempts without chance.
    func schedule(jitter: Double = 0, now: Date = Date(timeIntervalSince1970: 0)) -> RetrySchedule {
        RetrySchedule(
            jitter: { jitter }, sleep: { wait in self.waits.withLock { $0.append(wait) } }, now: { now })
    }
}

/// Keeps the requests and answers all with one response.
final class RecordingTransport: HTTPTransport {
    private let received = Mutex<[HTTPExchangeRequest]>([])
    private let body: Data

    init(body: String) {
        self.body = Data(body.utf8)
    }

    var requests: [HTTPExchangeRequest] { received.withLock { $0 } }

    func send(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPExchangeResponse {
        received.withLock { $0.append(request) }
        return HTTPExchangeResponse(status: 200, body: body)
    }

    func stream(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPStreamedResponse {
        received.withLock { $0.append(request) }
        return HTTPStreamedResponse(status: 200, body: HTTPBody(pieces: [body]))
    }
}

/// Returns a transport that no variable of the environment can lead astray.
func makeTransport() throws -> CurlTransport {
    try CurlTransport(configuration: CurlTransport.Configuration(usesProxyVariables: false))
}

/// Returns an embedder of the stub server; waits are not waited for unless `retry` says so.
func makeEmbedder(
    _ server: StubServer, dimensions: Int? = nil, retry: RetrySchedule = RecordedWaits().schedule(),
    change: (inout EmbeddingServiceSettings) -> Void = { _ in }
) throws -> OpenAIEmbedder {
    var settings = EmbeddingServiceSettings(
        address: ServiceAddress(baseURL: server.baseURL + "/v1", key: SecretText("sk-secret")),
        providerKind: "compatible", model: "stub-model", dimensions: dimensions)
    change(&settings)
    return try OpenAIEmbedder(settings: settings, transport: makeTransport(), retry: retry)
}

/// Returns a chat model of the stub server; waits are not waited for unless `retry` says so.
func makeChatModel(
    _ server: StubServer, retry: RetrySchedule = RecordedWaits().schedule(),
    change: (inout ChatServiceSettings) -> Void = { _ in }
) throws -> OpenAIChatModel {
    var settings = ChatServiceSettings(
        address: ServiceAddress(baseURL: server.baseURL + "/v1", key: SecretText("sk-secret")), model: "stub-chat")
    change(&settings)
    return try OpenAIChatModel(settings: settings, transport: makeTransport(), retry: retry)
}

/// Returns what `work` throws; records an issue when it throws nothing or anything else.
func serviceError<Value>(_ work: () async throws -> Value) async -> ModelServiceError? {
    do {
        _ = try await work()
        Issue.record("nothing was thrown")
    } catch let error as ModelServiceError {
        return error
    } catch {
        Issue.record("thrown: \(error)")
    }
    return nil
}

/// Returns `vector` at length 1.
func unit(_ vector: [Float]) -> [Float] {
    let norm = vector.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
    return vector.map { Float(Double($0) / norm) }
}

extension EmbeddingReply {
    /// The vectors; nil where a text was refused.
    var vectors: [[Float]?] {
        outcomes.map { outcome in
            guard case .vector(let vector) = outcome else { return nil }
            return vector
        }
    }
}

struct RecordingTransportTests {
    @Test(arguments: ServiceContract<ReachableTransport>.all)
    func itKeepsThePromisesOfATransport(promise: ServiceContract<ReachableTransport>) async throws {
        let transport = RecordingTransport(body: "{}")
        try await promise.check(ReachableTransport(transport, url: "http://localhost/", body: "{}"))
    }
}
