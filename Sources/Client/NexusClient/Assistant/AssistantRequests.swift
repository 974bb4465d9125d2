public import Foundation
public import NexusModel

/// A question to the assistant across conversations.
public struct AssistantQuestion: Hashable, Sendable, Encodable {
    /// The question.
    public var question: String
    /// The thread that it continues.
    public var threadId: String?
    /// Only messages of these conversations count; nil for all that the person may see.
    public var conversationIds: [String]?
    /// Only messages of these people count.
    public var senderIds: [String]?
    /// Only messages from this time on.
    public var from: Date?
    /// Only messages before this time.
    public var to: Date?
    /// Only messages up to then, which the answer says: a day such as `2026-10-01`, or a time.
    public var asOf: String?
    /// The number of sources, 1 to 50.
    public var topK: Int?
    /// The IANA name of the zone that decides what "Friday" means.
    public var timeZone: String?

    public init(
        _ question: String, threadId: String? = nil, conversationIds: [String]? = nil, senderIds: [String]? = nil,
        from: Date? = nil, to: Date? = nil, asOf: String? = nil, topK: Int? = nil, timeZone: String? = nil
    ) {
        self.question = question
        self.threadId = threadId
        self.conversationIds = conversationIds
        self.senderIds = senderIds
        self.from = from
        self.to = to
        self.asOf = asOf
        self.topK = topK
        self.timeZone = timeZone
    }
}

/// A question to the assistant of one conversation.
public struct ConversationQuestion: Hashable, Sendable, Encodable {
    /// The question.
    public var text: String
    /// The IANA name of the asker's zone.
    public var timeZone: String?
    /// The language of the answer, such as `de`.
    public var language: String?

    public init(_ text: String, timeZone: String? = nil, language: String? = nil) {
        self.text = text
        self.timeZone = timeZone
        self.language = language
    }
}

/// The messages that a summary is about.
public struct SummaryRequest: Hashable, Sendable, Encodable {
    /// The beginning of the messages.
    public enum Start: Hashable, Sendable {
        /// The beginning of the conversation.
        case beginning
        /// The messages from this time on.
        case since(Date)
        /// The messages after this one.
        case after(messageId: String)
        /// The messages of others after this one: the last message that the person read.
        case unread(after: String)
    }

    /// Where the messages begin.
    public var start: Start
    /// Only the thread that begins with this message.
    public var threadId: String?
    /// Only messages of this person.
    public var senderId: String?
    /// The IANA name of the zone in which days are written.
    public var timeZone: String?
    /// The language of the summary, such as `de`; otherwise that of most messages.
    public var language: String?

    public init(
        from start: Start = .beginning, threadId: String? = nil, senderId: String? = nil, timeZone: String? = nil,
        language: String? = nil
    ) {
        self.start = start
        self.threadId = threadId
        self.senderId = senderId
        self.timeZone = timeZone
        self.language = language
    }

    private enum Keys: String, CodingKey {
        case since, after, unread, threadId, senderId, timeZone, language
    }

    /// Writes the fields of the request.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        switch start {
        case .beginning: break
        case .since(let time): try fields.encode(time, forKey: .since)
        case .after(let message): try fields.encode(message, forKey: .after)
        case .unread(let message):
            try fields.encode(message, forKey: .after)
            try fields.encode(true, forKey: .unread)
        }
        try fields.encodeIfPresent(threadId, forKey: .threadId)
        try fields.encodeIfPresent(senderId, forKey: .senderId)
        try fields.encodeIfPresent(timeZone, forKey: .timeZone)
        try fields.encodeIfPresent(language, forKey: .language)
    }
}

/// A search for messages, without a language model.
public struct MessageSearch: Hashable, Sendable, Encodable {
    /// Content that a message has besides its words.
    public enum Kind: String, Hashable, Sendable, Encodable, CaseIterable {
        /// A file of any kind.
        case file
        /// A picture.
        case image
        /// A sound.
        case audio
        /// A film.
        case video
        /// Another file, such as a PDF or a table.
        case document
        /// An address of the web.
        case link
    }

    /// The words or the meaning to look for.
    public var query: String
    /// Only messages of these conversations count.
    public var conversationIds: [String]?
    /// Only messages of these people count.
    public var senderIds: [String]?
    /// Only messages from this time on.
    public var from: Date?
    /// Only messages before this time.
    public var to: Date?
    /// Only messages with content of one of these kinds count.
    public var kinds: [Kind]?
    /// The most results of a page, 1 to 50.
    public var topK: Int?
    /// Where an earlier page ended; see ``NexusAssistant/searchPage(_:)``.
    public var cursor: String?

    public init(
        _ query: String, conversationIds: [String]? = nil, senderIds: [String]? = nil, from: Date? = nil,
        to: Date? = nil, kinds: [Kind]? = nil, topK: Int? = nil
    ) {
        self.query = query
        self.conversationIds = conversationIds
        self.senderIds = senderIds
        self.from = from
        self.to = to
        self.kinds = kinds
        self.topK = topK
    }
}

/// A request for what messages state about a subject.
public struct TimelineRequest: Hashable, Sendable, Encodable {
    /// A few words, or a question.
    public var subject: String
    /// Only messages of these conversations count.
    public var conversationIds: [String]?
    /// Only messages of these people count.
    public var senderIds: [String]?
    /// Only messages up to then: a day such as `2026-10-01`, or a time.
    public var asOf: String?
    /// The IANA name of the zone in which the day ends.
    public var timeZone: String?

    public init(
        _ subject: String, conversationIds: [String]? = nil, senderIds: [String]? = nil, asOf: String? = nil,
        timeZone: String? = nil
    ) {
        self.subject = subject
        self.conversationIds = conversationIds
        self.senderIds = senderIds
        self.asOf = asOf
        self.timeZone = timeZone
    }
}

/// What a person says about a message and a later one.
public struct NewVerdict: Hashable, Sendable, Encodable {
    /// What is said.
    public enum Word: String, Sendable, Encodable {
        /// The later message replaced the earlier one.
        case replaced
        /// The earlier message still holds.
        case holds
        /// Takes back what the person said.
        case none
    }

    /// What is said.
    public var verdict: Word
    /// The earlier message.
    public var message: MessagePlace
    /// The later message.
    public var replacedBy: MessagePlace
    /// The offset of a statement in the earlier message, as ``ChatTimeline/Entry/start``; nil for the whole message.
    public var start: Int?
    /// The offset after the statement.
    public var end: Int?

    public init(
        _ verdict: Word, message: MessagePlace, replacedBy: MessagePlace, start: Int? = nil, end: Int? = nil
    ) {
        self.verdict = verdict
        self.message = message
        self.replacedBy = replacedBy
        self.start = start
        self.end = end
    }
}

/// Dates of this library's requests are texts in JSON.
extension KeyedEncodingContainer {
    mutating func encode(_ date: Date, forKey key: Key) throws { try encode(TimeText.text(date), forKey: key) }

    mutating func encodeIfPresent(_ date: Date?, forKey key: Key) throws {
        try encodeIfPresent(date.map { TimeText.text($0) }, forKey: key)
    }
}
