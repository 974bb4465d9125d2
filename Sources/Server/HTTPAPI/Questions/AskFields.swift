import Assistant
import ChatCore
import Foundation
import Retrieval
import TextAnalysis

/// The fields that questions and searches have in common, as JSON.
///
/// `topK`, `conversationIds`, `senderIds`, `from`, `to` (exclusive), `asOf`, `kinds`, `timeZone`, `explain` and `cursor`
/// (of searches).
struct AskFields {
    /// The most conversations or senders of a filter.
    static let filterLimit = 1_000
    /// The default number of sources or hits.
    static let defaultTopK = 5

    private let fields: JSONField

    init(_ fields: JSONField) throws(FieldError) {
        self.fields = try fields.object()
    }

    /// Reads a question with its history, or with the thread that it comes from.
    func question(asker: UserID, askedAt moment: Timestamp, streams: Bool) throws(FieldError) -> AskRequest {
        var request = AskRequest(
            question: try text("question"), history: try history(),
            threadID: try fields["threadId"].optionalIdentifier(), scope: try scope(asker: asker),
            filter: try filter(), limit: try limit(), timeZone: try timeZone(), askedAt: moment,
            streams: streams)
        request.asOf = try asOf()
        return request
    }

    /// Reads a request for the timeline of a subject.
    func timeline(asker: UserID, askedAt moment: Timestamp) throws(FieldError) -> TimelineRequest {
        TimelineRequest(
            subject: try text("subject"), scope: try scope(asker: asker), filter: try filter(),
            timeZone: try timeZone(), askedAt: moment, asOf: try asOf())
    }

    /// The text of the cursor of a search; nil for none.
    func cursor() throws(FieldError) -> String? {
        guard let text = try fields["cursor"].optionalString() else { return nil }
        guard text.utf8.count <= Self.cursorLimit else { throw unknownCursor }
        return text
    }

    /// More characters than that of 500 results has.
    private static let cursorLimit = 12_000

    private var unknownCursor: FieldError {
        fields["cursor"].error("must be the next of a page of this search; leave it out to search again")
    }

    /// Reads a search; `opened` are the bytes of its cursor, nil if they cannot be read.
    func search(
        asker: UserID, askedAt moment: Timestamp, cursor opened: [UInt8]? = nil
    ) throws(FieldError) -> SearchRequest {
        var request = SearchRequest(
            question: try text("query"), scope: try scope(asker: asker), filter: try filter(), limit: try limit(),
            timeZone: try timeZone(), askedAt: moment, explains: try fields["explain"].optionalFlag() ?? false)
        guard try cursor() != nil else { return request }
        guard let cursor = opened.flatMap({ SearchCursor($0) }) else { throw unknownCursor }
        guard cursor.belongs(to: request) else {
            throw fields["cursor"].error(
                "belongs to another search: send the same query and filters, or leave it out to search again")
        }
        (request.askedAt, request.continuation) = (cursor.askedAt, cursor.continuation)
        return request
    }

    private func text(_ key: String) throws(FieldError) -> String { try Self.text(fields[key]) }

    /// Reads the text of a question.
    static func text(_ field: JSONField) throws(FieldError) -> String {
        let text = try field.string()
        guard text.contains(where: { !$0.isWhitespace }) else { throw field.error("must not be empty") }
        if let fault = TextLimit.question.fault(of: text) { throw field.error(fault) }
        return try storable(text, field)
    }

    /// Returns a text without NUL, which no database stores.
    static func storable(_ text: String, _ field: JSONField) throws(FieldError) -> String {
        guard !text.utf8.contains(0) else { throw field.error("holds a NUL character") }
        return text
    }

    private func limit() throws(FieldError) -> Int {
        try fields["topK"].optionalInteger(in: SearchRequest.limitRange) ?? Self.defaultTopK
    }

    private func scope(asker: UserID) throws(FieldError) -> SearchScope {
        guard let items = try fields["conversationIds"].optionalArray(atMost: Self.filterLimit) else {
            return SearchScope(asker: asker, conversations: .all)
        }
        return SearchScope(asker: asker, conversations: .only(try Self.identifiers(items)))
    }

