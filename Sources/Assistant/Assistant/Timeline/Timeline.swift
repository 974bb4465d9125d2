import AnswerSupport
package import ChatCore
package import Retrieval
package import TextAnalysis

/// What messages state about a subject, newest first, with what was replaced.
///
/// It is read from the hits of a search at each call, so it holds nothing that its reader may not see, and nothing must
/// be deleted with the messages.
package struct Timeline: Hashable, Sendable {
    /// A sentence that states something.
    package struct Entry: Hashable, Sendable {
        /// The message with its conversation.
        package let hit: Hit
        /// The sentence, in UTF-8 bytes of the message's searchable text.
        package let range: Range<Int>
        /// What it states, in order of the text; not empty.
        package let values: [Value]
        /// The message that replaces it; nil if none was found.
        package let replacedBy: MessageKey?
        /// The messages that it replaces, newest first.
        package var replaces: [MessageKey] = []
        /// What a person said last of it; nil if nobody said anything.
        package var verdict: ReplacementVerdict?

        /// The sentence; a long one is cut.
        package var sentence: String {
            let text = String(hit.message.searchableText.part(utf8: range)).trimmingWhitespace()
            return text.unicodeScalars.count <= Excerpt.lengthLimit
                ? text : String(text.unicodeScalars.prefix(Excerpt.lengthLimit - 1)) + "…"
        }

        /// Its place in ``Message/shownText``, in UTF-16 code units; nil within the words of a file.
        package var shownRange: Range<Int>? {
            let shown = hit.message.shownText
            guard range.upperBound <= shown.utf8.count else { return nil }
            let text = shown.part(utf8: range)
            let before = shown.part(utf8: 0..<range.lowerBound).utf16.count
            let start = before + text.prefix(while: \.isWhitespace).utf16.count
            return start..<start + String(text).trimmingWhitespace().utf16.count
        }
    }

    /// Something that a sentence states.
    package struct Value: Hashable, Sendable {
        /// The kind, as of ``Replacement``: `date`, `time`, `amount`, `place`, `person`, `decision`.
        package let kind: String
        /// The words of the message.
        package let text: String
        /// The same for programs; nil if the words can be read in several ways.
        package let value: String?
        /// Whether a later statement replaces it.
        package let isReplaced: Bool
    }

    /// The kinds of values.
    package static let kinds = Replacement.Kind.allCases.map(\.rawValue)

    /// The entries, newest first: one that replaces others comes before them.
    package var entries: [Entry]
    /// The moment up to which messages were read; nil for the present.
    package var asOf: AsOf?
    /// Why there is nothing to read; see ``SearchResult/noAnswerReason``.
    package var noAnswerReason: NoAnswerReason
}

/// A request for the timeline of a subject.
package struct TimelineRequest: Hashable, Sendable {
    /// A few words, or a question, which may say "as of" a day; not empty.
    package var subject: String
    /// The asker, and the conversations to read.
    package var scope: SearchScope
    /// Conditions that every message must fulfil.
    package var filter: SearchFilter
    /// The IANA name of the asker's time zone, if known.
    package var timeZone: String?
    package var askedAt: Timestamp
    /// The moment up to which messages count; nil for the present, unless the subject says it.
    package var asOf: AsOf?

    package init(
        subject: String, scope: SearchScope, filter: SearchFilter = SearchFilter(), timeZone: String? = nil,
        askedAt: Timestamp, asOf: AsOf? = nil
    ) {
        self.subject = subject
        self.scope = scope
        self.filter = filter
        self.timeZone = timeZone
        self.askedAt = askedAt
        self.asOf = asOf
    }

    /// Limits it to messages until the moment that it names.
    fileprivate mutating func limit() {
        (asOf, subject) = filter.limit(to: asOf, or: subject, askedAt: askedAt, timeZone: timeZone, isSubject: true)
    }
}

