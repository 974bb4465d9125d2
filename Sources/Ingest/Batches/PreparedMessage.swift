import ChatCore
import Crypto
import Foundation
import TextAnalysis

/// A claimed message with the texts that are embedded for it.
struct PreparedMessage: Sendable {
    /// What was claimed.
    let item: WorkItem
    /// What is embedded, in order; none when it has nothing to embed.
    let passages: [PreparedPassage]
    /// The tokens of its texts, estimated.
    let tokenCount: Int
    /// The vectors of its first passages: those of the turns that it had.
    private(set) var vectors: [[Float]] = []
    /// How many passages its next turn has; all, unless it is a long message.
    private(set) var turnCount: Int

    /// Prepares an item.
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

    /// Whether it takes more than one request, or did.
    func isLong(_ settings: IngestSettings) -> Bool {
        !vectors.isEmpty || passages.count > settings.batchItemCount || tokenCount > settings.batchTokenCount
    }

    /// Returns the message with a next turn that fits a request, one passage at least, and the tokens of that turn.
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

    /// Takes the vectors of its turn; returns whether it has all now.
    mutating func finishTurn(_ found: [[Float]]) -> Bool {
        vectors += found
        turnCount = passages.count - vectors.count
        return turnCount == 0
    }

    /// The message as it is stored with its vectors, one a passage.
    var embedded: EmbeddedMessage {
        let drafts = zip(passages, vectors).enumerated().map { ordinal, pair in
            PassageDraft(
                ordinal: ordinal, range: pair.0.range, contentHash: pair.0.contentHash, vector: pair.1)
        }
        return EmbeddedMessage(item: item, passages: drafts)
    }
}

/// One text that is embedded.
struct PreparedPassage: Sendable {
    /// The sender's name and a piece of the text.
    let text: String
    /// Which UTF-8 bytes of the searchable text stand in ``text``.
    let range: Range<Int>
    /// SHA-256 of ``text``, 32 bytes.
    let contentHash: [UInt8]

    /// Takes a piece of a message.
    init(_ piece: PassagePreparation.Piece) {
        text = piece.text
        range = piece.range
        var hash = SHA256()
        var text = piece.text
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        contentHash = Array(hash.finalize())
    }
}
