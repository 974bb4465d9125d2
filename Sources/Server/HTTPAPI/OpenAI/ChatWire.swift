import Assistant
import ChatCore
import NIOCore
import NexusModel

/// A value that is written as null if it is missing, as OpenAI clients expect for some fields.
struct OrNull<Value: Encodable>: Encodable {
    let value: Value?

    init(_ value: Value?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension OrNull: Sendable where Value: Sendable {}

/// The tokens of an answer; zeros if no service counted them.
struct ChatUsage: Encodable {
    private enum CodingKeys: String, CodingKey {
        case promptTokens = "prompt_tokens"
        case completionTokens = "completion_tokens"
        case totalTokens = "total_tokens"
    }

    let promptTokens: Int
    let completionTokens: Int
    let totalTokens: Int

    init(_ usage: TokenUsage?) {
        promptTokens = usage?.promptTokens ?? 0
        completionTokens = usage?.completionTokens ?? 0
        totalTokens = promptTokens.addingClamped(completionTokens)
    }
}

/// A citation in the format of chat completions.
struct ChatAnnotation: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type
        case link = "url_citation"
    }

    let type = "url_citation"
    let link: CitedLink
}

/// A message of the assistant, whole or a piece of it; `sources` and `citations` are an extension, written as in the
/// answer of `POST /v1/ask`.
struct CompletionMessage: Encodable {
    var role: String?
    var content: String?
    var sources: [ChatAnswer.Source]?
    var citations: [ChatAnswer.Citation]?
    var annotations: [ChatAnnotation]?

    /// Adds the sources and citations of the answer.
    mutating func add(_ answer: OpenAIAnswer) {
        annotations = answer.links.map { ChatAnnotation(link: $0) }
        (sources, citations) = (answer.sources, answer.citations)
    }
}

/// An answer, or a chunk of one.
struct ChatCompletion: Encodable {
    /// The only choice: `message` in a whole answer, `delta` in a chunk.
    struct Choice: Encodable {
        private enum CodingKeys: String, CodingKey {
            case index, message, delta, logprobs
            case finishReason = "finish_reason"
        }

        let index = 0
        var message: CompletionMessage?
        var delta: CompletionMessage?
        let logprobs = OrNull<String>(nil)
        let finishReason: OrNull<String>
    }

    let id: String
    let object: String
    /// Seconds since 1970.
    let created: Int64
    let model = ChatFields.model
    let choices: [Choice]
    /// Left out of chunks if the client did not request it; otherwise null in all chunks except the last.
    let usage: OrNull<ChatUsage>?

    /// Makes the wire form of a whole answer.
    init(_ answer: Answer, id: String, askedAt moment: Timestamp, listing: OpenAIListing) {
        let said = OpenAIAnswer(answer, links: listing.links)
        var message = CompletionMessage(role: "assistant", content: said.text + listing.list(of: said))
        message.add(said)
        self.init(
            id: id, object: "chat.completion", moment: moment,
            choices: [Choice(message: message, finishReason: OrNull(said.finishReason))],
            usage: OrNull(ChatUsage(answer.usage)))
    }

    init(id: String, object: String, moment: Timestamp, choices: [Choice], usage: OrNull<ChatUsage>?) {
        self.id = id
        self.object = object
        created = moment.milliseconds / 1_000
        self.choices = choices
        self.usage = usage
    }
}

extension OpenAIAnswer {
    /// The reason for its end, in the words of chat completions.
    fileprivate var finishReason: String {
        incompleteReason == "max_output_tokens" ? "length" : incompleteReason ?? "stop"
    }
}

/// The stream of `POST /v1/chat/completions`: chunks in `data:` lines, `[DONE]` last; a failure is a chunk with
/// `error`.
struct ChatFrames: AnswerFrames {
    let id: String
    let includesUsage: Bool
    let listing: OpenAIListing
    /// A comment, like that of similar services.
    let heartbeat: ByteBuffer? = ByteBuffer(string: ":\n\n")

    func frame(_ event: Assistant.AnswerEvent, number: Int, askedAt moment: Timestamp) throws -> ByteBuffer? {
        switch event {
        case .retrieved: try chunk(CompletionMessage(role: "assistant", content: ""), at: moment)
        case .delta(let text): try chunk(CompletionMessage(content: text), at: moment)
        case .progress, .reading, .citation, .checked: nil
        case .done(let answer): try end(answer, at: moment)
        }
    }

    func frame(_ failure: Failure, number: Int) throws -> ByteBuffer { try frame(OpenAIErrorBody(failure)) }

    private func end(_ answer: Answer, at moment: Timestamp) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let said = OpenAIAnswer(answer, links: listing.links)
        let list = listing.list(of: said)
        if !list.isEmpty { buffer.writeImmutableBuffer(try chunk(CompletionMessage(content: list), at: moment)) }
        var delta = CompletionMessage()
        delta.add(said)
        buffer.writeImmutableBuffer(try chunk(delta, reason: said.finishReason, at: moment))
        if includesUsage {
            let usage = OrNull(ChatUsage(answer.usage))
            buffer.writeImmutableBuffer(try frame(completion([], usage: usage, at: moment)))
        }
        buffer.writeString("data: [DONE]\n\n")
        return buffer
    }

    private func chunk(_ delta: CompletionMessage, reason: String? = nil, at moment: Timestamp) throws -> ByteBuffer {
        let choice = ChatCompletion.Choice(delta: delta, finishReason: OrNull(reason))
        return try frame(completion([choice], usage: includesUsage ? OrNull(nil) : nil, at: moment))
    }

    private func completion(
        _ choices: [ChatCompletion.Choice], usage: OrNull<ChatUsage>?, at moment: Timestamp
    ) -> ChatCompletion {
        ChatCompletion(id: id, object: "chat.completion.chunk", moment: moment, choices: choices, usage: usage)
    }

    private func frame(_ value: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "data: ")
        buffer.writeBytes(try WireEncoding.data(value))
        buffer.writeString("\n\n")
        return buffer
    }
}
