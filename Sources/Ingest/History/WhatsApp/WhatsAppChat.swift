import ChatCore

/// What a first pass over a WhatsApp chat finds: who wrote, and in which order dates are written.
struct WhatsAppChat {
    private(set) var vote = DateOrderVote()
    private(set) var authors: Set<String> = []
    private var firstHash = ""

    /// Takes the next head of the file.
    mutating func note(_ head: WhatsAppHead) {
        vote.add(head)
        guard let author = head.author, !WhatsAppNotice.content(of: head.text).isNotice else { return }
        if firstHash.isEmpty {
            firstHash = StableHash.text("\(head.date.parts) \(head.hour):\(head.minute) \(author): \(head.text)")
        }
        authors.insert(author)
    }

    /// The roster.
    ///
    /// A chat that is named after one of two authors is between these two, and goes by both names: two people's chats
    /// with the same third person are two chats.
    ///
    /// - Parameters:
    ///   - title: The chat's name; nil where the file does not tell, then its first message stands for it.
    ///   - naming: Makes the ids.
    ///   - timeZone: The zone of its times.
    /// - Returns: The conversation with everybody who wrote.
    func roster(title: String?, naming: HistoryNaming, timeZone: String?) -> ConversationRoster {
        let isDirect = title.map { authors.count <= 2 && authors.contains($0) } ?? false
        let start = Timestamp(microseconds: 0)
        let id = isDirect ? "direct:" + authors.sorted().joined(separator: ",") : title ?? "chat:\(firstHash)"
        return ConversationRoster(
            conversation: Conversation(
                id: naming.conversation(id), kind: isDirect ? .direct : .group, name: isDirect ? nil : title ?? id,
                timeZone: timeZone, createdAt: start, updatedAt: start),
            members: authors.sorted().map {
                Member(userID: naming.user($0), displayName: $0, joinedAt: start)
            })
    }

    /// The name of a chat by the names of what holds it, the file first: `WhatsApp Chat with Ada.txt`,
    /// `WhatsApp Chat - Team (2).zip`.
    ///
    /// - Parameters:
    ///   - names: The file's name, then those of the archive and the folders around it, without endings.
    ///   - fileCount: How many of them name the file or the archive itself; a folder's name counts only where it is
    ///     that of an export.
    /// - Returns: The chat's name; nil when none of the names tells.
    static func title(_ names: [String], fileCount: Int) -> String? {
        for (index, name) in names.enumerated() {
            let name = InvisibleMarks.removed(name)
            let beginning = beginnings.first { name.hasPrefix($0) }
            guard beginning != nil || (index < fileCount && !emptyNames.contains(name.lowercased())) else { continue }
            let title = withoutCopyNumber(String(name.dropFirst(beginning?.count ?? 0))).trimmed()
            if !title.isEmpty { return title }
        }
        return nil
    }

    /// Names of files that say nothing about the chat.
    private static let emptyNames: Set<String> = ["_chat", "chat", "whatsapp", "whatsapp chat", "export", ""]

    /// Without the number that a browser adds to a file that it saved before.
    private static func withoutCopyNumber(_ name: String) -> String {
        guard name.hasSuffix(")"), let open = name.lastIndex(of: "("), open > name.startIndex,
            name[name.index(after: open)...].dropLast().allSatisfy(\.isNumber)
        else { return name }
        return String(name[..<open])
    }

    /// How names of files begin, longer ones first.
    private static let beginnings = [
        "WhatsApp Chat with ", "WhatsApp Chat - ", "WhatsApp-Chat mit ", "WhatsApp Chat mit ", "Chat de WhatsApp con ",
        "Chat WhatsApp con ", "Discussion WhatsApp avec ", "Conversa do WhatsApp com ", "WhatsApp-chat met ",
        "WhatsApp Chat met ", "Чат WhatsApp с ", "Chat WhatsApp dengan ",
    ]
}
