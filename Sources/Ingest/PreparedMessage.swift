import ChatCore
import Crypto
import Foundation

/// A claimed message with the texts that are embedded for it.
struct PreparedMessage: Sendable {
    /// What was claimed.
    let item: WorkItem
    /// What is embedded, in order; none when it has nothing to embed.
    let passages: [PreparedPassage]
    /// The tokens of its texts, estimated.
    let tokenCount: Int

    /// Prepares an item.
    init(_ item: WorkItem, limit: PassageLimit) {
        self.item = item
        passages = PassagePreparation.pieces(
            senderName: item.senderName, searchableText: item.searchableText, limit: limit
        ).map { PreparedPassage($0) }
        tokenCount = passages.reduce(0) { $0 + TokenEstimate.count($1.text) }
    }

    /// Returns the message as it is stored with its vectors, one a passage.
    func embedded(_ vectors: [[Float]]) -> EmbeddedMessage {
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