    private func filter() throws(FieldError) -> SearchFilter {
        var filter = SearchFilter()
        if let items = try fields["senderIds"].optionalArray(atMost: Self.filterLimit) {
            filter.senderIDs = try Self.identifiers(items)
        }
        filter.from = try fields["from"].optionalTimestamp()
        filter.to = try fields["to"].optionalTimestamp()
        if let from = filter.from, let end = filter.to, end <= from {
            throw fields["to"].error("must be later than from")
        }
        if let asOf = try asOf(), !filter.end(at: asOf.end) {
            throw fields["asOf"].error("must be later than from")
        }
        if let items = try fields["kinds"].optionalArray(atMost: ContentKind.allCases.count) {
            var kinds: [ContentKind] = []
            for item in items { kinds.append(try item.word()) }
            filter.kinds = ContentKinds(kinds)
        }
        return filter
    }

    /// The moment before which messages count: the end of a day, or a time; nil for the present.
    private func asOf() throws(FieldError) -> AsOf? {
        let field = fields["asOf"]
        guard case .string(let text) = field.value, !text.contains("T") else {
            return try field.optionalTimestamp().map { AsOf($0) }
        }
        guard let asOf = AsOf(day: text, zone: try timeZone() ?? "UTC") else {
            throw field.error("must be a day such as 2026-10-01, or a time such as 2026-10-01T10:30:00Z")
        }
        return asOf
    }

    private func timeZone() throws(FieldError) -> String? { try Self.timeZone(fields) }

    /// Reads the zone that a request names.
    static func timeZone(_ fields: JSONField) throws(FieldError) -> String? {
        let field = fields["timeZone"]
        guard let name = try field.optionalString() else { return nil }
        guard TimeZone(named: name) != nil else {
            throw field.error("must be the IANA name of a zone, as Europe/Berlin")
        }
        return name
    }

    /// Reads the exchanges, of which the last ten are kept.
    private func history() throws(FieldError) -> [Exchange] {
        var history = HistoryFields()
        for item in try fields["conversationHistory"].optionalArray() ?? [] { try history.take(item.object()) }
        return history.exchanges.suffix(AskRequest.historyLimit)
    }

    private static func identifiers<Subject>(_ items: [JSONField]) throws(FieldError) -> Set<Identifier<Subject>> {
        var ids: Set<Identifier<Subject>> = []
        for item in items { ids.insert(try item.identifier()) }
        return ids
    }
}

/// Reads requests to the assistant inside a conversation.
enum AssistantFields {
    /// Reads a question.
    static func question(_ body: JSONField, asker: UserID, in id: ConversationID) throws -> ConversationQuestion {
        ConversationQuestion(
            text: try AskFields.text(body["text"]), conversationID: id, asker: asker,
            timeZone: try AskFields.timeZone(body), language: try language(body))
    }

    private static func language(_ body: JSONField) throws(FieldError) -> String? {
        guard let tag = try body["language"].optionalString() else { return nil }
        guard ConversationQuestion.isLanguage(tag) else {
            throw body["language"].error("must be a language tag such as de or pt-BR")
        }
        return tag
    }

    /// Reads the filter of a summary: `since`, `after`, `unread`, `threadId`, `senderId`.
    static func summary(_ body: JSONField, asker: UserID, in id: ConversationID) throws -> ConversationQuestion {
        var filter = ConversationFilter()
        filter.since = try body["since"].optionalTimestamp()
        filter.after = try body["after"].optionalIdentifier()
        filter.isUnread = try body["unread"].optionalFlag() ?? false
        filter.threadRootID = try body["threadId"].optionalIdentifier()
        filter.senderID = try body["senderId"].optionalIdentifier()
        if filter.isUnread, filter.since == nil, filter.after == nil {
            throw body["unread"].error("needs since, or after: the last message that was read")
        }
        return ConversationQuestion(
            text: nil, conversationID: id, asker: asker, filter: filter, timeZone: try AskFields.timeZone(body),
            language: try language(body))
    }
}
