public import ChatCore

/// How a message becomes the texts that are embedded.
public enum PassagePreparation {
    /// Part of the embedding space: a new way of preparing makes new vectors necessary.
    ///
    /// Dividing long messages did not change it, for a message within the limit has the text that it always had.
    public static let version = EmbeddingSpace.currentPreparationVersion

    /// A text that is embedded.
    public struct Piece: Hashable, Sendable {
        /// The sender's name and a part of the message.
        public let text: String
        /// Which UTF-8 bytes of the message's searchable text the part is.
        public let range: Range<Int>
    }

    /// Returns `Sender: text`, white space at the ends removed; nil when there is nothing to embed.
    ///
    /// The name belongs in the vector: on LoCoMo it raised recall@10 of the bare text from 0.30 to 0.39.
    public static func text(senderName: String, searchableText: some StringProtocol) -> String? {
        let body = String(searchableText).trimmingWhitespace()
        guard !body.isEmpty else { return nil }
        let name = senderName.trimmingWhitespace()
        return name.isEmpty ? body : "\(name): \(body)"
    }

    /// Returns what is embedded of a message: one piece, or several that overlap, each with the sender's name before it.
    ///
    /// The ranges of the pieces ascend and leave out nothing but white space. A piece exceeds the limit only where a
    /// single character does, or a name that takes more than half of it.
    ///
    /// - Parameters:
    ///   - senderName: The writer's name.
    ///   - searchableText: See ``Message/searchableText``.
    ///   - limit: How long a piece may be.
    /// - Returns: The pieces in order; none when there is nothing to embed.
    public static func pieces(senderName: String, searchableText: String, limit: PassageLimit) -> [Piece] {
        guard let whole = text(senderName: senderName, searchableText: searchableText) else { return [] }
        if limit.admits(whole) { return [Piece(text: whole, range: 0..<searchableText.utf8.count)] }
        let nameCount = limit.count(senderName.trimmingWhitespace() + ": ")
        let room = max(limit.tokenCount, nameCount + limit.tokenCount / 2)
        let splitter = PassageSplitter(searchableText, tokenCount: max(1, limit.tokenCount - nameCount)) { part in
            text(senderName: senderName, searchableText: part).map { limit.count($0) <= room } ?? true
        }
        return splitter.ranges().compactMap { range in
            text(senderName: senderName, searchableText: searchableText.part(utf8: range)).map {
                Piece(text: $0, range: range)
            }
        }
    }
}
