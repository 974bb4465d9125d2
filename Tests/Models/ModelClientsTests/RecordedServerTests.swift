import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing

/// Replies that real servers gave; docs/model-servers.md says to which requests.
@Suite("Recorded servers", .hangGuard)
struct RecordedServerTests {
    private func request(streams: Bool, schema: ReplySchema? = nil) -> GenerationRequest {
        GenerationRequest(
            messages: [PromptMessage(role: .user, content: "Say hi.")], maximumTokenCount: 30, streams: streams,
            replySchema: schema)
    }

    /// The frames of llama.cpp's server in xllamacpp 2026.10.11549, with `include_usage` and `return_progress`.
    private static let llamaStream: [StubResponse.Step] =
        [
            #"{"total":22,"cache":0,"processed":0,"time_ms":0}"#,
            #"{"total":22,"cache":0,"processed":22,"time_ms":3114}"#,
        ].map { llamaFrame(#"{"role":"assistant","content":null}"#, more: #","prompt_progress":\#($0)"#) } + [
            llamaFrame(#"{"role":"assistant","content":null}"#), llamaFrame(#"{"content":"Hallo"}"#),
            llamaFrame(#"{"content":"!"}"#), llamaFrame("{}", reason: #""stop""#),
            .event(
                #"{"choices":[],"created":1795908360,"id":"chatcmpl-d","model":"e","system_fingerprint":"b0-unknown","#
                    + #""object":"chat.completion.chunk","usage":{"completion_tokens":3,"prompt_tokens":22,"#
                    + #""total_tokens":25,"prompt_tokens_details":{"cached_tokens":0}},"timings":{"cache_n":0,"#
                    + #""prompt_n":22,"prompt_ms":3114.948,"predicted_n":3,"predicted_ms":2155.927}}"#),
            .event("[DONE]"),
        ]

    private static func llamaFrame(
        _ delta: String, reason: String = "null", more: String = ""
    ) -> StubResponse.Step {
        .event(
            #"{"choices":[{"finish_reason":\#(reason),"index":0,"delta":\#(delta)}],"created":1795908358,"#
                + #""id":"chatcmpl-d","model":"e","system_fingerprint":"b0-unknown","#
                + #""object":"chat.completion.chunk"\#(more)}"#)
    }

    @Test func readsTheStreamOfLlamaCpp() async throws {
        let server = try StubServer(.eventStream(Self.llamaStream))

        #expect(
            try await makeChatModel(server).events(of: request(streams: true)) == [
                .reading(0), .reading(1), .delta("Hallo"), .delta("!"),
                .finished(.stop, TokenUsage(promptTokens: 22, completionTokens: 3)),
            ])
    }

    @Test(arguments: [true, false]) func knowsThatLlamaCppHasTooLittleContext(streams: Bool) async throws {
        let body =
            #"{"error":{"code":400,"message":"request (3031 tokens) exceeds the available context size (2048 tokens), "#
            + #"try increasing it","type":"exceed_context_size_error","n_prompt_tokens":3031,"n_ctx":2048}}"#
        let server = try StubServer(.text(body, status: 400))

        let error = await serviceError { try await makeChatModel(server).events(of: request(streams: streams)) }

        #expect(error == .tooLong)
        #expect(server.requests.count == 1)
    }

    @Test func waitsForLlamaCppToLoadItsModel() async throws {
        let loading = StubResponse.text(
            #"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#, status: 503)
        let server = try StubServer(loading, .eventStream(Self.llamaStream))

        #expect(try await makeChatModel(server).reply(to: request(streams: false)).text == "Hallo!")
    }

    /// LiteLLM's proxy 1.108.7 before llama.cpp's server: its last frame has a choice with the usage, and of the frames
    /// about the prompt only the first one passes.
    @Test func readsTheStreamOfLiteLLM() async throws {
        let head =
            #"{"id":"chatcmpl-d","created":1795912402,"model":"smol","object":"chat.completion.chunk","#
            + #""system_fingerprint":"b0-unknown","choices":"#
        let frames = [
            #"[{"index":0,"delta":{"role":"assistant"}}],"#
                + #""prompt_progress":{"total":33,"cache":32,"processed":32,"time_ms":0}}"#,
            #"[{"index":0,"delta":{"content":"Hello"}}]}"#, #"[{"index":0,"delta":{"content":" there"}}]}"#,
            #"[{"finish_reason":"length","index":0,"delta":{}}]}"#,
            #"[{"index":0,"delta":{}}],"usage":{"completion_tokens":3,"prompt_tokens":33,"total_tokens":36,"#
                + #""completion_tokens_details":{"reasoning_tokens":0,"text_tokens":3},"#
                + #""prompt_tokens_details":{"cached_tokens":32}}}"#,
        ].map { StubResponse.Step.event(head + $0) }
        let server = try StubServer(.eventStream(frames + [.event("[DONE]")]))

        #expect(
            try await makeChatModel(server).events(of: request(streams: true)) == [
                .reading(32.0 / 33), .delta("Hello"), .delta(" there"),
                .finished(.length, TokenUsage(promptTokens: 33, completionTokens: 3)),
            ])
    }

    @Test func knowsThatAServerBehindLiteLLMHasTooLittleContext() async throws {
        let body =
            #"{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: "#
            + #"ContextWindowExceededError: OpenAIException - request (3031 tokens) exceeds the available context size "#
            + #"(2048 tokens), try increasing it\nmodel=smol. context_window_fallbacks=None. fallbacks=None.\n\nSet "#
            + #"'context_window_fallback' - https://docs.litellm.ai/docs/routing#fallbacks\n\nLiteLLM: model group "#
            + #"'smol' failed with the error above. No fallback was attempted.","type":"invalid_request_error","#
            + #""param":null,"code":"400"}}"#
        let server = try StubServer(.text(body, status: 400))

        let error = await serviceError { try await makeChatModel(server).events(of: request(streams: true)) }

        #expect(error == .tooLong)
    }
}
