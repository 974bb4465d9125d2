public import Foundation

/// A place in a file of a message.
public struct FilePlace: Hashable, Sendable, Codable {
    /// The file.
    public var fileId: String
    /// Its name.
    public var name: String
    /// What the number counts: `page`, `sheet`, `slide` or `part` (of a mail); nil for a file without parts.
    ///
    /// A later server may send other words.
    public var unit: Unit?
    /// The part, from 1.
    public var number: Int?
    /// The name of the part, for example of a sheet; nil if its number is its name.
    public var label: String?

    public init(fileId: String, name: String, unit: Unit? = nil, number: Int? = nil, label: String? = nil) {
        self.fileId = fileId
        self.name = name
        self.unit = unit
        self.number = number
        self.label = label
    }
}

/// The reply of `POST /v1/search`.
public struct ChatSearchResult: Hashable, Sendable, Codable {
    /// A message that was found.
    public struct Found: Hashable, Sendable, Codable {
        /// The message.
        public var messageId: String
        /// Its conversation.
        public var conversationId: String
        /// The conversation's name.
        public var conversationName: String
        /// Its whole text, with captions and names of files, but without the words of text files.
        public var text: String
        /// The sentences that were found, at most 300 characters; nil from an older server.
        public var excerpt: String?
        /// The offset of the excerpt in the text, in UTF-16 code units; nil within a file.
        public var start: Int?
        /// The offset after the excerpt.
        public var end: Int?
        /// Where in one of its files the excerpt is; nil if it is in the text.
        public var file: FilePlace?
        /// Its files; nil for none.
        public var attachments: [ChatMessage.Attachment]?
        /// The writer.
        public var senderId: String?
        /// The writer's name.
        public var senderName: String
        /// When it was written.
        public var timestamp: Date?
        /// For display, 0...1; the order is that of the list.
        public var score: Double?
        /// A link to it in the application that it came from.
        public var url: String?
        /// Other messages that say the same, newest first; nil for none.
        public var duplicates: [MessagePlace]?
        /// The signals behind its rank; only if requested.
        public var explanation: [SearchSignal]?
        /// The found part of a long text; only if an explanation was requested, and not within a file.
        public var passage: Passage?

        public init(
            messageId: String, conversationId: String, conversationName: String, text: String, excerpt: String? = nil,
            senderId: String? = nil, senderName: String, timestamp: Date? = nil, score: Double? = nil
        ) {
            self.messageId = messageId
            self.conversationId = conversationId
            self.conversationName = conversationName
            self.text = text
            self.excerpt = excerpt
            self.senderId = senderId
            self.senderName = senderName
            self.timestamp = timestamp
            self.score = score
        }

        /// Where a tap on the result leads.
        public var place: MessagePlace { MessagePlace(conversationId: conversationId, messageId: messageId) }
    }

    /// A part of a long message.
    public struct Passage: Hashable, Sendable, Codable {
        /// Its place among the passages of the message, from 0.
        public var ordinal: Int
        /// Its start, in characters of the text.
        public var start: Int
        /// Its end, in characters of the text.
        public var end: Int

        public init(ordinal: Int, start: Int, end: Int) {
            self.ordinal = ordinal
            self.start = start
            self.end = end
        }
    }

    /// How the messages were found.
    public struct Retrieval: Hashable, Sendable, Codable {
        /// The signals that the search used, such as `hybrid`.
        public var mode: String
        /// The embedding generation that was searched.
        public var generation: Int64?
        /// The hash of the search's settings.
        public var configuration: String
        /// Deviations from the configuration.
        public var notes: [String]

        public init(mode: String, generation: Int64?, configuration: String, notes: [String]) {
            self.mode = mode
            self.generation = generation
            self.configuration = configuration
            self.notes = notes
        }
    }

    /// The messages, best first.
    public var results: [Found]
    /// The reason if there is no basis for an answer; nil from a server that does not say.
    public var noAnswerReason: NoAnswerReason?
    /// How the messages were found; nil from a server that does not say.
    public var retrieval: Retrieval?
    /// The cursor of the next page; nil if there is none.
    public var next: String?

    public init(results: [Found], noAnswerReason: NoAnswerReason? = nil, retrieval: Retrieval? = nil) {
        self.results = results
        self.noAnswerReason = noAnswerReason
        self.retrieval = retrieval
    }
}

/// One signal for or against a message.
public struct SearchSignal: Hashable, Sendable, Codable {
    /// A stable word, such as `cosine`.
    public var name: String
    /// The value before any weight.
    public var value: Double
    /// Its share of the score that decides the order.
    public var contribution: Double
    /// The message's rank by this signal alone, from 1; nil if the signal does not rank.
    public var rank: Int?

    public init(name: String, value: Double, contribution: Double, rank: Int? = nil) {
        self.name = name
        self.value = value
        self.contribution = contribution
        self.rank = rank
    }
}

extension FilePlace {
    /// What the parts of a file are.
    public enum Unit: OpenWord {
        /// Pages.
        case page
        /// Sheets.
        case sheet
        /// Slides.
        case slide
        /// Parts of a mail.
        case part
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Unit] = [.page, .sheet, .slide, .part]

        /// The word.
        public var rawValue: String {
            switch self {
            case .page: "page"
            case .sheet: "sheet"
            case .slide: "slide"
            case .part: "part"
            case .unknown(let word): word
            }
        }
    }
}
