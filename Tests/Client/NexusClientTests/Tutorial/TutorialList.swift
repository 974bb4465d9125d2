import NexusClient

/// The lines of the list, as an app draws them.
@MainActor func tutorialLines(of list: ConversationListModel) -> [String] {
    list.rows.map { row in
        let unread = row.unreadCount > 0 ? " (\(row.unreadCount))" : ""
        let last = row.excerpt.map { ": \($0)" } ?? ""
        return row.name + unread + last
    }
}

/// Opens the direct conversation with a person, which is made if there is none.
@MainActor func tutorialConversation(with person: String, in chat: TutorialChat) async -> ConversationModel? {
    let list = await ConversationListModel(chat.hub)
    guard let id = await list.openDirect(with: person) else { return nil }
    return await ConversationModel(chat.hub, id: id)
}
