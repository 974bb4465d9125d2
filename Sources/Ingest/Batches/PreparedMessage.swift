import ChatCore
import Crypto
import Foundation
import TextAnalysis

/// A claimed message with the texts to embed.
struct PreparedMessage: Sendable {
    let item: WorkItem
    /// The texts to embed, in order; none when the message has nothing to embed.
    let passages: [PreparedPassage]
    /// The estimated tokens of its texts.
    let tokenCount: Int
    /// The vectors of its first passages, from its earlier turns.
    private(set) var vectors: [[Float]] = []
    /// The number of passages in its next turn; all, unless the message is long.
    private(set) var turnCount: Int

    init(_ item: WorkItem, limit: PassageLimit) {
        self.item = item
        passages = PassagePreparation.pieces(
            senderName: item.senderName, searchableText: item.searchableText, limit: limit
        ).map { PreparedPassage($0) }
        tokenCount = passages.reduce(0) { $0 + TokenEstimate.count($1.text) }
        turnCount = passages.count
    }

    /// The passages of its next turn.
    var turn: ArraySlice<PreparedPassage> { passages[vectors.count..<vectors.count + turnCount] }

    /// Whether it needs or needed more than one request.
    func isLong(_ settings: IngestSettings) -> Bool {
        !vectors.isEmpty || passages.count > settings.batchItemCount || tokenCount > settings.batchTokenCount
    }

    /// Returns the message with a next turn that fits a request, at least one passage, and the tokens of that turn.
    func takingTurn(itemLimit: Int, tokenLimit: Int) -> (message: PreparedMessage, tokenCount: Int) {
        var (count, tokens) = (0, 0)
        for passage in passages[vectors.count...].prefix(max(1, itemLimit)) {
            let next = tokens + TokenEstimate.count(passage.text)
            if count > 0, next > tokenLimit { break }
            (count, tokens) = (count + 1, next)
        }
        var message = self
        message.turnCount = count
        return (message, tokens)
    }

    /// Adds the vectors of its turn; returns whether it has all vectors now.
    mutating func finishTurn(_ found: [[Float]]) -> Bool {
        vectors += found
        turnCount = passages.count - vectors.count
        return turnCount == 0
    }

    /// The message with its vectors, one per passage, as it is stored.
    var embedded: EmbeddedMessage {
        let drafts = zip(passages, vectors).enumerated().map { ordinal, pair in
            PassageDraft(
                ordinal: ordinal, range: pair.0.range, contentHash: pair.0.contentHash, vector: pair.1)
        }
        return EmbeddedMessage(item: item, passages: drafts)
    }
}

/// One text to embed.
struct PreparedPassage: Sendable {
    /// The sender's name and a piece of the text.
    let text: String
    /// The UTF-8 bytes of the searchable text that are in ``text``.
    let range: Range<Int>
    /// SHA-256 of ``text``, 32 bytes.
    let contentHash: [UInt8]

    init(_ piece: PassagePreparation.Piece) {
        text = piece.text
        range = piece.range
        var hash = SHA256()
        var text = piece.text
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        contentHash = Array(hash.finalize())
    }
}
