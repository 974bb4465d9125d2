public import Foundation

/// The reply of `POST /v1/timeline`: what messages state about a subject, and what was replaced.
public struct ChatTimeline: Hashable, Sendable, Codable {
    /// A sentence of a message that states something.
    public struct Entry: Hashable, Sendable, Codable {
        /// The message; one with several such sentences has several entries.
        public var messageId: String
        /// Its conversation.
        public var conversationId: String
        /// The conversation's name.
        public var conversationName: String
        /// The writer.
        public var senderId: String
        /// The writer's name.
        public var senderName: String
        /// When it was written.
        public var timestamp: Date?
        /// The sentence, at most 300 characters.
        public var excerpt: String
        /// The offset of the sentence in the message's text, in UTF-16 code units; nil within a file.
        public var start: Int?
        /// The offset after the sentence.
        public var end: Int?
        /// Where in one of its files the sentence is; nil if it is in the text.
        public var file: FilePlace?
        /// What it states, in order of the text.
        public var states: [Value]
        /// The later message that replaces it; nil if none was found.
        public var replacedBy: MessagePlace?
        /// Earlier messages of the timeline that it replaces, newest first; nil for none.
        public var replaces: [MessagePlace]?
        /// What a person said last about it and a later message; nil if nobody did.
        public var verdict: ChatVerdict?
        /// A link to it in the application that it came from.
        public var url: String?

        public init(
            messageId: String, conversationId: String, conversationName: String, senderId: String, senderName: String,
            timestamp: Date? = nil, excerpt: String, states: [Value], replacedBy: MessagePlace? = nil,
            replaces: [MessagePlace]? = nil
        ) {
            self.messageId = messageId
            self.conversationId = conversationId
            self.conversationName = conversationName
            self.senderId = senderId
            self.senderName = senderName
            self.timestamp = timestamp
            self.excerpt = excerpt
            self.states = states
            self.replacedBy = replacedBy
            self.replaces = replaces
        }

        /// Where a tap on the entry leads.
        public var place: MessagePlace { MessagePlace(conversationId: conversationId, messageId: messageId) }
    }

    /// Something that a sentence states.
    public struct Value: Hashable, Sendable, Codable {
        /// `date`, `time`, `amount`, `place`, `person` or `decision`; a later server may send other words.
        public var kind: String
        /// The words of the message.
        public var text: String
        /// The same for programs: a day as `2026-10-27`, several as `2026-10-27/2026-10-29`, a time as `14:30`, an
        /// amount without its unit; nil if the words can be read in several ways.
        public var value: String?
        /// Whether a later message replaces it; nil if not: a replaced sentence may state other values that still count.
        public var isReplaced: Bool?

        public init(kind: String, text: String, value: String? = nil, isReplaced: Bool? = nil) {
            self.kind = kind
            self.text = text
            self.value = value
            self.isReplaced = isReplaced
        }
    }

    /// The entries, newest first: one that replaces others comes before them.
    public var entries: [Entry]
    /// The day up to whose end messages were read, as `2026-10-01`, or a time; nil for the present.
    public var asOf: String?
    /// Why there is nothing to read; nil from a server that does not say.
    public var noAnswerReason: NoAnswerReason?

    public init(entries: [Entry], asOf: String? = nil, noAnswerReason: NoAnswerReason? = nil) {
        self.entries = entries
        self.asOf = asOf
        self.noAnswerReason = noAnswerReason
    }
}
