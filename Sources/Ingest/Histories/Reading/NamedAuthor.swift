package import ChatCore

/// Authors whose export has no ids of people: they are known by a name, which may be that of others too.
///
/// Such an author is a person of one conversation; its id ends in a hash of the conversation's. Earlier versions gave
/// a name one id in all conversations.
package enum NamedAuthor {
    /// The name of an author that is known by it only; nil for one with an id or an address.
    package static func name(of author: Identity) -> String? {
        let prefix = author.source + "-"
        guard author.email == nil, author.externalID.hasPrefix(prefix) else { return nil }
        let name = String(author.externalID.dropFirst(prefix.count))
        if let scoped = withoutHash(name) { return scoped }
        return WhatsAppHead.shownName(name) == author.name ? name : nil
    }

    /// Whether an author is of one conversation.
    static func isScoped(_ author: UserID) -> Bool { withoutHash(author.rawValue) != nil }

    /// The id of an author in one of several conversations.
    package static func id(of author: Identity, in conversation: ConversationID) -> String {
        let prefix = author.source + "-"
        guard author.externalID.hasPrefix(prefix) else { return author.externalID }
        let naming = HistoryNaming(source: author.source, scope: conversation)
        return naming.user(String(author.externalID.dropFirst(prefix.count))).rawValue
    }

    private static func withoutHash(_ id: String) -> String? {
        guard let dash = id.lastIndex(of: "-"), dash > id.startIndex else { return nil }
        let hash = id[id.index(after: dash)...]
        let isHash = hash.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isHash && hash.utf8.count == 16 ? String(id[..<dash]) : nil
    }
}
