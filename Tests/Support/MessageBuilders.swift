package import ChatCore

extension Timestamp {
    /// So many seconds after an arbitrary start.
    package static func second(_ count: Int) -> Timestamp {
        Timestamp(microseconds: 1_750_000_000_000_000 + Int64(count) * 1_000_000)
    }
}

extension MessageKey {
    /// Joins two ids.
    package static func of(_ conversation: ConversationID, _ message: MessageID) -> MessageKey {
        MessageKey(conversationID: conversation, messageID: message)
    }
}

extension Message {
    /// A message with every field of it given.
    package static func complete(_ conversation: ConversationID, _ id: MessageID, by sender: UserID) -> Message {
        Message(
            key: .of(conversation, id), senderID: sender, senderName: "Ada Lovelace", text: "Grüße 👋 from the pier",
            kind: .bot, timestamp: Timestamp(microseconds: 1_750_000_000_123_456), editedAt: .second(5),
            replyToID: "earlier", threadRootID: "first",
            attachments: [
                Attachment(name: "plan.pdf", type: "application/pdf", caption: "berth plan"), Attachment(name: "x"),
            ],
            reactions: [Reaction(emoji: "👍", userIDs: ["bob", "eve"])], extra: #"{"pinned":true}"#,
            localID: "local-1", url: "https://chat.example.com/c/1?m=%C3%BC")
    }

    /// A short message, sent as many seconds after the start as it says.
    package static func short(
        _ conversation: ConversationID, _ id: MessageID, by sender: UserID = "ada", _ text: String = "hello",
        at second: Int = 0, localID: String? = nil
    ) -> Message {
        Message(
            key: .of(conversation, id), senderID: sender, senderName: "Name of \(sender)", text: text,
            timestamp: .second(second), localID: localID)
    }
}

extension ConversationRoster {
    /// A conversation whose members joined before the start.
    package static func of(
        _ id: ConversationID, _ members: [UserID], kind: Conversation.Kind = .group,
        visibility: Conversation.Visibility = .members, name: String? = "Harbor"
    ) -> ConversationRoster {
        ConversationRoster(
            conversation: Conversation(
                id: id, kind: kind, visibility: visibility, name: name, timeZone: "Europe/Berlin",
                createdAt: .second(-100), updatedAt: .second(0)),
            members: members.map { Member(userID: $0, displayName: "Name of \($0)", joinedAt: .second(-100)) })
    }
}

extension EmbeddingSpace {
    /// A space of two dimensions.
    package static func tiny(_ model: String = "tiny") -> EmbeddingSpace {
        EmbeddingSpace(provider: "builtin", model: model, dimensions: 2, queryPrefix: "q: ", passagePrefix: "p: ")
    }
}

extension EmbeddedMessage {
    /// What was claimed with so many passages, all with one vector.
    package static func of(_ item: WorkItem, passages count: Int = 1, vector: [Float] = [0.6, 0.8]) -> EmbeddedMessage {
        EmbeddedMessage(
            item: item,
            passages: (0..<count).map { ordinal in
                PassageDraft(
                    ordinal: ordinal, range: ordinal..<ordinal + 1,
                    contentHash: [UInt8](repeating: UInt8(ordinal), count: 32), vector: vector)
            })
    }
}
