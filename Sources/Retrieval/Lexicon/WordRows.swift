package import ChatCore
import Foundation
import IndexCore
package import LexicalIndex
import Synchronization
package import TextAnalysis

/// Turns messages into rows of the lexical index.
package struct WordRows: Sendable {
    /// Changes with what rows hold; a new one makes a new index necessary, as a new ``TextAnalyzer/version`` does.
    static let version = 2
    /// Messages that are analysed by one processor at a time.
    private static let partSize = 256

    /// The language of a text whose own cannot be told.
    let fallback: TextLanguage
    private let known = KnownWordsPool()

    /// Takes the language of texts whose own cannot be told.
    package init(fallback: TextLanguage) {
        self.fallback = fallback
    }

    /// What decides which rows a message gives: a file of rows that came of something else is not read.
    var analysisVersion: Int {
        TextAnalyzer.version << 32 | Self.version << 8 | Int(fallback.rowCode)
    }

    /// Returns the row of a message; nil when there is nothing to find.
    private func row(of message: IndexedMessage, _ known: inout KnownWords) -> LexicalRow? {
        guard let content = message.content else { return nil }
        let tokens = TextAnalyzer.tokens(of: content.text, language: .other)
        let words = tokens.map { known.word($0.word) }
        let language = LanguageGuess.language(of: content.text, tokens: tokens, votes: words.map(\.vote)) ?? fallback
        return LexicalRow(
            key: RowKey(message.number), group: GroupKey(message.conversation),
            thread: content.threadRootID.map { StableHash.number(of: $0.rawValue) } ?? 0,
            order: message.number.rawValue,
            attributes: RowAttributes(
                sender: content.senderID.rowNumber, time: content.timestamp.microseconds),
            flags: WordFlags(marks: marks(of: content.text, tokens, words, in: language), language: language).rawValue,
            terms: FieldTerms(
                text: terms(of: content.text, tokens, words, in: language), sender: known.name(content.senderName),
                date: known.date(of: content.timestamp, zone: content.timeZone ?? "UTC", in: language)))
    }

    private func marks(
        of text: String, _ tokens: [TextToken], _ words: [KnownWords.Word], in language: TextLanguage
    ) -> MessageMarks {
        var marks = MessageMarks(signsOf: text)
        for (token, word) in zip(tokens, words) where token.kind == .word { marks.formUnion(word.marks(in: language)) }
        return marks
    }

    /// Returns the text's terms in a language; German stems are those of words with their umlauts, which tokens lack.
    private func terms(
        of text: String, _ tokens: [TextToken], _ words: [KnownWords.Word], in language: TextLanguage
    ) -> [TermKey] {
        if language == .german, text.utf8.contains(where: { $0 >= 0x80 }) {
            return TextAnalyzer.terms(of: text, language: .german).map(TermKey.init)
        }
        return zip(tokens, words).map { $0.kind == .word ? $1.key(in: language) : $1.key }
    }

    /// Returns the row of each message, in order; of many messages on all processors, for a history brings them by the
    /// thousand, and the analysis of their texts takes most of the time.
    package func rows(of messages: [IndexedMessage]) -> [LexicalRow?] {
        let partCount = (messages.count + Self.partSize - 1) / Self.partSize
        guard partCount > 1 else { return rows(of: messages[...]) }
        let parts = Mutex([[LexicalRow?]](repeating: [], count: partCount))
        DispatchQueue.concurrentPerform(iterations: partCount) { part in
            let start = part * Self.partSize
            let made = rows(of: messages[start..<min(start + Self.partSize, messages.count)])
            parts.withLock { $0[part] = made }
        }
        return parts.withLock { $0.flatMap { $0 } }
    }

    private func rows(of messages: ArraySlice<IndexedMessage>) -> [LexicalRow?] {
        known.use { known in messages.map { row(of: $0, &known) } }
    }
}

extension TermKey {
    /// The key of a term of ``TextAnalyzer``.
    init(_ term: String) {
        self.init(utf8: term.utf8)
    }
}

/// What becomes of the rows of words when messages are as the store holds them now.
struct WordUpdate: Sendable {
    /// Rows that are new, or other than before.
    private(set) var added: [LexicalRow] = []
    /// Rows that go.
    private(set) var removed: [RowKey] = []
    /// The first message of which the index held words that it does not hold, or not so, afterwards.
    private(set) var firstErased: MessageNumber?
    /// The newest message that comes.
    private(set) var newest: MessageNumber?

    /// Compares messages with the rows that an index has; rows that stay as they are are left out.
    ///
    /// - Parameters:
    ///   - messages: By ascending number, each once.
    ///   - snapshot: The rows.
    ///   - rows: Makes rows of messages.
    init(_ messages: [IndexedMessage], in snapshot: BM25Index.Snapshot, rows: WordRows) {
        for (message, row) in zip(messages, rows.rows(of: messages)) {
            let before = snapshot.facts(of: RowKey(message.number))
            if before != nil, let row, snapshot.holds(row) { continue }
            if before != nil { firstErased = firstErased ?? message.number }
            if let row {
                newest = message.number
                added.append(row)
            } else if before != nil {
                removed.append(RowKey(message.number))
            }
        }
    }

    /// Rows that change.
    var changedCount: Int { added.count + removed.count }

    /// Changes the rows of an index.
    func apply(to index: BM25Index) {
        if !removed.isEmpty { index.remove(removed) }
        if !added.isEmpty { index.upsert(added) }
    }
}
