import ChatCore

/// A message that may become a hit, with what is known of it.
struct Candidate: Sendable {
    /// The message, as the asker may see it.
    let visible: VisibleMessage
    /// Where it is.
    let conversation: PermittedConversation
    /// Cosine of the question's vector and that of its best passage, in -1...1; nil when it has none or none was asked.
    var cosine: Double?
    /// BM25 with the words of the question, 0 or more; nil when words were not searched.
    var words: Double?
    /// Whether the question names its sender.
    var isBySpeaker = false
    /// Whether it was written at a time that the question names.
    var isInTime = false

    /// Its number.
    var number: MessageNumber { visible.number }

    /// Whether it is a question itself.
    var isQuestion: Bool {
        guard let last = visible.message.text.last(where: { !$0.isWhitespace }) else { return false }
        return last == "?" || last == "？" || last == "؟"
    }
}
