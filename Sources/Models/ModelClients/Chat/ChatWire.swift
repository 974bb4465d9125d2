import ChatCore
import Foundation

/// The parameters that a service is known to accept.
///
/// Parameters are only ever removed.
struct ChatDialect: Equatable, Sendable {
    /// Whether `max_completion_tokens` takes the place of `max_tokens`.
    var usesCompletionTokens = false
    /// Whether `temperature` may be sent.
    var takesTemperature = true
    /// Whether `stream_options` may be sent.
    var takesStreamOptions = true
    /// Whether an answer may be requested piece by piece.
    var takesStream = true
    /// Whether the service may be asked how much of the prompt it has read: a parameter of llama.cpp's server.
    var takesProgress = false
    /// The strongest supported way to request a reply's form.
    var replyFormat = ReplyFormat.schema

    /// Learns from a refusal; returns whether there was anything to learn, so that another try makes sense.
    mutating func learn(from refusal: ServiceErrorBody) -> Bool {
        let before = self
        let isAboutLimit = refusal.parameter == "max_tokens" && refusal.rejectsParameter
        if isAboutLimit || refusal.namesCompletionTokens { usesCompletionTokens = true }
        if refusal.parameter == "temperature" { takesTemperature = false }
        if refusal.parameter == "stream_options" { takesStreamOptions = false }
        if refusal.parameter == "stream" { takesStream = false }
        if refusal.parameter == "return_progress" { takesProgress = false }
        if refusal.parameter?.hasPrefix("response_format") == true { replyFormat = replyFormat.narrower }
        return self != before
    }

    /// Adds the restrictions that another request has learned.
    mutating func merge(_ other: ChatDialect) {
        usesCompletionTokens = usesCompletionTokens || other.usesCompletionTokens
        takesTemperature = takesTemperature && other.takesTemperature
        takesStreamOptions = takesStreamOptions && other.takesStreamOptions
        takesStream = takesStream && other.takesStream
        takesProgress = takesProgress && other.takesProgress
        replyFormat = min(replyFormat, other.replyFormat)
    }
}

/// The values of `response_format` that a service accepts.
enum ReplyFormat: Int, Comparable {
    case none
    /// Any JSON object; llama-cpp-python and Together take the schema along with it.
    case object
    case schema

    /// The next value to try when this one is refused.
    var narrower: ReplyFormat { ReplyFormat(rawValue: rawValue - 1) ?? .none }

    static func < (left: ReplyFormat, right: ReplyFormat) -> Bool { left.rawValue < right.rawValue }
}

/// The body of a request for a chat completion; nil fields are not sent.
struct ChatRequestBody: Encodable {
    private let model: String
    private let messages: [PromptMessage]
    private let maxTokens: Int?
    private let maxCompletionTokens: Int?
    private let temperature: Double?
    private let stream: Bool
    private let streamOptions: [String: Bool]?
    private let responseFormat: JSONValue?
    private let returnProgress: Bool?

    private enum CodingKeys: String, CodingKey {
        case model, messages, temperature, stream
        case maxTokens = "max_tokens"
        case maxCompletionTokens = "max_completion_tokens"
        case streamOptions = "stream_options"
        case responseFormat = "response_format"
        case returnProgress = "return_progress"
    }

    init(_ request: GenerationRequest, settings: ChatServiceSettings, dialect: ChatDialect) {
        model = settings.model
        messages = request.messages
        maxTokens = dialect.usesCompletionTokens ? nil : request.maximumTokenCount
        maxCompletionTokens = dialect.usesCompletionTokens ? request.maximumTokenCount : nil
        temperature =
            dialect.takesTemperature ? (request.isTask ? settings.taskTemperature : settings.temperature) : nil
        stream = dialect.takesStream
        streamOptions = dialect.takesStream && dialect.takesStreamOptions ? ["include_usage": true] : nil
        responseFormat = request.replySchema.flatMap { Self.format($0, dialect.replyFormat) }
        returnProgress = request.streams && dialect.takesStream && dialect.takesProgress ? true : nil
    }
}

extension ChatRequestBody {
    private static func format(_ reply: ReplySchema, _ format: ReplyFormat) -> JSONValue? {
        switch format {
        case .none: nil
        case .object: .object(["type": .string("json_object"), "schema": reply.schema])
        case .schema:
            .object([
                "type": .string("json_schema"),
                "json_schema": .object(["name": .string(reply.name), "strict": .bool(true), "schema": reply.schema]),
            ])
        }
    }
}

/// A chat completion, or one frame of a streamed one.
///
/// Unknown fields are ignored.
struct ChatReplyBody: Decodable {
    /// The text of the first choice; empty if there is none.
    let text: String
    /// Whether it is a piece of the thoughts that some models write before the answer.
    let isThinking: Bool
    /// Why the first choice ended; nil while it continues.
    let finishReason: FinishReason?
    /// The tokens counted so far, if the service reports them.
    let usage: TokenUsage?
    /// The share of the prompt that llama.cpp's server has read, 0...1; nil if the frame does not say.
    let readShare: Double?
    /// Whether there is a choice at all.
    let hasChoice: Bool
    /// Whether it is an error instead.
    let isError: Bool

    private struct Choice: Decodable {
        let message: JSONValue?
        let delta: JSONValue?
        let finishReason: String?

        private enum CodingKeys: String, CodingKey {
            case message, delta
            case finishReason = "finish_reason"
        }

        /// A text, or the texts of a list of parts.
        var text: String {
            let content = (delta ?? message)?["content"]
            if case .array(let parts)? = content { return parts.compactMap { $0["text"]?.text }.joined() }
            return content?.text ?? ""
        }

        var isThinking: Bool {
            ["reasoning_content", "reasoning", "thinking"].contains { delta?[$0]?.text?.isEmpty == false }
        }
    }

    private struct Progress: Decodable {
        let total: Double
        let processed: Double

        /// Tokens of its cache count as read.
        var share: Double? { total > 0 && (0...total).contains(processed) ? processed / total : nil }
    }

    private enum CodingKeys: String, CodingKey {
        case choices, usage, error, object
        case progress = "prompt_progress"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let choice = try container.decodeIfPresent([Choice].self, forKey: .choices)?.first
        text = choice?.text ?? ""
        isThinking = choice?.isThinking ?? false
        finishReason = choice?.finishReason.flatMap(FinishReason.init(word:))
        readShare = (try? container.decodeIfPresent(Progress.self, forKey: .progress))?.share
        hasChoice = choice != nil
        usage = TokenUsage(ServiceUsage(try? container.decodeIfPresent(JSONValue.self, forKey: .usage)))
        let object = try? container.decodeIfPresent(String.self, forKey: .object)
        isError = try container.decodeIfPresent(JSONValue.self, forKey: .error) != nil || object == "error"
    }
}

extension FinishReason {
    /// Reads the service's word; some services send an empty one while the answer continues.
    fileprivate init?(word: String) {
        switch word {
        case "": return nil
        case "stop": self = .stop
        case "length": self = .length
        case "content_filter": self = .contentFilter
        default: self = .other(String(word.prefix(64)))
        }
    }
}

extension TokenUsage {
    fileprivate init?(_ usage: ServiceUsage) {
        guard let prompt = usage.promptTokens else { return nil }
        self.init(promptTokens: prompt, completionTokens: usage.completionTokens ?? 0)
    }
}
