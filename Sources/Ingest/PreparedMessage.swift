import ChatCore
import Crypto
import Foundation

/// A claimed message with the texts that are embedded for it.
struct PreparedMessage: Sendable {
    /// The most tokens of a text that are sent, by estimate: no embedding model of OpenAI's takes more than 8,192.
    private static let tokenLimit = 8_000

    /// What was claimed.
    let item: WorkItem
    /// What is embedded, in order; none when it has nothing to embed.
    let passages: [PreparedPassage]
    /// The tokens of its texts, estimated.
    let tokenCount: Int

    /// Prepares an item.
    init(_ item: WorkItem) {
        self.item = item
        let body = Self.cut(item.searchableText)
        let text = PassagePreparation.text(senderName: item.senderName, searchableText: body)
        passages = text.map { [PreparedPassage(text: $0, range: 0..<body.utf8.count)] } ?? []
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

    private static func cut(_ text: String) -> String {
        // No scalar counts more than two tokens nor less than a third of one.
        guard text.utf8.count > tokenLimit, TokenEstimate.count(text) > tokenLimit else { return text }
        var low = 0
        var high = text.count
        while low < high {
            let middle = (low + high + 1) / 2
            if TokenEstimate.count(text.prefix(middle)) <= tokenLimit { low = middle } else { high = middle - 1 }
        }
        return String(text.prefix(low))
    }
}

/// One text that is embedded.
struct PreparedPassage: Sendable {
    /// The sender's name and a piece of the text.
    let text: String
    /// Which UTF-8 bytes of the searchable text stand in ``text``.
    let range: Range<Int>

    /// SHA-256 of ``text``, 32 bytes.
    var contentHash: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
}
