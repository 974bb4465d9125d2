package import ChatCore

/// Conversations with questions whose evidence is known, to measure a retrieval.
package struct EvaluationDataset: Sendable {
    /// The folder's name.
    package var name: String
    /// Everybody's conversations, in the file's order.
    package let conversations: [EvaluationConversation]
    /// All messages, in the file's order.
    package let messages: [EvaluationMessage]
    /// All questions, in the file's order.
    package let questions: [EvaluationQuestion]
    /// Evidence ids that name no message, as `question: id`; those entries were left out.
    package let unknownEvidence: [String]

    private let messageRows: [MessageKey: Int]
    private let qualifiedIDs: Set<MessageID>

    /// Joins the parts of a dataset.
    ///
    /// Evidence is not checked here; the initialiser that reads a folder checks it.
    package init(
        name: String, conversations: [EvaluationConversation], messages: [EvaluationMessage],
        questions: [EvaluationQuestion], unknownEvidence: [String] = []
    ) {
        self.name = name
        self.conversations = conversations
        self.messages = messages
        self.questions = questions
        self.unknownEvidence = unknownEvidence
        messageRows = Dictionary(
            messages.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: [MessageID: ConversationID] = [:]
        var shared: Set<MessageID> = []
        for message in messages where seen.updateValue(message.conversationID, forKey: message.id) != nil {
            shared.insert(message.id)
        }
        qualifiedIDs = shared
    }

    /// Returns the message at a place; nil when there is none.
    package func message(at key: MessageKey) -> EvaluationMessage? {
        messageRows[key].map { messages[$0] }
    }

    /// Whether a conversation has messages of all these ids.
    func holds(_ ids: [MessageID], of conversation: ConversationID) -> Bool {
        ids.allSatisfy { message(at: MessageKey(conversationID: conversation, messageID: $0)) != nil }
    }

    /// Returns the messages of a conversation in order of time.
    func messages(of conversation: ConversationID) -> [EvaluationMessage] {
        messages.filter { $0.conversationID == conversation }.sorted { ($0.timestamp, $0.seq) < ($1.timestamp, $1.seq) }
    }

    /// Returns the name of a message in TREC files, in reports and in ties.
    ///
    /// It is the message's id if that is unique in the dataset, else `conversation/message`. Blanks, control
    /// characters and `%` are percent-encoded in both, `/` too in the long form, so that names stay unique and one word.
    package func documentName(of key: MessageKey) -> String {
        guard qualifiedIDs.contains(key.messageID) else { return TRECName.escaped(key.messageID.rawValue) }
        return TRECName.escaped(key.conversationID.rawValue, alsoSlash: true) + "/"
            + TRECName.escaped(key.messageID.rawValue, alsoSlash: true)
    }

    /// The conversations with everyone as reader, so that questions without an asker can be asked; empty if a question
    /// has an asker.
    package var openRosters: [ConversationRoster] {
        guard questions.allSatisfy({ $0.askerID == nil }) else { return [] }
        let start = Timestamp(microseconds: 0)
        return conversations.map { given in
            ConversationRoster(
                conversation: Conversation(
                    id: given.id, visibility: .everyone, name: given.name, timeZone: given.timeZone,
                    createdAt: start, updatedAt: start),
                members: given.participants.map {
                    Member(userID: $0.id, displayName: $0.name, aliases: $0.aliases ?? [], joinedAt: start)
                }.sorted { $0.userID < $1.userID })
        }
    }
}

/// A conversation up to one of its messages, with a new id.
package struct ConversationCut: Hashable, Sendable {
    /// The new id.
    package var id: ConversationID
    /// The conversation.
    package var conversationID: ConversationID
    /// The last message that stays.
    package var lastID: MessageID

    package init(id: ConversationID, conversationID: ConversationID, lastID: MessageID) {
        self.id = id
        self.conversationID = conversationID
        self.lastID = lastID
    }
}

extension EvaluationDataset {
    /// Returns a dataset of conversations that end earlier; cuts of unknown conversations or messages are left out.
    package func cut(_ cuts: [ConversationCut]) -> EvaluationDataset {
        var conversations: [EvaluationConversation] = []
        var messages: [EvaluationMessage] = []
        for cut in cuts {
            let all = self.messages(of: cut.conversationID)
            guard var conversation = self.conversations.first(where: { $0.id == cut.conversationID }),
                let last = all.firstIndex(where: { $0.id == cut.lastID })
            else { continue }
            conversation.id = cut.id
            conversations.append(conversation)
            messages += all[...last].map { message in
                var message = message
                message.conversationID = cut.id
                return message
            }
        }
        return EvaluationDataset(name: name, conversations: conversations, messages: messages, questions: [])
    }
}
