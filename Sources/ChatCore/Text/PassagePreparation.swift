/// How a message becomes the text that is embedded.
public enum PassagePreparation {
    /// Part of the embedding space: a new way of preparing makes new vectors necessary.
    public static let version = 1

    /// Returns `Sender: text`, white space at the ends removed; nil when there is nothing to embed.
    ///
    /// The name belongs in the vector: on LoCoMo it raised recall@10 of the bare text from 0.30 to 0.39.
    public static func text(senderName: String, searchableText: String) -> String? {
        let body = searchableText.trimmingWhitespace()
        guard !body.isEmpty else { return nil }
        let name = senderName.trimmingWhitespace()
        return name.isEmpty ? body : "\(name): \(body)"
    }
}

extension String {
    /// Returns the text without white space and line breaks at its ends.
    public func trimmingWhitespace() -> String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
