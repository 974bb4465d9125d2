import ChatCore

/// Makes our ids from those of an export.
///
/// Ids of people and conversations begin with the source's name (`slack-C123`): two exports never meet by chance, and
/// nobody of an export is taken for a user of the chat application before `nexus users map` says so. Messages keep the
/// export's own ids, which count within a conversation only. Ids that are too long end in a hash of the whole.
struct HistoryNaming {
    /// The source's name.
    let source: String
    /// The address of the workspace, for links to its messages; nil for no links.
    var workspaceURL: String?

    func conversation(_ id: String) -> ConversationID { ConversationID(rawValue: Self.usable("\(source)-\(id)")) }

    func user(_ id: String) -> UserID { UserID(rawValue: Self.usable("\(source)-\(id)")) }

    func message(_ id: String) -> MessageID { MessageID(rawValue: Self.usable(id)) }

    /// What a history tells about somebody.
    func author(
        _ id: String, name: String?, email: String? = nil, isBot: Bool = false, kind: UserKind? = nil
    ) -> Identity {
        let user = user(id)
        return Identity(
            source: source, externalID: user.rawValue, userID: user, name: name, email: email, isBot: isBot, kind: kind)
    }

    /// Replaces control characters and shortens what is longer than an id may be.
    private static func usable(_ text: String) -> String {
        guard ConversationID(validating: text) == nil else { return text }
        let printable = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "_" : $0 }
        var cut = String(String.UnicodeScalarView(printable))
        while cut.utf8.count > 200 { cut.unicodeScalars.removeLast() }
        return "\(cut)-\(TextDigest.text(text))"
    }
}
