import Assistant
import ChatCore

/// Recognises prompts that a chat program sends by itself, for a title, tags, follow-up questions, search queries or the
/// rest of a text: they are no questions of a person.
///
/// It goes by their structure: a task with headings, a transcript between tags or with the names of roles, or an order
/// that limits the length and the form of a text about the chat. The forms were seen in Open WebUI, LibreChat, LobeChat,
/// NextChat, Jan, Goose and n8n; see docs/integrations.md.
struct ClientPrompt {
    /// The messages of the request, with their roles.
    let messages: [PromptMessage]
    /// The text in which the program says what it wants.
    private let order: String
    /// The chat that it wants it of, if the same message holds it.
    private let transcript: String?

    /// Returns nil if a person asks.
    init?(_ messages: [PromptMessage]) {
        guard let last = messages.last else { return nil }
        let before = messages.dropLast()
        if last.role == .system {
            // Programs add a system message behind an answer to get something about the chat.
            guard before.last?.role == .assistant else { return nil }
            self.init(messages, order: last.content, transcript: nil)
        } else if let parts = Self.parts(of: last.content) {
            self.init(messages, order: parts.order, transcript: parts.transcript)
        } else if [last.content, String(last.content.prefix(Self.orderLength))].contains(where: Self.isOrder) {
            self.init(messages, order: last.content, transcript: nil)
        } else if let system = Self.only(.system, in: before), PromptWords(system).areOrder {
            self.init(messages, order: system, transcript: last.content)
        } else {
            return nil
        }
    }

    /// Takes a request that says itself that nothing is to be searched.
    init(ofTask messages: [PromptMessage]) {
        let last = messages.last?.content ?? ""
        self = ClientPrompt(messages) ?? ClientPrompt(messages, order: last, transcript: last)
    }

    /// The length of an order at the beginning of a text that goes on with the words of a person.
    private static let orderLength = 400

    private static func isOrder(_ text: String) -> Bool { PromptWords(text).areOrder }

    private init(_ messages: [PromptMessage], order: String, transcript: String?) {
        (self.messages, self.order, self.transcript) = (messages, order, transcript)
    }

    /// Returns the texts of messages that all have a role; nil if there is another message, or none.
    private static func only(_ role: PromptRole, in messages: ArraySlice<PromptMessage>) -> String? {
        guard !messages.isEmpty, messages.allSatisfy({ $0.role == role }) else { return nil }
        return messages.map(\.content).joined(separator: "\n")
    }
}

// The parts of a prompt.
extension ClientPrompt {
    /// The tags around a chat that programs put into a prompt; only the first one is proof enough.
    private static let tags = [
        "chat_history", "conversation", "conversation_history", "chat", "messages", "transcript",
    ]
    /// The tags around material for an answer: then it is a question of a person.
    private static let material = ["<context>", "<user_query>", "<documents>", "<source "]
    /// The names of the person in a transcript, and of the program.
    private static let personNames = ["user:", "human:", "**user**:", "**user:**", "<user>"]
    private static let programNames = ["assistant:", "ai:", "bot:", "model:", "**assistant**:", "<assistant>"]

    /// Separates what a program wants from the chat that it wants it of; nil for the words of a person.
    private static func parts(of text: String) -> (order: String, transcript: String?)? {
        for tag in tags {
            guard let opening = text.firstRange(of: "<\(tag)>"),
                let closing = text.ranges(of: "</\(tag)>").last, opening.upperBound <= closing.lowerBound
            else { continue }
            let order = String(text[..<opening.lowerBound]) + "\n" + String(text[closing.upperBound...])
            guard !material.contains(where: { order.contains($0) }) else { return nil }
            guard tag == tags[0] || PromptWords(order).nameProduct else { continue }
            return (order, String(text[opening.upperBound..<closing.lowerBound]))
        }
        guard !material.contains(where: { text.contains($0) }) else { return nil }
        if isSheet(text) { return (text, nil) }
        guard let start = transcriptStart(in: text) else { return nil }
        let order = String(text[..<start])
        return PromptWords(order).areShortOrder ? (order, String(text[start...])) : nil
    }

