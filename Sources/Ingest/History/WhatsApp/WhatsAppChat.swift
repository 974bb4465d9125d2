import ChatCore

/// What a first pass over a WhatsApp chat finds: who wrote, and in which order dates are written.
struct WhatsAppChat {
    private(set) var vote = DateOrderVote()
    private(set) var authors: Set<String> = []

    /// Takes the next head of the file.
    mutating func note(_ head: WhatsAppHead) {
        vote.add(head)
        if let author = head.author, !WhatsAppNotice.content(of: head.text).isNotice { authors.insert(author) }
    }

    /// The roster; a chat that is named after one of two authors is between these two.
    func roster(title: String, naming: HistoryNaming, timeZone: String?) -> ConversationRoster {
        let isDirect = authors.count <= 2 && authors.contains(title)
        let start = Timestamp(microseconds: 0)
        return ConversationRoster(
            conversation: Conversation(
                id: naming.conversation(title), kind: isDirect ? .direct : .group, name: isDirect ? nil : title,
                timeZone: timeZone, createdAt: start, updatedAt: start),
            members: authors.sorted().map {
                Member(userID: naming.user($0), displayName: $0, joinedAt: start)
            })
    }

    /// The name of a chat by the name of its file: `WhatsApp Chat with Ada`, `WhatsApp Chat - Team (2)`.
    static func title(ofFile name: String) -> String {
        var name = InvisibleMarks.removed(name)
        for beginning in beginnings where name.hasPrefix(beginning) {
            name.removeFirst(beginning.count)
            break
        }
        // What a browser adds to a file that it saved before.
        if name.hasSuffix(")"), let open = name.lastIndex(of: "("), open > name.startIndex,
            name[name.index(after: open)...].dropLast().allSatisfy(\.isNumber)
        {
            name = String(name[..<open])
        }
        return name.trimmed()
    }

    /// How names of files begin, longer ones first.
    private static let beginnings = [
        "WhatsApp Chat with ", "WhatsApp Chat - ", "WhatsApp-Chat mit ", "WhatsApp Chat mit ", "Chat de WhatsApp con ",
        "Chat WhatsApp con ", "Discussion WhatsApp avec ", "Conversa do WhatsApp com ", "WhatsApp-chat met ",
        "WhatsApp Chat met ", "Чат WhatsApp с ", "Chat WhatsApp dengan ",
    ]
}
