import ChatCore
import TextAnalysis

/// Reads a model's reply: unambiguous errors are corrected, items without a real message are left out.
package struct DraftReader: Sendable {
    let schema: ExtractionSchema
    let context: ExtractionContext
    let names: ParticipantNames

    /// The most items that are read from a reply, for each message shown.
    static let itemsPerMessage = 8

    package init(schema: ExtractionSchema, context: ExtractionContext) {
        self.schema = schema
        self.context = context
        names = ParticipantNames(context.participants)
    }

    /// Reads a reply.
    package func read(_ reply: String) -> ExtractedReply {
        let found = ReplyRecords(reply, schema: schema)
        var faults = Faults()
        if !found.isList { faults.add(.noItems, to: 0, isDropped: true) }
        if found.isTruncated { faults.add(.truncated, to: 0, isDropped: false) }
        let limit = max(1, context.messages.count * Self.itemsPerMessage)
        if found.records.count > limit { faults.add(.tooMany, to: 0, isDropped: true) }
        var drafts: [ItemDraft] = []
        for (place, record) in found.records.prefix(limit).enumerated() {
            guard let draft = draft(record, item: place + 1, &faults) else { continue }
            if drafts.contains(where: { ItemLikeness.isSame($0, draft, datesTell: schema.requiresDate) }) {
                faults.add(.duplicate, to: place + 1, isDropped: true)
            } else {
                drafts.append(draft)
            }
        }
        return ExtractedReply(drafts: drafts, faults: faults.all, isList: found.isList)
    }

    /// The faults noted so far.
    struct Faults {
        private(set) var all: [ItemFault] = []

        mutating func add(_ reason: ItemFault.Reason, to item: Int, isDropped: Bool) {
            all.append(ItemFault(item: item, reason: reason, isDropped: isDropped))
        }
    }

    private func draft(_ record: [String: JSONValue], item: Int, _ faults: inout Faults) -> ItemDraft? {
        func drop(_ reason: ItemFault.Reason) -> ItemDraft? {
            faults.add(reason, to: item, isDropped: true)
            return nil
        }
        let quote = text(.quote, of: record)
        guard let message = message(of: record, quote: quote) else { return drop(.unknownMessage) }
        guard !message.isContext else { return drop(.contextMessage) }
        guard let what = text(.text, of: record), what.contains(where: \.isLetter) else { return drop(.missingText) }
        var draft = ItemDraft(message: message, text: what, priority: priority(of: record), quote: "")
        draft.quote = quoted(quote, in: message, item: item, &faults)
        draft.person = person(of: record, message: message, item: item, &faults)
        draft.supersedes = superseded(of: record, by: message, item: item, &faults)
        if schema.hasDate {
            let words = dueWords(of: record)
            draft.keepsDate = words == nil && draft.supersedes != nil
            draft.due = words.flatMap { due($0, message: message, item: item, &faults) }
            if draft.due == nil, schema.requiresDate, !draft.keepsDate { return drop(.badDate) }
        }
        if schema.field({ $0 == .score }) != nil {
            guard let score = score(of: record) else { return drop(.badScore) }
            draft.score = score
        }
        return draft
    }

    /// Returns a record's value for a role.
    private func value(_ role: (ExtractionSchema.Role) -> Bool, of record: [String: JSONValue]) -> JSONValue? {
        guard let field = schema.field(role) else { return nil }
        return field.spellings.lazy.compactMap { record[$0] }.first { $0 != .null }
    }

    /// Returns a text on one line; nil for an empty one and for "null" and the like.
    func text(_ role: ExtractionSchema.Role, of record: [String: JSONValue]) -> String? {
        let value = value({ $0 == role }, of: record)
        return value.flatMap(Self.words)
    }

    private static func words(_ value: JSONValue) -> String? {
        let text: String
        switch value {
        case .string(let string): text = string
        case .integer(let number): text = String(number)
        case .double(let number): text = String(number)
        case .array(let parts) where parts.count == 1: return words(parts[0])
        case .object(let members): return ["name", "text"].lazy.compactMap { members[$0].flatMap(words) }.first
        case .array, .bool, .null: return nil
        }
        let line = VisibleText.of(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return nothing.contains(line.lowercased()) ? nil : line.prefix(utf8: ExtractedItem.textByteLimit)
    }

    private static let languages = Language.all.map(\.language)
    private static let nothing = Language.words(languages, \.unknown).union(["", "null", "n/a", "na", "-"])
    private static let highPriorities = Language.words(languages, \.urgency.high)
    private static let lowPriorities = Language.words(languages, \.urgency.low)
}

// The parts of an item.
extension DraftReader {
    /// Returns the message of an item: by its number, or if that is invalid, the only message that contains the quote.
    private func message(of record: [String: JSONValue], quote: String?) -> NumberedMessage? {
        let numbered = number(value({ $0 == .message }, of: record)).flatMap(context.message)
        guard let quote, Quote(quote).isTelling else { return numbered }
        if let numbered, Quote(quote).range(in: numbered.text) != nil { return numbered }
        let holders = context.messages.filter { Quote(quote).range(in: $0.text) != nil }
        return holders.count == 1 ? holders[0] : numbered
    }

    /// Reads 3, "3", "[3]" and "#3".
    private func number(_ value: JSONValue?) -> Int? {
        switch value {
        case .integer, .double: return value?.wholeNumber.flatMap { $0.magnitude < 1_000_000_000 ? Int($0) : nil }
        case .string(let text):
            let digits = text.filter { !" []()#".contains($0) }
            return digits.utf8.count <= 9 ? Int(digits) : nil
        case .array(let parts) where parts.count == 1: return number(parts[0])
        default: return nil
        }
    }

    /// Returns the message's own words: those of the quote if the message contains it, else its beginning.
    private func quoted(
        _ quote: String?, in message: NumberedMessage, item: Int, _ faults: inout Faults
    ) -> String {
        if let quote, let range = Quote(quote).range(in: message.text) {
            return String(message.text.part(utf8: range)).trimmingWhitespace()
        }
        if schema.field({ $0 == .quote }) != nil { faults.add(.foreignQuote, to: item, isDropped: false) }
        return message.text.trimmingWhitespace().prefix(utf8: Quote.ownByteLimit)
    }

    private func priority(of record: [String: JSONValue]) -> ExtractedItem.Priority {
        let word = text(.priority, of: record)?.lowercased() ?? ""
        if Self.highPriorities.contains(word) { return .high }
        return Self.lowPriorities.contains(word) ? .low : .medium
    }

    private func person(
        of record: [String: JSONValue], message: NumberedMessage, item: Int, _ faults: inout Faults
    ) -> Participant? {
        guard let name = text(.person, of: record) else { return nil }
        switch names.meaning(of: name, writtenBy: message.senderID) {
        case .one(let participant): return participant
        case .everybody: return nil
        case .unknown:
            faults.add(.unknownPerson, to: item, isDropped: false)
            return nil
        }
    }

    private func dueWords(of record: [String: JSONValue]) -> String? {
        value({ if case .due = $0 { true } else { false } }, of: record).flatMap(Self.words)
    }

    private func due(
        _ words: String, message: NumberedMessage, item: Int, _ faults: inout Faults
    ) -> Timestamp? {
        let due = DueWords(context: context).due(words, of: message)
        if due == nil, !schema.requiresDate { faults.add(.badDate, to: item, isDropped: false) }
        return due
    }

    private func score(of record: [String: JSONValue]) -> Double? {
        let score: Double? =
            switch value({ $0 == .score }, of: record) {
            case .integer(let number): Double(number)
            case .double(let number): number
            case .string(let text): Double(text.trimmingWhitespace()) ?? Self.scoreWords[text.lowercased()]
            default: nil
            }
        return score.flatMap { (0...1).contains($0) ? $0 : nil }
    }

    private static let scoreWords: [String: Double] = ["high": 0.9, "medium": 0.5, "low": 0.1]

    private func superseded(
        of record: [String: JSONValue], by message: NumberedMessage, item: Int, _ faults: inout Faults
    ) -> MessageKey? {
        guard let value = value({ $0 == .supersedes }, of: record) else { return nil }
        guard let earlier = number(value).flatMap(context.message), earlier.timestamp < message.timestamp else {
            faults.add(.unknownSuperseded, to: item, isDropped: false)
            return nil
        }
        return earlier.key
    }
}

extension String {
    /// Returns the beginning of the text, at most `count` UTF-8 bytes, no character cut.
    func prefix(utf8 count: Int) -> String {
        guard utf8.count > count else { return self }
        var text = ""
        var left = count
        for character in self {
            left -= character.utf8.count
            guard left >= 0 else { break }
            text.append(character)
        }
        return text
    }
}

/// Tells which participant a model names.
struct ParticipantNames {
    /// The meaning of a name.
    enum Meaning: Equatable {
        /// One participant.
        case one(Participant)
        /// All of them, or no one in particular.
        case everybody
        /// Not a participant, or one of several.
        case unknown
    }

    private let participants: [Participant]
    private let index: NameIndex

    init(_ participants: [Participant]) {
        self.participants = participants
        index = NameIndex(participants)
    }

    /// Returns the meaning of `name` in an item of a message.
    func meaning(of name: String, writtenBy senderID: UserID) -> Meaning {
        let words = TextAnalyzer.tokens(of: name, language: .other).filter { $0.kind != .bigram }
            .map(\.word).joined(separator: " ")
        if Self.everybody.contains(words) || Self.everybody.contains(name) { return .everybody }
        if Self.writer.contains(words) || Self.writer.contains(name) { return one { $0.id == senderID } }
        if Self.reader.contains(words), participants.count == 2 { return one { $0.id != senderID } }
        if case .one(let participant) = one({ $0.displayName == name || $0.id.rawValue == name }) {
            return .one(participant)
        }
        // "@" marks the name as one, so that ordinary words count too.
        let marked = name.hasPrefix("@") ? name : "@" + name
        let named = Set(index.cues(in: marked, isOrdinaryWord: { _ in false }).people)
        return named.count == 1 ? one { named.contains($0.id) } : .unknown
    }

    private func one(_ isMeant: (Participant) -> Bool) -> Meaning {
        let found = participants.filter(isMeant)
        return found.count == 1 ? .one(found[0]) : .unknown
    }

    private static let everybody = Language.words(languages, \.people.everybody)
    private static let writer = Language.words(languages, \.people.writer)
    private static let reader = Language.words(languages, \.people.reader)
    private static let languages = Language.all.map(\.language)
}
