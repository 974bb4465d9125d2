import ChatCore
import LexicalIndex

/// Turns messages into rows of the lexical index.
struct WordRows: Sendable {
    /// Changes with what rows hold; a new one makes a new index necessary, as a new ``TextAnalysis/version`` does.
    static let version = 1

    /// The language of a text whose own cannot be told.
    let fallback: TextLanguage

    /// Returns the row of a message, with the language of its text; nil when there is nothing to find.
    func row(of message: IndexedMessage) -> (row: LexicalRow, language: TextLanguage)? {
        guard let content = message.content else { return nil }
        let language = LanguageGuess.language(of: content.text, fallback: fallback)
        let row = LexicalRow(
            key: RowKey(message.number), group: GroupKey(message.conversation),
            thread: content.threadRootID.map { StableHash.number(of: $0.rawValue) } ?? 0,
            order: message.number.rawValue,
            attributes: RowAttributes(
                sender: content.senderID.rowNumber, time: content.timestamp.microseconds),
            flags: MessageMarks(content.text).rawValue,
            terms: FieldTerms(
                text: TextAnalysis.terms(of: content.text, language: language).map(TermKey.init),
                sender: TextAnalysis.terms(of: content.senderName, language: .other).map(TermKey.init),
                date: dateTerms(of: content)))
        return (row, language)
    }

    private func dateTerms(of content: IndexedMessage.Content) -> [TermKey] {
        let words = DateExpressions.dateWords(
            of: content.timestamp, zone: content.timeZone ?? "UTC", languages: [.english, .german])
        return words.flatMap { TextAnalysis.terms(of: $0, language: .other) }.map(TermKey.init)
    }
}

extension TermKey {
    /// The key of a term of ``TextAnalysis``.
    init(_ term: String) {
        self.init(utf8: term.utf8)
    }
}
