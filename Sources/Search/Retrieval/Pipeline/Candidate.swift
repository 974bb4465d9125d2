import ChatCore
import IndexCore

/// A message that may become a hit, with its features.
struct Candidate: Sendable {
    /// The features of a message by the words of the question; each 0 or more.
    struct Words: Sendable {
        /// BM25 over the message and its neighbours.
        var total = 0.0
        /// BM25 over its date alone.
        var date = 0.0
        /// The part of the question's words that the message or its neighbours contain: 0...1.
        var coverage = 0.0
    }

    let number: MessageNumber
    let conversation: PermittedConversation
    /// The sender's number in the rows.
    let sender: Int64
    let timestamp: Timestamp
    /// The cosine of the question's vector and that of its best passage, in -1...1; nil without a vector or vector
    /// search.
    var cosine: Double?
    /// The ordinal of that passage; nil without a cosine.
    var place: Int?
    /// The cosine of the question's vector and the mean of the vectors of the message and its neighbours; nearer to
    /// ``cosine`` for a message that needs them less.
    var window: Double?
    /// The cosine of the message before, if that is a question by another sender: this message may be its answer.
    var answered: Double?
    /// The features by words; nil when words were not searched.
    var words: Words?
    /// How well the message's tokens match those of the question, in -1...1; nil when they were not compared.
    var tokens: Double?
    /// The marks of its text.
    var marks: MessageMarks = []
    /// Whether the question names its sender.
    var isBySpeaker = false
    /// Whether a person that the question names is in its conversation.
    var isNearSpeaker = false
    /// Whether the question names its conversation.
    var isInNamedPlace = false
    /// How many of the question's quoted phrases it contains.
    var phraseCount = 0
    /// How much of the question's joined words it contains letter for letter, in 0...1.
    var literal = 0.0
    /// Whether it was written at a time that the question names.
    var isInTime = false
    /// Whether its text names a day that the question names.
    var namesDay = false

    /// The part of the message that was found; nil when it has one passage, or was found by words alone.
    func passage(in visible: VisibleMessage) -> FoundPassage? {
        guard visible.passages.count > 1, let place, visible.passages.indices.contains(place) else { return nil }
        return FoundPassage(ordinal: place, range: visible.passages[place].range)
    }

    /// The text of the part that was found, or of the whole message.
    func foundText(in visible: VisibleMessage) -> String {
        let text = visible.message.searchableText
        return passage(in: visible).map { String(text.part(utf8: $0.range)) } ?? text
    }
}

/// The messages that may become candidates: what the asker wants, without authors who fill the results.
struct CandidateFilter: Sendable {
    /// The filter of the request.
    let wanted: SearchFilter
    /// The numbers in the rows of authors who are left out.
    var excluded: Set<Int64> = []
    /// Looks up whether a message is within the asker's times; nil without a conversation with a limited history.
    var directory: MessageDirectory?

    /// Whether every message passes.
    var isEmpty: Bool { wanted.isEmpty && excluded.isEmpty }

    /// A predicate on a sender's number and a time in microseconds.
    ///
    /// It admits all messages that pass the filter, and rarely others, because senders may share a number.
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
    /// A predicate that admits the rows of all messages that pass, and rarely others; nil when everything passes.
    var rowPredicate: (@Sendable (RowKey, RowAttributes) -> Bool)? {
        guard !isEmpty else { return nil }
        let mayPass = numberPredicate
        return { _, row in mayPass(row.sender, row.time) }
    }

    /// The same for rows of passages, which name their messages.
    var passagePredicate: (@Sendable (RowKey, RowAttributes) -> Bool)? {
        guard let directory else { return rowPredicate }
        let mayPass = rowPredicate
        return { key, row in
            mayPass?(key, row) ?? true && directory.holds(MessageNumber(rawValue: row.owner))
        }
    }
}
