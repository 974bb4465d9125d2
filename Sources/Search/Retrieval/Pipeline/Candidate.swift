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
    /// The newest message that may be found; nil for any.
    let newest: MessageNumber?
    /// Looks up what the rows of passages do not tell.
    let directory: MessageDirectory
    /// Whether a conversation has a limited history: then the directory holds only the asker's times.
    let isLimited: Bool
    /// The numbers in the rows of authors who are left out.
    var excluded: Set<Int64> = []

    /// Whether every message passes.
    private var isEmpty: Bool { wanted.isEmpty && newest == nil && excluded.isEmpty }

    /// A predicate on a message, its sender's number and its time in microseconds.
    ///
    /// It admits all messages that pass the filter, and rarely others, because senders may share a number.
    private var numberPredicate: @Sendable (_ message: MessageNumber, _ sender: Int64, _ time: Int64) -> Bool {
        let senders = wanted.senderIDs.map { Set($0.map(\.rowNumber)) }
        let (excluded, newest) = (excluded, newest)
        let (first, end) = (wanted.from?.microseconds, wanted.to?.microseconds)
        let (kinds, directory) = (wanted.kinds, directory)
        return { message, sender, time in
            if let senders, !senders.contains(sender) { return false }
            if let first, time < first { return false }
            if let end, time >= end { return false }
            if let newest, message > newest { return false }
            if excluded.contains(sender) { return false }
            guard let kinds else { return true }
            // Last, because it looks the row up.
            return !kinds.isDisjoint(with: directory.kinds(of: message) ?? [])
        }
    }
}

extension CandidateFilter {
    /// A predicate that admits the rows of all messages that pass, and rarely others; nil when everything passes.
    var rowPredicate: (@Sendable (RowKey, RowAttributes) -> Bool)? {
        guard !isEmpty else { return nil }
        let mayPass = numberPredicate
        return { key, row in mayPass(MessageNumber(key), row.sender, row.time) }
    }

    /// The same for rows of passages, which name their messages.
    var passagePredicate: (@Sendable (RowKey, RowAttributes) -> Bool)? {
        guard !isEmpty || isLimited else { return nil }
        let (mayPass, directory, isLimited) = (numberPredicate, directory, isLimited)
        return { _, row in
            let message = MessageNumber(rawValue: row.owner)
            return mayPass(message, row.sender, row.time) && (!isLimited || directory.kinds(of: message) != nil)
        }
    }
}
