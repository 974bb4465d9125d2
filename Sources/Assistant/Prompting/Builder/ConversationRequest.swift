package import ChatCore
import Foundation
import TextAnalysis

/// The content of a prompt about one conversation.
package struct ConversationRequest: Hashable, Sendable {
    /// A participant of the conversation.
    package struct Participant: Hashable, Sendable {
        /// The participant's name in the conversation.
        package var name: String
        /// Other names that people use.
        package var aliases: [String]
        /// Whether this one asks.
        package var isAsker: Bool
        /// Whether the participant is a member now; nil for someone who never was, and only reads or writes.
        package var isPresent: Bool?
        /// Whether it is a program.
        package var isProgram: Bool

        package init(
            name: String, aliases: [String] = [], isAsker: Bool = false, isPresent: Bool? = true,
            isProgram: Bool = false
        ) {
            self.name = name
            self.aliases = aliases
            self.isAsker = isAsker
            self.isPresent = isPresent
            self.isProgram = isProgram
        }
    }

    /// The question.
    package var question: String
    /// Earlier exchanges, oldest first.
    package var history: [PromptExchange]
    /// The name of the conversation.
    package var name: String
    /// The participants.
    package var participants: [Participant]
    /// Messages in order of time: those that may be shown, and those that summaries cite.
    package var messages: [PromptSource]
    /// The places of the messages that may be shown; the last ones are left out first.
    package var shown: [Int]
    /// How many of the first ones of ``shown`` are in no summary: without them something is missing.
    package var requiredCount: Int
    /// Summaries of messages that are not shown, in order of time.
    package var summaries: [SummaryText]
    /// The number of messages in the conversation or in the requested part.
    package var messageCount: Int
    /// The dates of the first and the last message; nil without messages.
    package var dates: ClosedRange<Timestamp>?
    /// Whether only some of its messages were requested.
    package var isFiltered: Bool
    /// Whether messages are neither shown nor summarized.
    package var isMissing: Bool
    /// The requested language.
    package var language = AnswerLanguage.ofRequest
    /// The present time.
    package var now: Timestamp
    /// The IANA name of the zone to write times in; UTC when unknown.
    package var timeZone: String?

    /// Makes a request for a conversation of which nothing is shown yet.
    package init(
        question: String, history: [PromptExchange] = [], name: String, participants: [Participant], now: Timestamp,
        timeZone: String?
    ) {
        self.question = question
        self.history = history
        self.name = name
        self.participants = participants
        self.now = now
        self.timeZone = timeZone
        messages = []
        shown = []
        requiredCount = 0
        summaries = []
        messageCount = 0
        dates = nil
        isFiltered = false
        isMissing = false
    }
}

/// A summary as a prompt shows it.
package struct SummaryText: Hashable, Sendable {
    /// A piece of its text.
    package enum Piece: Hashable, Sendable {
        /// Words.
        case text(String)
        /// The message at this place, cited.
        case citation(Int)
    }

    /// The dates of its first and last message.
    package var dates: ClosedRange<Timestamp>
    /// Its text.
    package var pieces: [Piece]

    package init(dates: ClosedRange<Timestamp>, pieces: [Piece]) {
        self.dates = dates
        self.pieces = pieces
    }

    /// The places of the messages that it cites.
    package var cited: Set<Int> {
        Set(pieces.compactMap { if case .citation(let place) = $0 { place } else { nil } })
    }

    /// Returns the text with the numbers of the places; citations without a number are left out.
    func text(_ number: (Int) -> Int?) -> String {
        VisibleText.of(
            pieces.map { piece in
                switch piece {
                case .text(let text): text
                case .citation(let place): number(place).map { "[\($0)]" } ?? ""
                }
            }.joined())
    }
}

/// The language of an answer about a conversation.
package enum AnswerLanguage: Hashable, Sendable {
    /// That of the request.
    case ofRequest
    /// The one in which most of the messages are written.
    case ofConversation
    /// This one, by its English name.
    case named(String)

    /// Reads a tag such as `de` or `pt-BR`; nil for an unknown language or another text.
    package init?(tag: String) {
        let isTag = tag.utf8.count <= 35 && tag.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*/) != nil
        guard isTag, let name = Self.name(of: tag) else { return nil }
        self = .named(name)
    }

    private static func name(of tag: String) -> String? {
        let english = Locale(identifier: "en_US")
        let code = tag.prefix { $0 != "-" }.lowercased()
        guard let language = english.localizedString(forLanguageCode: code), language.lowercased() != code else {
            return nil
        }
        return tag.utf8.count == code.utf8.count ? language : "\(language) (\(tag))"
    }

    /// The variables of the template.
    var variables: [String: any Sendable] {
        switch self {
        case .ofRequest: [:]
        case .ofConversation: ["conversationLanguage": true]
        case .named(let name): ["language": name, "hasLanguage": true]
        }
    }
}
