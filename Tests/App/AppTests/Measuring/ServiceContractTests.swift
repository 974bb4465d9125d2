import App
import Assistant
import ChatCore
import Foundation
import ModelClients
import Retrieval
import SentenceEncoder
import Telemetry
import TestSupport
import Testing
import Transport

/// The boundaries to models, and everything that stands for a model: clients over a real server, the built-in encoder,
/// wrappers, and the fakes of other tests.
@Suite(.hangGuard) struct ServiceContractTests {
    /// A service that speaks all three protocols; embeddings are those of the fake embedder.
    private let server: StubServer
    private let transport: CurlTransport

    private static let modelFolder = ModelFiles.standard.modelFolder(
        in: ModelFiles.standard.defaultRoot(environment: ProcessInfo.processInfo.environment))

    init() throws {
        server = try StubServer(handler: Self.respond)
        transport = try CurlTransport(configuration: CurlTransport.Configuration(usesProxyVariables: false))
    }

    private static func respond(_ request: StubRequest) -> StubResponse {
        switch request.target {
        case "/v1/embeddings":
            let fake = FakeEmbedder()
            let data = request.input.enumerated().map { place, text in
                ["index": place, "embedding": fake.vector(of: text).map(Double.init)] as [String: Any]
            }
            return .json(["data": data, "usage": ["prompt_tokens": 3, "total_tokens": 3]])
        case "/v1/rerank":
            let documents = request.json["documents"] as? [String] ?? []
            return .json(["results": documents.indices.map { ["index": $0, "relevance_score": 0.5] }])
        default:
            if request.json["stream"] as? Bool == true {
                let pieces = ["By", " the pier."].map { #"data: {"choices":[{"delta":{"content":"\#($0)"}}]}"# }
                let end = #"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#
                let text = (pieces + [end, "data: [DONE]", ""]).joined(separator: "\n\n")
                return .text(text, headers: [("Content-Type", "text/event-stream")])
            }
            let message = ["role": "assistant", "content": "By the pier."]
            return .json(["choices": [["message": message, "finish_reason": "stop"] as [String: Any]]])
        }
    }

    private var address: ServiceAddress { ServiceAddress(baseURL: server.baseURL + "/v1", key: nil) }

    private func embedders() async throws -> [any Embedder] {
        let client = try OpenAIEmbedder(
            settings: EmbeddingServiceSettings(
                address: address, providerKind: "compatible", model: "stub", dimensions: nil), transport: transport)
        let meter = ModelMeter(factory: MetricRegistry())
        let measured = MeasuredEmbedders(base: FakeEmbedderSource(client, baseURL: address.baseURL), meter: meter)
        let builtIn = BuiltInEmbedder(folder: Self.modelFolder, threadCount: 2)
        return [client, measured.configured, builtIn, FakeEmbedder()]
    }

    private func models() throws -> [any LanguageModel] {
        let client = try OpenAIChatModel(
            settings: ChatServiceSettings(address: address, model: "stub"), transport: transport)
        let service = ModelServiceName(baseURL: address.baseURL, model: "stub")
        let allowance = TokenAllowance(limit: 1_000_000, usage: InMemoryStore(), now: ManualNow().now)
        return [
            client, GuardedModel(base: client, service: service, health: ServiceHealth()),
            MeasuredModel(base: client, meter: ModelMeter(factory: MetricRegistry())),
            LimitedModel(base: client, user: "ada", allowance: allowance),
            NarrowedModel(base: client, tokenLimit: 2_048), FakeLanguageModel(replies: [.text("By the pier.")]),
            RepeatingModel(end: "[1]"),
        ]
    }

    private func rerankers() throws -> [any Reranker] {
        let client = try RerankClient(
            settings: RerankServiceSettings(address: address, model: "stub", shape: .cohere), transport: transport)
        let service = ModelServiceName(baseURL: address.baseURL, model: "stub")
        return [
            client, GuardedReranker(base: client, service: service, health: ServiceHealth()),
            MeasuredReranker(base: client, meter: ModelMeter(factory: MetricRegistry())),
        ]
    }

    @Test(arguments: ServiceContract<any Embedder>.all)
    func everyEmbedderKeepsIt(promise: ServiceContract<any Embedder>) async throws {
        for embedder in try await embedders() { try await promise.check(embedder) }
    }

    @Test(arguments: ServiceContract<any LanguageModel>.all)
    func everyLanguageModelKeepsIt(promise: ServiceContract<any LanguageModel>) async throws {
        for model in try models() { try await promise.check(model) }
    }

    @Test(arguments: ServiceContract<any Reranker>.all)
    func everyRerankerKeepsIt(promise: ServiceContract<any Reranker>) async throws {
        for reranker in try rerankers() { try await promise.check(reranker) }
    }

    @Test(arguments: ServiceContract<any TokenEncoder>.all)
    func theBuiltInEncoderKeepsIt(promise: ServiceContract<any TokenEncoder>) async throws {
        try await promise.check(BuiltInEmbedder(folder: Self.modelFolder, threadCount: 2))
    }

    @Test(arguments: ServiceContract<ReachableTransport>.all)
    func everyTransportKeepsIt(promise: ServiceContract<ReachableTransport>) async throws {
        let body = String(repeating: "By the pier. ", count: 1_000)
        let other = try StubServer(.text(body))
        try await promise.check(ReachableTransport(transport, url: other.baseURL, body: body))
    }
}
