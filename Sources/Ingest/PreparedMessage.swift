import ChatCore
import Crypto
import Foundation

/// A claimed message with the text that is embedded for it.
struct PreparedMessage {
    /// The most tokens of a text that are sent, by estimate: no embedding model of OpenAI's takes more than 8,192.
    private static let tokenLimit = 8_000

    /// What was claimed.
    let item: WorkItem
    /// The sender's name and the text.
    let text: String
    /// Which UTF-8 bytes of the searchable text stand in ``text``.
    let range: Range<Int>

    /// Prepares an item; nil when it has nothing to embed.
    init?(_ item: WorkItem) {
        let body = Self.cut(item.searchableText)
        guard let text = PassagePreparation.text(senderName: item.senderName, searchableText: body) else { return nil }
        self.item = item
        self.text = text
        range = 0..<body.utf8.count
    }

    /// Returns the message as it is stored with its vector.
    func embedded(_ vector: [Float]) -> EmbeddedMessage {
        let hash = Array(SHA256.hash(data: Data(text.utf8)))
        return EmbeddedMessage(
            item: item, passages: [PassageDraft(ordinal: 0, range: range, contentHash: hash, vector: vector)])
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
