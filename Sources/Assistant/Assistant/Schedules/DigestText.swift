import ChatCore

/// The sentences of digests in one language.
struct DigestText: Sendable {
    /// The longest part of a message that is quoted, in characters.
    private static let excerptLimit = 140

    private let isGerman: Bool

    /// Takes a language such as `de` or `de-AT`; others than German are shown in English.
    init(language: String) {
        isGerman = language.lowercased().split(separator: "-").first == "de"
    }

    func title(day: String) -> String { isGerman ? "Überblick vom \(day)" : "Digest of \(day)" }

    func missed(_ entry: InboxEntry, _ message: Message, _ number: Int) -> String {
        let count = entry.unreadCount >= InboxEntry.countLimit ? "\(InboxEntry.countLimit)+" : "\(entry.unreadCount)"
        let isOne = entry.unreadCount == 1
        let mentions = entry.mentionCount
        let (sender, excerpt) = (message.senderName, Self.excerpt(message.shownText))
        if isGerman {
            let unread = isOne ? "1 ungelesene Nachricht" : "\(count) ungelesene Nachrichten"
            let named = mentions == 0 ? "" : ", du wirst \(mentions)-mal erwähnt"
            return "\(entry.displayName): \(unread)\(named). \(sender): „\(excerpt)“ [\(number)]"
        }
        let unread = isOne ? "1 unread message" : "\(count) unread messages"
        let named = mentions == 0 ? "" : ", \(mentions) of them mention you"
        return "\(entry.displayName): \(unread)\(named). \(sender): “\(excerpt)” [\(number)]"
    }

    func due(_ item: ExtractedItem, day: String, isOver: Bool, in conversation: String, _ number: Int) -> String {
        let beginning =
            switch (isGerman, isOver) {
            case (true, true): "Überfällig seit \(day)"
            case (true, false): "Fällig am \(day)"
            case (false, true): "Overdue since \(day)"
            case (false, false): "Due on \(day)"
            }
        return "\(beginning): \(Self.excerpt(item.text)) (\(conversation)) [\(number)]"
    }

    func decided(_ item: ExtractedItem, in conversation: String, _ number: Int) -> String {
        "\(isGerman ? "Entschieden" : "Decided") (\(conversation)): \(Self.excerpt(item.text)) [\(number)]"
    }

    func changed(
        _ item: ExtractedItem, _ number: Int, before: ExtractedItem, _ earlier: Int, in conversation: String
    ) -> String {
        let (now, then) = (Self.excerpt(item.text), Self.excerpt(before.text))
        return isGerman
            ? "Anders entschieden (\(conversation)): \(now) [\(number)]. Vorher: \(then) [\(earlier)]"
            : "Decision changed (\(conversation)): \(now) [\(number)]. Before: \(then) [\(earlier)]"
    }

    private static func excerpt(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let limit = TextLimit(characters: excerptLimit)
        return limit.admits(line) ? line : limit.cut(line) + "…"
    }
}
