import ChatCore

/// The results of a first pass over a WhatsApp chat: the authors, the first message, and the order of dates.
struct WhatsAppChat {
    private(set) var vote = DateOrderVote()
    private(set) var authors: Set<String> = []
    private var first: WhatsAppHead?

    /// Takes the next head of the file.
    mutating func note(_ head: WhatsAppHead) {
        vote.add(head)
        guard let author = head.author, !WhatsAppNotice.content(of: head.text).isNotice else { return }
        first = first ?? head
        authors.insert(author)
    }

    /// Returns the roster.
    ///
    /// Names do not identify chats: many people have a group "Family", or a friend called Ada. So a chat's id is
    /// derived from its name and its first message. Of that message minute and author count. The text may be edited or
    /// deleted later, and counts only if there is no name. An export of the same chat that begins later is another
    /// conversation, unless `id` identifies it.
    ///
    /// A chat that is named after one of two authors is between these two, and has both names. So is another chat of
    /// two authors, unless the application named its file differently; then name and id are those of the file.
    ///
    /// - Parameters:
    ///   - title: The chat's name; nil if the file has none.
    ///   - isNamedByApplication: Whether the application chose the name of the file.
    ///   - id: The conversation's id, if it was given.
    ///   - order: The order of its dates.
    ///   - naming: Makes the ids.
    ///   - timeZone: The zone of its times.
    /// - Returns: The conversation with all authors.
    func roster(
        title: String?, isNamedByApplication: Bool, id: ConversationID?, order: DateOrder, naming: HistoryNaming,
        timeZone: String?
    ) -> ConversationRoster {
        let bearsName = title.map { authors.count <= 2 && authors.contains($0) } ?? false
        let isDirect = bearsName || isOfTwo(title: title, isNamedByApplication: isNamedByApplication)
        let start = Timestamp(microseconds: 0)
        let name = bearsName ? "direct:" + authors.sorted().joined(separator: ",") : title ?? "chat"
        let ownID = "\(name)-\(beginning(order, withText: title == nil))"
        return ConversationRoster(
            conversation: Conversation(
                id: id ?? naming.conversation(ownID), kind: isDirect ? .direct : .group,
                name: bearsName || (isDirect && title == nil) ? nil : title ?? ownID, timeZone: timeZone,
                createdAt: start, updatedAt: start),
            members: authors.sorted().map {
                Member(userID: naming.user($0), displayName: WhatsAppHead.shownName($0), joinedAt: start)
            })
    }

    private func isOfTwo(title: String?, isNamedByApplication: Bool) -> Bool {
        guard authors.count == 2 else { return false }
        guard isNamedByApplication, let title else { return true }
        let isNumber = title.allSatisfy { $0.isNumber || "+-() \u{A0}\u{2011}".contains($0) }
        return isNumber || authors.contains { WhatsAppHead.shownName($0) == WhatsAppHead.shownName(title) }
    }

    /// A hash of the first message's minute and author.
    private func beginning(_ order: DateOrder, withText: Bool) -> String {
        guard let first, let author = first.author else { return TextDigest.text("") }
        // Only some applications write seconds.
        let minute = order.time(first).map { "\($0.seconds / 60)" } ?? "\(first.date.parts)"
        return TextDigest.text("\(minute) \(author)" + (withText ? ": \(first.text)" : ""))
    }

    /// The name of a chat, derived from the names of file, archive and folders: `WhatsApp Chat with Ada.txt`, `WhatsApp
    /// Chat - Team (2).zip`.
    ///
    /// - Parameters:
    ///   - names: The file's name, then those of the archive and the folders around it, without endings.
    ///   - fileCount: How many of them name the file or the archive itself; a folder's name counts only if it is that
    ///     of an export.
    /// - Returns: The chat's name; nil if no name contains it.
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

    /// Whether one of the names is as the application names exports.
    static func isNamedByApplication(_ names: [String]) -> Bool {
        names.contains { name in beginnings.contains { InvisibleMarks.removed(name).hasPrefix($0) } }
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
