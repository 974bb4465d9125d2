import ChatCore
import Foundation
import LexicalIndex
import Synchronization

/// Turns messages into rows of the lexical index.
struct WordRows: Sendable {
    /// Changes with what rows hold; a new one makes a new index necessary, as a new ``TextAnalysis/version`` does.
    static let version = 2
    /// Messages that are analysed by one processor at a time.
    private static let partSize = 256

    /// The language of a text whose own cannot be told.
    let fallback: TextLanguage

    /// What decides which rows a message gives: a file of rows that came of something else is not read.
    var analysisVersion: Int {
        TextAnalysis.version << 32 | Self.version << 8 | Int(fallback.rowCode)
    }

    /// Returns the row of a message; nil when there is nothing to find.
    func row(of message: IndexedMessage) -> LexicalRow? {
        guard let content = message.content else { return nil }
        let language = LanguageGuess.language(of: content.text, fallback: fallback)
        return LexicalRow(
            key: RowKey(message.number), group: GroupKey(message.conversation),
            thread: content.threadRootID.map { StableHash.number(of: $0.rawValue) } ?? 0,
            order: message.number.rawValue,
            attributes: RowAttributes(
                sender: content.senderID.rowNumber, time: content.timestamp.microseconds),
            flags: WordFlags(marks: MessageMarks(content.text), language: language).rawValue,
            terms: FieldTerms(
                text: TextAnalysis.terms(of: content.text, language: language).map(TermKey.init),
                sender: TextAnalysis.terms(of: content.senderName, language: .other).map(TermKey.init),
                date: dateTerms(of: content)))
    }

    /// Returns the row of each message, in order; of many messages on all processors, for a history brings them by the
    /// thousand, and the analysis of their texts takes most of the time.
    func rows(of messages: [IndexedMessage]) -> [LexicalRow?] {
        let partCount = (messages.count + Self.partSize - 1) / Self.partSize
        guard partCount > 1 else { return messages.map { row(of: $0) } }
        let parts = Mutex([[LexicalRow?]](repeating: [], count: partCount))
        DispatchQueue.concurrentPerform(iterations: partCount) { part in
            let start = part * Self.partSize
            let made = messages[start..<min(start + Self.partSize, messages.count)].map { row(of: $0) }
            parts.withLock { $0[part] = made }
        }
        return parts.withLock { $0.flatMap { $0 } }
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
