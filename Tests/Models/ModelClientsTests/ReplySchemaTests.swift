import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing

/// Replies that have to be JSON of a schema, from services that know such things and others.
@Suite(.serialized) struct ReplySchemaTests {
    private static let request = GenerationRequest(
        messages: [PromptMessage(role: .user, content: "list")], maximumTokenCount: 100, streams: false,
        replySchema: ReplySchema(name: "things", schema: .object(["type": .string("object")])))

    private func ask(_ model: some LanguageModel, _ request: GenerationRequest = request) async throws -> String {
        var text = ""
        try await model.generate(request) { event in
            if case .delta(let delta) = event { text += delta }
        }
        return text
    }

    @Test func sendsTheSchema() async throws {
        let server = try StubServer { _ in .chat("{}") }

        #expect(try await ask(makeChatModel(server)) == "{}")

        let format = try #require(server.requests.first?.json["response_format"] as? [String: Any])
        #expect(format["type"] as? String == "json_schema")
        let schema = try #require(format["json_schema"] as? [String: Any])
        #expect(schema["name"] as? String == "things" && schema["strict"] as? Bool == true)
        #expect(schema["schema"] as? [String: String] == ["type": "object"])
    }

    /// Refusals as services write them that know no schemas.
    @Test(arguments: [
        StubResponse.openAIError(400, code: "unsupported_parameter", param: "response_format"),
        .openAIError(400, message: "'response_format.type' must be 'text'"),
        .json(["error": "format not understood"], status: 422),
        .openAIError(500, message: "1 validation error: {'loc': ('body', 'response_format', 'type')}"),
    ])
    func asksWithoutASchemaAndRemembers(refusal: StubResponse) async throws {
        let server = try StubServer { $0.json["response_format"] == nil ? .chat("{}") : refusal }
        let model = try makeChatModel(server)

        for _ in 0..<2 { #expect(try await ask(model) == "{}") }

        #expect(server.requests.map { $0.json["response_format"] != nil } == [true, true, false, false])
    }

    @Test func asksForAnObjectWhereSchemasAreUnknown() async throws {
        let server = try StubServer { request in
            let format = request.json["response_format"] as? [String: Any]
            guard format?["type"] as? String != "json_schema" else {
                return .openAIError(400, param: "response_format.type")
            }
            return .chat("{}")
        }
        let model = try makeChatModel(server)

        for _ in 0..<2 { #expect(try await ask(model) == "{}") }

        let formats = server.requests.map { $0.json["response_format"] as? [String: Any] ?? [:] }
        #expect(formats.map { $0["type"] as? String } == ["json_schema", "json_object", "json_object"])
        #expect(formats.last?["schema"] as? [String: String] == ["type": "object"])
    }

    @Test func aRefusalForAnotherReasonTeachesNothing() async throws {
        let server = try StubServer { _ in .openAIError(400, code: "bad_words", message: "refused") }
        let model = try makeChatModel(server)

        for _ in 0..<2 {
            await #expect(throws: ModelServiceError.rejected(status: 400, code: "bad_words")) { try await ask(model) }
        }

        #expect(server.requests.map { $0.json["response_format"] != nil } == [true, true, false, true, true, false])
    }

    @Test func aRequestForTextHasNone() async throws {
        let server = try StubServer { _ in .chat("a") }
        var request = Self.request
        request.replySchema = nil

        #expect(try await ask(makeChatModel(server), request) == "a")
        #expect(server.requests.map { $0.json["response_format"] != nil } == [false])
    }
}