/// Reads the timelines of subjects.
package struct TimelineFinder: Sendable {
    /// How many hits are read: reading each takes half a millisecond.
    package static let hitCount = 32
    /// How many of the best hits are about the subject, whatever their words.
    private static let knownCount = 3

    private let searching: any MessageSearching

    /// - Parameter searching: Finds messages that the asker may see.
    package init(searching: any MessageSearching) {
        self.searching = searching
    }

    /// Returns the timeline of a subject.
    ///
    /// - Parameter request: See ``TimelineRequest``.
    /// - Returns: The timeline; empty if no message states anything about the subject.
    /// - Throws: As ``MessageSearching/search(_:)``.
    package func timeline(_ request: TimelineRequest) async throws -> Timeline {
        var request = request
        request.limit()
        let found = try await searching.search(
            SearchRequest(
                question: request.subject, scope: request.scope, filter: request.filter, limit: Self.hitCount,
                timeZone: request.timeZone, askedAt: request.askedAt))
        return Timeline(
            entries: await Self.entries(of: found, about: request.subject), asOf: request.asOf,
            noAnswerReason: found.noAnswerReason)
    }

    @concurrent
    private static func entries(of found: SearchResult, about subject: String) async -> [Timeline.Entry] {
        let hits = found.hits
        let known = found.noAnswerReason == .none ? Set(hits.indices.prefix(knownCount)) : []
        let reader = TimelineReader(language: LanguageGuess.language(of: subject) ?? .english)
        let statements = reader.statements(about: subject, in: hits.dated(with: found.verdicts), known: known)
        var entries = statements.map { statement in
            let hit = hits[statement.place.message]
            return Timeline.Entry(
                hit: hit, range: statement.place.range,
                values: statement.values.map { value in
                    Timeline.Value(
                        kind: value.kind.rawValue,
                        text: String(hit.message.searchableText.part(utf8: value.range)).trimmingWhitespace(),
                        value: value.value, isReplaced: value.isReplaced)
                }, replacedBy: statement.replacedBy.map { hits[$0.message].message.key })
        }
        let places = Dictionary(
            statements.enumerated().map { ($1.place, $0) }, uniquingKeysWith: { first, _ in first })
        for place in entries.indices {
            let entry = entries[place]
            entries[place].verdict = found.verdicts.last(on: entry.hit.message.key, part: entry.shownRange)
        }
        for (statement, entry) in zip(statements, entries) {
            guard let newer = statement.replacedBy.flatMap({ places[$0] }) else { continue }
            let key = entry.hit.message.key
            if key != entries[newer].hit.message.key, !entries[newer].replaces.contains(key) {
                entries[newer].replaces.append(key)
            }
        }
        return entries
    }
}

extension SearchFilter {
    /// Lets no messages pass from the moment on that a request or its text names; one in the future limits nothing.
    ///
    /// - Parameters:
    ///   - given: The moment that the request names; nil to look for one in the text.
    ///   - text: A question, or a subject.
    ///   - moment: When it is asked.
    ///   - timeZone: The IANA name of the asker's zone; nil for UTC.
    ///   - isSubject: Whether the text need not be a question.
    /// - Returns: The moment, nil for the present, and the text without it.
    mutating func limit(
        to given: AsOf?, or text: String, askedAt moment: Timestamp, timeZone: String?, isSubject: Bool
    ) -> (asOf: AsOf?, text: String) {
        if let given { return (given.end <= moment && end(at: given.end) ? given : nil, text) }
        guard let cue = AsOfCue.find(in: text, askedAt: moment, zone: timeZone ?? "UTC", isSubject: isSubject),
            end(at: cue.asOf.end)
        else { return (nil, text) }
        return (cue.asOf, cue.removed(from: text))
    }

    /// Lets no later messages pass.
    ///
    /// - Returns: False if none would be left, because they have to be newer: the filter stays as it is.
    package mutating func end(at moment: Timestamp) -> Bool {
        if let from, from >= moment { return false }
        to = min(to ?? moment, moment)
        return true
    }
}
