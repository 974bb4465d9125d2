import ChatCore
import IndexCore

/// A message that may become a hit, with what is known of it.
struct Candidate: Sendable {
    /// What the words of the question say of a message; each 0 or more.
    struct Words: Sendable {
        /// BM25 over the message and its neighbours.
        var total = 0.0
        /// BM25 over its date alone.
        var date = 0.0
        /// The part of the question's words that the message or its neighbours hold: 0...1.
        var coverage = 0.0
    }

    /// Its number.
    let number: MessageNumber
    /// Where it is.
    let conversation: PermittedConversation
    /// Who wrote it, as rows tell senders apart.
    let sender: Int64
    /// When.
    let timestamp: Timestamp
    /// Cosine of the question's vector and that of its best passage, in -1...1; nil when it has none or none was asked.
    var cosine: Double?
    /// The ordinal of that passage; nil when there is no cosine.
    var place: Int?
    /// Cosine of the question's vector and the mean of those of the message and its neighbours.
    var window: Double?
    /// Cosine of the message before, when that is a question of somebody else; the message may be its answer.
    var answered: Double?
    /// Nil when words were not searched.
    var words: Words?
    /// How well the tokens of the question are matched by those of the message, in -1...1; nil when not compared.
    var tokens: Double?
    /// What its text shows at a glance.
    var marks: MessageMarks = []
    /// Whether the question names its sender.
    var isBySpeaker = false
    /// Whether somebody whom the question names takes part in its conversation.
    var isNearSpeaker = false
    /// Whether the question names its conversation.
    var isInNamedPlace = false
    /// How many of the question's quoted phrases it holds.
    var phraseCount = 0
    /// Whether it was written at a time that the question names.
    var isInTime = false
    /// Whether its text names a day that the question names.
    var namesDay = false

    /// Which part of the message was found; nil when it has one passage, or was found by words alone.
    func passage(in visible: VisibleMessage) -> FoundPassage? {
        guard visible.passages.count > 1, let place, visible.passages.indices.contains(place) else { return nil }
        return FoundPassage(ordinal: place, range: visible.passages[place].range)
    }

    /// The text of the part that was found, or else of the whole message.
    func foundText(in visible: VisibleMessage) -> String {
        let text = visible.message.searchableText
        return passage(in: visible).map { String(text.part(utf8: $0.range)) } ?? text
    }
}

/// Which messages may become candidates: what the asker wants, without what was found too much of.
struct CandidateFilter: Sendable {
    /// What the asker wants.
    let wanted: SearchFilter
    /// Authors who are left out, as rows tell them apart.
    var excluded: Set<Int64> = []

    /// Whether every message passes.
    var isEmpty: Bool { wanted.isEmpty && excluded.isEmpty }

    /// Lets through the numbers of senders and the times in microseconds of all messages that pass, and hardly any others.
    var numberPredicate: @Sendable (_ sender: Int64, _ time: Int64) -> Bool {
        let senders = wanted.senderIDs.map { Set($0.map(\.rowNumber)) }
        let excluded = excluded
        let (first, end) = (wanted.from?.microseconds, wanted.to?.microseconds)
        return { sender, time in
            if let senders, !senders.contains(sender) { return false }
            if let first, time < first { return false }
            if let end, time >= end { return false }
            return excluded.isEmpty || !excluded.contains(sender)
        }
    }
}

extension CandidateFilter {
    /// Lets through the rows of all messages that pass the filter, and hardly any others; nil when everything passes.
    var rowPredicate: (@Sendable (RowKey, RowAttributes) -> Bool)? {
        guard !isEmpty else { return nil }
        let mayPass = numberPredicate
        return { _, row in mayPass(row.sender, row.time) }
    }
}
