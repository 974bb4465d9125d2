import ChatCore
import Foundation

/// The content of an error body, in any of the shapes of OpenAI, Ollama, vLLM, llama.cpp, TEI and FastAPI.
///
/// A service may repeat the request or the key in its message, so the message is only examined here and never passed
/// on.
struct ServiceErrorBody: Equatable {
    /// The service's own short code: 64 characters of `[A-Za-z0-9_.-]` at most, else ``unspecified``.
    private(set) var code = ServiceErrorBody.unspecified
    /// The HTTP status that the body itself names.
    private(set) var status: Int?
    /// The parameter of the request that it is about.
    private(set) var parameter: String?
    /// Whether the request, or an item of it, is larger than the service takes.
    private(set) var isTooLarge = false
    /// Whether the account has no credit left.
    private(set) var isQuotaExhausted = false
    /// Whether it is about a parameter that this model or server does not know.
    private(set) var rejectsParameter = false
    /// Whether the message speaks of `max_completion_tokens`.
    private(set) var namesCompletionTokens = false

    /// How much of a body that is not JSON is read.
    private static let plainByteLimit = 2_048

    /// The code of an error without one.
    static let unspecified = "unspecified"

    /// Reads any `data`; never fails.
    init(_ data: Data) {
        let value = try? JSONDecoder().decode(JSONValue.self, from: data)
        self.init(value ?? .string(String(decoding: data.prefix(Self.plainByteLimit), as: UTF8.self)))
    }

    /// Reads a JSON value: an object with an error in it.
    init(_ value: JSONValue) {
        let error = value["error"] ?? value
        read(error)
        if let details = value["detail"] { read(detail: details) }
        // TEI's own routes put the kind next to the text.
        if case .string = error, let kind = value["error_type"] { read(words: [kind]) }
    }

    /// Whether the body of a response with a good status is an error.
    static func isError(_ value: JSONValue) -> Bool {
        if let error = value["error"] { return error != .null }
        return value["object"] == .string("error")
    }
}

extension ServiceErrorBody {
    private mutating func read(_ error: JSONValue) {
        let message = error.text ?? error["message"]?.text ?? ""
        read(words: [error["code"], error["type"]].compactMap { $0 })
        parameter = error["param"]?.text
        read(message: message)
    }

    /// FastAPI: a text, or a list of `{loc, msg, type}`; `input` repeats the request and is not read.
    private mutating func read(detail: JSONValue) {
        if let text = detail.text { return read(message: text) }
        guard case .array(let items) = detail, let first = items.first else { return }
        read(words: [first["type"]].compactMap { $0 })
        if case .array(let place)? = first["loc"] { parameter = place.last?.text }
        read(message: first["msg"]?.text ?? "")
    }

    /// Codes and types: the first short word counts as the code, numbers as the status.
    private mutating func read(words: [JSONValue]) {
        for word in words {
            if let number = word.wholeNumber, let whole = Int(exactly: number) {
                if (400..<600).contains(whole) { status = status ?? whole }
            } else if let text = word.text {
                if let whole = Int(text), (400..<600).contains(whole) { status = status ?? whole }
                if code == Self.unspecified, Self.isShort(text) { code = text }
                read(word: text)
            }
        }
    }

    private mutating func read(word: String) {
        let word = word.lowercased()
        if Self.sizeWords.contains(word) { isTooLarge = true }
        if ["insufficient_quota", "billing_hard_limit_reached"].contains(word) { isQuotaExhausted = true }
        if Self.parameterWords.contains(word) { rejectsParameter = true }
    }

    private mutating func read(message: String) {
        let message = message.lowercased()
        namesCompletionTokens = message.contains("max_completion_tokens")
        if ["unsupported", "not support", "extra inputs"].contains(where: message.contains) { rejectsParameter = true }
        if parameter == nil {
            parameter = ["temperature", "stream_options", "response_format", "return_progress"].first(
                where: message.contains)
        }
        if parameter == nil, rejectsParameter, message.contains("stream") { parameter = "stream" }
        let isAboutAnswer = ["max_tokens", "max_completion_tokens"].contains(parameter)
        let isAboutTime = Self.timePhrases.contains(where: message.contains)
        if !isAboutAnswer, !isAboutTime, Self.sizePhrases.contains(where: message.contains) { isTooLarge = true }
    }

    private static func isShort(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "_.-".utf8.contains(byte)
            }
    }

    private static let sizeWords: Set<String> = [
        "context_length_exceeded", "exceed_context_size_error", "string_above_max_length", "array_above_max_length",
        "max_tokens_per_request", "too_long", "string_too_long",
    ]
    private static let parameterWords: Set<String> = [
        "unsupported_parameter", "unsupported_value", "extra_forbidden", "unknown_parameter",
    ]
    /// Phrases in the messages of OpenAI, vLLM, llama.cpp, Ollama and TEI.
    private static let sizePhrases = [
        "maximum context length", "exceeds the context length", "available context size", "too large", "too long",
        "tokens per request", "must have less than", "maximum allowed batch size", "exceeds the model's maximum",
        "exceeds maximum", "exceed the maximum", "longer than the maximum", "context window", "context size",
        "maximum sequence length", "physical batch size", "too many tokens",
    ]
    /// Phrases beside which "too long" is about time, and "too large" about load.
    private static let timePhrases = [
        "took too long", "taking too long", "takes too long", "waited too long", "waiting too long",
        "running too long", "too long to ", "queue",
    ]
}

extension JSONValue {
    /// The value at `key`; nil in anything but an object.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The text of a string.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if it is a whole one from 0 to 10⁹: no call takes more tokens, and sums of such counts always fit.
    var count: Int? {
        wholeNumber.flatMap { Int(exactly: $0)?.within(0...1_000_000_000) }
    }
}
