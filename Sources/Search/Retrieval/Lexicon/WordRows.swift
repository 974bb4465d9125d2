package import ChatCore
import Foundation
import IndexCore
package import LexicalIndex
import Synchronization
package import TextAnalysis

/// Turns messages into rows of the lexical index.
package struct WordRows: Sendable {
    /// Changes with the contents of rows; files of another version are dropped, as with a new ``TextAnalyzer/version``.
    static let version = 3
    /// How many messages one processor analyses at a time.
    private static let partSize = 256

    /// The language of texts whose language cannot be detected.
    let fallback: TextLanguage
    private let known = KnownWordsPool()

    package init(fallback: TextLanguage) {
        self.fallback = fallback
    }

    /// Identifies the analysis that makes rows of messages; a file with rows of another analysis is not used.
    var analysisVersion: Int {
        TextAnalyzer.version << 32 | Self.version << 8 | Int(fallback.rowCode)
    }

    /// Returns the row of a message; nil for a message without content.
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
            flags: WordFlags(
                marks: marks(of: content.text, tokens, words, in: language), language: language, kinds: content.kinds
            ).rawValue,
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

    /// Returns the text's terms in a language, and its joined words.
    private func terms(
        of text: String, _ tokens: [TextToken], _ words: [KnownWords.Word], in language: TextLanguage
    ) -> [TermKey] {
        let joined = JoinedWord.find(in: text, tokens: tokens).map { TermKey($0.term) }
        // German stems need the umlauts, which tokens lack.
        if language == .german, text.utf8.contains(where: { $0 >= 0x80 }) {
            return TextAnalyzer.terms(of: text, language: .german).map(TermKey.init) + joined
        }
        return zip(tokens, words).map { $0.kind == .word ? $1.key(in: language) : $1.key } + joined
    }

    /// Returns the row of each message, in order.
    ///
    /// Many messages are analysed on all processors, because that takes most of the time of importing a history.
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
    init(_ term: String) {
        self.init(utf8: term.utf8)
    }
}

/// The changes that bring rows of words up to the messages of the store.
struct WordUpdate: Sendable {
    /// Rows that are new or changed.
    private(set) var added: [LexicalRow] = []
    /// Rows that are removed.
    private(set) var removed: [RowKey] = []
    /// The first message whose words in the index are removed or replaced.
    private(set) var firstErased: MessageNumber?
    /// The newest message that is added.
    private(set) var newest: MessageNumber?

    /// Compares messages with the rows of an index; leaves out rows that stay the same.
    ///
    /// - Parameters:
    ///   - messages: Messages by ascending number, each once.
    ///   - snapshot: The rows of the index.
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

    var changedCount: Int { added.count + removed.count }

    /// Applies the changes to an index.
    func apply(to index: BM25Index) {
        if !removed.isEmpty { index.remove(removed) }
        if !added.isEmpty { index.upsert(added) }
    }
}
