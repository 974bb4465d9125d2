import Assistant
import ChatCore
import TestSupport
import Testing

@Suite("GuardedModel", .hangGuard)
struct GuardedModelTests {
    private let service = ModelServiceName(baseURL: "http://x", model: "fake")
    private let health = ServiceHealth()
    private let request = GenerationRequest(
        messages: [PromptMessage(role: .user, content: "hello")], maximumTokenCount: 9, streams: true)

    private func guarded(_ model: FakeLanguageModel) -> GuardedModel {
        GuardedModel(base: model, service: service, health: health)
    }

    private func text(of model: GuardedModel) async throws -> String {
        var text = ""
        try await model.generate(request) { event in if case .delta(let delta) = event { text += delta } }
        return text
    }

    @Test("After one failure of the service others fail at once, until a probe succeeds")
    func opens() async throws {
        let fake = FakeLanguageModel(replies: [.failure(after: [], .failed(status: 500)), .text("Nine.")])
        let model = guarded(fake)

        for _ in 0..<3 {
            await #expect(throws: ModelServiceError.failed(status: 500)) { try await text(of: model) }
        }
        #expect(fake.requests.count == 1)

        try await GuardedModel.probe(model.base)
        #expect(fake.requests.last?.maximumTokenCount == 1)
        health.recordSuccess(of: service)
        #expect(try await text(of: model) == "Nine.")
    }

    @Test(
        "What may be the fault of one prompt, and slowness, leave the service open to others",
        arguments: [
            ModelServiceError.tooLong, .rejected(status: 400, code: "bad"), .invalidReply(reason: "x"),
            .incompleteReply, .slow(.reading), .slow(.pausing), .slow(.working),
        ])
    func staysClosed(error: ModelServiceError) async throws {
        let model = guarded(FakeLanguageModel(replies: [.failure(after: [], error), .text("Nine.")]))

        await #expect(throws: error) { try await text(of: model) }
        #expect(try await text(of: model) == "Nine.")
    }
}
