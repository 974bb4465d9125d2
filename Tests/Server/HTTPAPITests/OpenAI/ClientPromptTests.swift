import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Prompting
import ServerTestSupport
import TestSupport
import Testing

/// Prompts that programs send by themselves to `POST /v1/chat/completions`, in the shapes that such programs use.
struct ClientPromptTests {
    /// A prompt with its content when no language model is configured.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let messages: [(role: String, content: String)]
        let content: String

        var testDescription: String { name }
    }

    private static let history =
        "<chat_history>\nUSER: Where is the winch now?\nASSISTANT: In shed two [1].\n</chat_history>"

    /// A task with headings, its chat between tags.
    private static func sheet(_ task: String, _ form: String) -> String {
        "### Task:\n\(task)\n### Guidelines:\n- Be brief.\n### Output:\n\(form)\n### Chat History:\n\(history)"
    }

    static let prompts = [
        Sample(
            name: "a title as JSON",
            messages: [("user", sheet("Find a title of 3 to 5 words.", #"JSON format: { "title": "your title" }"#))],
            content: #"{"title":"Where is the winch now"}"#),
        Sample(
            name: "tags", messages: [("user", sheet("Find some tags.", #"{ "tags": ["tag1", "tag2"] }"#))],
            content: #"{"tags":[]}"#),
        Sample(
            name: "follow-up questions",
            messages: [("user", sheet("Propose what to ask next.", #"{ "follow_ups": ["Question?"] }"#))],
            content: #"{"follow_ups":[]}"#),
        Sample(
            name: "search queries",
            messages: [("user", sheet("Find out what to search for.", "{\n  \"queries\": [\"one\"]\n}"))],
            content: #"{"queries":[]}"#),
        Sample(
            name: "the rest of a text",
            messages: [
                (
                    "user",
                    "### Task:\nComplete the text in `<text>`.\n### **Output Rules**:\n- Only JSON: `{ \"text\": \"…\" }`.\n"
                        + "### Real Task:\n<type>General</type>\n<text>where is the</text>\n\(history)"
                )
            ], content: #"{"text":""}"#),
        Sample(
            name: "in Portuguese, as text",
            messages: [("user", "### Tarefa:\nGere um título.\n### Saída:\nSomente o texto.\n\(history)")],
            content: "Where is the winch now"),
        Sample(
            name: "a title with the names of roles",
            messages: [
                (
                    "user",
                    "Provide a concise title for the conversation, 5 words or less, no punctuation. Return only the title.\n\n"
                        + "Conversation:\nUser: Who keeps the ladder?\nAI: Ben does."
                )
            ], content: "Who keeps the ladder"),
        Sample(
            name: "a title by a system message",
            messages: [
                (
                    "system",
                    "You name conversations. Rules:\n- Output ONLY the title\n- Maximum 10 words\n- No punctuation marks"
                ),
                ("user", "user: Who keeps the ladder?\nassistant: Ben does."),
            ], content: "Who keeps the ladder"),
        Sample(
            name: "a title by a system message, of the first message alone",
            messages: [
                (
                    "system",
                    "Generate a title for this conversation from the user's message: 3 to 5 words, no quotation marks. "
                        + "Reply with nothing else."
                ), ("user", "Who keeps the ladder of the north mole in winter?"),
            ], content: "Who keeps the ladder of the"),
        Sample(
            name: "a title of a chat in messages",
            messages: [
                ("user", "Who keeps the ladder?"), ("assistant", "Ben [1]."),
                (
                    "user",
                    "Please write a four to five word title of our conversation without any lead-in, punctuation or quotes."
                ),
            ], content: "Who keeps the ladder"),
        Sample(
            name: "a title of one message",
            messages: [
                (
                    "user",
                    "Summarize in a 10-word title. Give the title only. Here is the message: Who keeps the ladder?"
                )
            ], content: "Who keeps the ladder"),
        Sample(
            name: "in Chinese",
            messages: [
                ("user", "梯子在哪里？"), ("assistant", "在二号棚。"), ("user", "使用四到五个字直接返回这段对话的简要主题，不要解释、不要标点"),
            ], content: "梯子在哪里"),
        Sample(
            name: "a summary after the answers",
            messages: [
                ("user", "Who keeps the ladder?"), ("assistant", "Ben [1]."),
                ("system", "Summarize the discussion in 200 words to use it as a prompt later."),
            ], content: "Who keeps the ladder"),
        Sample(
            name: "tags around a chat, as some programs write them",
            messages: [
                ("system", "Write a concise title of the conversation."),
                (
                    "user",
                    "<task>\nGenerate a concise title.\n</task>\n<conversation>\n<user>\nWho keeps the ladder?\n</user>\n"
                        + "<assistant>\nBen.\n</assistant>\n</conversation>"
                ),
            ], content: "Who keeps the ladder"),
    ]

    /// Questions of people that use the same words.
    static let questions = [
        "What title did we give the report on the crane?", "Suggest a 5 word title for Friday's meeting",
        "Give me only the title of the message that Ben wrote about the crane",
        "Which tags did Ada use in the chat about the pier?", "What are the follow-up questions from Monday?",
        "### Plan\n- title page\n### Open\nWho does that?", "User: who has the key?", "Who said \"Assistant: no\"?",
        "### Task:\nRespond to the user query from the context.\n### Output:\nProvide an answer.\n<context>\n<source id=\"1\">"
            + "the key is here</source>\n</context>\nWho has the key?",
        "Summarize the discussion about the winch in 50 words",
    ]

    private static func body(_ messages: [(role: String, content: String)], _ more: String = "") throws -> String {
        let items = messages.map { ["role": $0.role, "content": $0.content] }
        let data = try JSONEncoder().encode(items)
        return #"{"model":"nexus","messages":\#(String(decoding: data, as: UTF8.self))\#(more)}"#
    }

    private static func content(_ reply: Reply) throws -> String? {
        let whole = try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any]
        let choice = (whole?["choices"] as? [[String: Any]])?.first
        return (choice?["message"] as? [String: Any])?["content"] as? String
    }

    @Test(arguments: prompts) func aPromptOfAProgramIsNoQuestion(sample: Sample) async throws {
        let parts = ServerParts()

        let (reply, turns) = try await withServer(parts) { server in
            (
                try await server.send("POST", "/v1/chat/completions", try Self.body(sample.messages)),
                try await server.send("GET", "/v1/turns")
            )
        }

        #expect(reply.status == 200, "\(reply.text)")
        #expect(try Self.content(reply) == sample.content)
        #expect(reply.text.contains(#""sources":[]"#))
        #expect(parts.answering.requests.isEmpty && turns.text == #"{"turns":[]}"#)
    }

    @Test(arguments: questions) func aQuestionOfAPersonIsAnswered(question: String) async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(ServerTestSupport.Sample.events)

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/v1/chat/completions", try Self.body([("user", question)]))
        }

        #expect(reply.status == 200, "\(reply.text)")
        #expect(parts.answering.requests.map(\.question) == [question])
    }

    @Test func aRequestSaysWhetherItIsAQuestion() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(ServerTestSupport.Sample.events)
        let title = Self.prompts[0].messages

        let (task, asked, wrong) = try await withServer(parts) { server in
            (
                try await server.send(
                    "POST", "/v1/chat/completions",
                    try Self.body([("user", "Who keeps the ladder?")], #","search":false"#)),
                try await server.send(
                    "POST", "/v1/chat/completions", try Self.body(title, #","search":true"#)),
                try await server.send(
                    "POST", "/v1/chat/completions", try Self.body(title, #","search":"no""#))
            )
        }

        #expect(statuses(task, asked, wrong) == [200, 200, 400])
        #expect(try Self.content(task) == "Who keeps the ladder")
        #expect(parts.answering.requests.map(\.question) == [title[0].content])
    }

    @Test func aPromptMayBeLongerThanAQuestionAndWantASchema() async throws {
        let long = Self.sheet("Find a title.", "as the schema says").replacing(
            "Be brief.", with: String(repeating: "x ", count: 9_000))
        let schema =
            #","response_format":{"type":"json_schema","json_schema":{"name":"t","schema":{"type":"object","#
            + #""properties":{"title":{"type":"string"}},"required":["title"]}}}"#

        let reply = try await withServer {
            try await $0.send("POST", "/v1/chat/completions", try Self.body([("user", long)], schema))
        }

        #expect(try Self.content(reply) == #"{"title":"Where is the winch now"}"#)
    }

    @Test(arguments: [false, true]) func aPromptIsPassedToTheLanguageModel(streams: Bool) async throws {
        let usage = TokenUsage(promptTokens: 7, completionTokens: 2)
        let model = FakeLanguageModel(replies: [
            .text("<think>hm</think> The winch https://evil.example/x", usage: usage)
        ])
        var parts = ServerParts()
        parts.real = (
            parts.searching,
            AnswerService(
                searching: parts.searching,
                session: ModelSession(
                    model: model, prompts: try PromptLibrary(overrides: nil), now: { ServerTestSupport.Sample.now },
                    logger: parts.logger),
                turns: parts.store)
        )
        let sample = Self.prompts[7]

        let reply = try await withServer(parts) {
            try await $0.send(
                "POST", "/v1/chat/completions", try Self.body(sample.messages, streams ? #","stream":true"# : ""))
        }

        #expect(
            reply.text.contains(#""content":"The winch"#) && !reply.text.contains("evil") && !reply.text.contains("hm<")
        )
        #expect(streams || reply.text.contains(#""total_tokens":9"#))
        #expect(
            model.requests.map(\.messages) == [
                sample.messages.map { message in
                    PromptMessage(role: message.role == "system" ? .system : .user, content: message.content)
                }
            ])
        #expect(parts.searching.requests.isEmpty)
        #expect(try await parts.store.turns(of: "ada", limit: 9).isEmpty)
    }

    @Test func aModelThatFailsLeavesTheShortText() async throws {
        let model = FakeLanguageModel(replies: [.failure(after: [], .unreachable(reason: "down"))])
        var parts = ServerParts()
        parts.real = (
            parts.searching,
            AnswerService(
                searching: parts.searching,
                session: ModelSession(
                    model: model, prompts: try PromptLibrary(overrides: nil), now: { ServerTestSupport.Sample.now },
                    logger: parts.logger),
                turns: parts.store)
        )

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/v1/chat/completions", try Self.body(Self.prompts[1].messages))
        }

        #expect(try Self.content(reply) == #"{"tags":[]}"#)
    }
}