    /// Whether a text is a task under headings, which also says what form the result has.
    private static func isSheet(_ text: String) -> Bool {
        let headings = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("##") }
            .map { $0.drop { $0 == "#" || $0 == " " || $0 == "*" }.lowercased() }
        guard text.trimmingWhitespace().hasPrefix("##"), headings.count > 1, let first = headings.first else {
            return false
        }
        return PromptWords.taskHeadings.contains { first.hasPrefix($0) }
            && (ReplyForm.skeleton(in: text) != nil || PromptWords(text).nameProduct)
    }

    /// Returns where a transcript begins: with a line of the person, if the program says something too.
    private static func transcriptStart(in text: String) -> String.Index? {
        var start: String.Index?
        for line in text.split(whereSeparator: \.isNewline) {
            let name = line.prefix(16).lowercased()
            if personNames.contains(where: { name.hasPrefix($0) }) { start = start ?? line.startIndex }
            if start != nil, programNames.contains(where: { name.hasPrefix($0) }) { return start }
        }
        return nil
    }
}

// What is said without a language model.
extension ClientPrompt {
    /// The most words and characters of a title.
    private static let titleWordCount = 6
    private static let titleLength = 60

    /// A short text in the form that the program wants, which nobody takes for an answer.
    func fallback(schema: JSONValue?) -> String {
        guard let form = ReplyForm(schema: schema) ?? ReplyForm.skeleton(in: order) else { return title }
        let value: JSONValue =
            if form.isList { .array([]) } else { .string(form.key == "title" ? title : "") }
        let data = try? WireEncoding.data(JSONValue.object([form.key: value]))
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The first words of the person.
    private var title: String {
        let words = (firstQuestion ?? "").split(whereSeparator: \.isWhitespace).prefix(Self.titleWordCount)
        var title = words.joined(separator: " ")
        while title.count > Self.titleLength, let space = title.lastIndex(of: " ") { title = String(title[..<space]) }
        title = String(title.prefix(Self.titleLength))
        while let last = title.last, last.isPunctuation || last.isWhitespace { title.removeLast() }
        return title.isEmpty ? "Chat" : title
    }

    private var firstQuestion: String? {
        if let transcript, let said = Self.firstWords(of: transcript) { return said }
        if let said = messages.dropLast().first(where: { $0.role == .user })?.content { return said }
        if let transcript, messages.last?.content == transcript {
            let lines = transcript.split(whereSeparator: \.isNewline).map { String($0).trimmingWhitespace() }
            return lines.first { $0.first.map { !"-<#`".contains($0) } == true }
        }
        // "Here is the message: …"
        let line = order.split(whereSeparator: \.isNewline).last { $0.contains(": ") }
        return line.flatMap { line in line.ranges(of: ": ").first.map { String(line[$0.upperBound...]) } }
    }

    /// Returns the first line of the person in a transcript.
    private static func firstWords(of transcript: String) -> String? {
        let lines = transcript.split(whereSeparator: \.isNewline).map { String($0).trimmingWhitespace() }
        for (place, line) in lines.enumerated() {
            let name = line.prefix(16).lowercased()
            guard let known = personNames.first(where: { name.hasPrefix($0) }) else { continue }
            let rest = String(line.dropFirst(known.count)).trimmingWhitespace()
            let said = rest.isEmpty ? lines[(place + 1)...].first { !$0.isEmpty } : rest
            return said.map { $0.replacing("</user>", with: "") }
        }
        return nil
    }
}

/// The JSON object that a program wants: its first field.
struct ReplyForm {
    let key: String
    let isList: Bool

    private init(key: String, isList: Bool) { (self.key, self.isList) = (key, isList) }

    /// Reads the first required field of a JSON schema; nil for none.
    init?(schema: JSONValue?) {
        guard case .object(let fields) = schema, case .object(let properties) = fields["properties"] else { return nil }
        var key = properties["title"] == nil ? properties.keys.min() : "title"
        if case .array(let required) = fields["required"], case .string(let first) = required.first { key = first }
        guard let key, case .object(let property) = properties[key] else { return nil }
        self.init(key: key, isList: property["type"] == .string("array"))
    }

    /// Returns the form of the first object in a prompt, as `{"tags": ["one", "two"]}`; nil for none.
    static func skeleton(in text: String) -> ReplyForm? {
        guard let match = text.prefix(16_384).firstMatch(of: /\{\s*"([A-Za-z_]{1,40})"\s*:\s*(\[|")/) else {
            return nil
        }
        return ReplyForm(key: String(match.1), isList: match.2 == "[")
    }
}
