import ChatCore

/// Makes one history fit what is stored: chats, people and messages that are there keep their ids.
///
/// For formats whose exports have no ids. The history is read once more for it. What the store has is read at that
/// moment, so the histories before must be stored by then.
struct HistoryAlignment {
    private let naming: HistoryNaming
    private let store: any ImportStore
    /// Whether times are precise, and people have ids.
    private let isExact: Bool
    /// The chats that are stored, by the ids that the export gives them.
    private var chats: [ConversationID: ChatAlignment] = [:]
    /// The stored conversations of the chats.
    private var rosters: [ConversationID: ConversationRoster] = [:]
    /// People of all conversations with another id in the export.
    private var people: [UserID: UserID] = [:]
    /// How many messages of each chat were seen.
    private var counts: [ConversationID: Int] = [:]
    /// Ids of messages that got other ones, by the chat's id in the export.
    private var changedIDs: [ConversationID: [MessageID: MessageID]] = [:]
    /// By how much the export's clock is ahead of the stored times, at the last message of each chat that is stored.
    private var shifts: [ConversationID: Duration] = [:]
    /// Other ids of chats than the export gives them.
    private var targets: [ConversationID: ConversationID] = [:]
    /// The users of the source's authors.
    private var users: [UserID: UserID] = [:]

    /// Compares a history with the store.
    ///
    /// - Returns: Nil if its messages have ids, or nothing of its source is stored.
    /// - Throws: Errors of reading, ``RepositoryError``.
    init?(_ part: HistoryPart, options: HistoryOptions, store: any ImportStore) async throws {
        guard !part.format.hasMessageIDs else { return nil }
        let source = part.source(options)
        let known = try await store.importedChats(of: source)
        guard !known.isEmpty else { return nil }
        naming = HistoryNaming(source: source)
        self.store = store
        isExact = part.format == .mattermost
        let outline = try await ExportOutline.reading(part, options: options)
        let identities = try await store.identities().filter { $0.source == source }
        for identity in identities { users[UserID(rawValue: identity.externalID)] = identity.userID }
        if isExact { people = Self.renamedPeople(outline.authors, among: identities) }
        try await align(outline, with: known)
    }

    /// The people whose address says that they have another user name now.
    private static func renamedPeople(
        _ authors: [UserID: Identity], among identities: [Identity]
    ) -> [UserID: UserID] {
        let addressed = identities.filter { $0.email?.isEmpty == false }
        let byEmail = Dictionary(addressed.map { ($0.email?.lowercased() ?? "", $0) }) { first, _ in first }
        var people: [UserID: UserID] = [:]
        for author in authors.values.sorted(by: { $0.externalID < $1.externalID }) {
            guard let email = author.email?.lowercased(), let known = byEmail[email] else { continue }
            let id = UserID(rawValue: known.externalID)
            guard id != author.userID, authors[id]?.email?.lowercased() != email else { continue }
            people[author.userID] = id
        }
        // Somebody else may have the user name that became free.
        for id in people.values where people[id] == nil {
            guard let email = authors[id]?.email else { continue }
            people[id] = UserID(rawValue: "\(id.rawValue)-\(TextDigest.text(email.lowercased()))")
        }
        return people
    }

    private mutating func align(_ outline: ExportOutline, with known: [ImportedChat]) async throws {
        var free = known.filter { outline.chats[$0.id] == nil }
        let recognition = ChatRecognition(store: store, source: naming.source, isExact: isExact)
        for (id, chat) in outline.chats.sorted(by: { $0.key < $1.key }) {
            let chat = chat.written(by: people)
            var target = directConversation(of: chat.roster) ?? id
            targets[id] = target
            if !known.contains(where: { $0.id == target }) {
                guard let found = try await recognition.conversation(of: chat, among: free) else { continue }
                target = found
            }
            targets[id] = target
            free.removeAll { $0.id == target }
            try await align(chat, id: id, with: target)
        }
    }

    /// The id of a conversation between people who have other ids now; it is made of their ids.
    private func directConversation(of roster: ConversationRoster?) -> ConversationID? {
        guard isExact, let roster, roster.conversation.kind == .direct else { return nil }
        return naming.direct(roster.members.map(\.userID))
    }

    private mutating func align(
        _ chat: ExportOutline.Chat, id: ConversationID, with target: ConversationID
    ) async throws {
        let roster = try await store.roster(of: target)
        let members = Dictionary(roster.members.map { ($0.userID, $0) }) { first, _ in first }
        var transcript = try await StoredTranscript(of: target, source: naming.source, in: store)
        transcript.add(users.compactMapValues { members[$0] }) { author in
            isExact || naming.isScoped(author, to: target) || !NamedAuthor.isScoped(author)
        }
        rosters[id] = roster
        var alignment = ChatAlignment(chat, in: target, origin: id, transcript, isExact: isExact)
        alignment.record(erased: try await store.erasedLines(of: target), in: chat)
        chats[id] = alignment
    }

    /// The comparison of each chat that is stored, by the conversation's id.
    var comparisons: [ConversationID: ChatComparison] {
        Dictionary(chats.values.map { ($0.id, $0.comparison) }) { first, _ in first }
    }

    /// Returns items with the ids that the store has.
    mutating func aligned(_ items: [HistoryItem]) async throws -> [HistoryItem] {
        var aligned: [HistoryItem] = []
        var new: [Int] = []
        for item in items {
            var content = item.content
            switch content {
            case .author(let author):
                guard !chats.values.contains(where: { $0.erasedAuthors.contains(author.userID) }) else { continue }
                content = .author(self.aligned(author))
            case .roster(let roster): content = .roster(self.aligned(roster))
            case .message(let message, let deletedAt):
                let fate = nextFate(in: message.key.conversationID)
                if fate.known == .new { new.append(aligned.count) }
                content = self.aligned(message, deletedAt: deletedAt, place: fate.place, fate: fate.known)
            case .known, .skipped, .rejected, .noted: break
            }
            aligned.append(HistoryItem(content: content, place: item.place))
        }
        return try await withFreeIDs(aligned, new: new)
    }

    /// The place of the next message of a chat, and what becomes of it; nil in a chat that is not stored.
    private mutating func nextFate(in id: ConversationID) -> (place: Int, known: ChatAlignment.Fate?) {
        let place = counts[id, default: 0]
        guard let chat = chats[id] else { return (place, nil) }
        counts[id] = place + 1
        // The file may have grown since it was compared.
        return (place, place < chat.fates.count ? chat.fates[place] : .new)
    }
}

// MARK: People

extension HistoryAlignment {
    /// The author with the id that the store has for it.
    ///
    /// The name of an author who is in several conversations is not that of one of them.
    private func aligned(_ author: Identity) -> Identity {
        let chat = isExact ? nil : chats.values.first
        let id = person(author.userID, in: chat)
        var author = author
        if let chat,
            chat.keptNames[id] != nil
                || (chat.earlierNames[id] != nil && (chat.isOlder || !naming.isScoped(id, to: chat.id)))
        {
            author.name = nil
        }
        author.externalID = id.rawValue
        author.userID = id
        return author
    }

    private func person(_ id: UserID, in chat: ChatAlignment?) -> UserID {
        if let known = people[id] { return known }
        guard let chat else { return id }
        if let known = chat.people[id] { return known }
        return isExact ? id : naming.rescoped(id, from: chat.origin, to: chat.id)
    }

    /// The conversation as it is stored, with the members of both.
    private func aligned(_ roster: ConversationRoster) -> ConversationRoster {
        let given = roster.conversation
        guard let chat = chats[given.id], let stored = rosters[given.id] else {
            return ConversationRoster(
                conversation: given.copied(as: targets[given.id] ?? given.id),
                members: members(roster.members, in: nil, stored: nil), listedAt: roster.listedAt)
        }
        var conversation = chat.isOlder ? stored.conversation : given.copied(as: chat.id)
        conversation.timeZone = conversation.timeZone ?? stored.conversation.timeZone
        return ConversationRoster(
            conversation: conversation, members: members(roster.members, in: chat, stored: stored),
            listedAt: roster.listedAt)
    }

    private func members(
        _ members: [Member], in chat: ChatAlignment?, stored: ConversationRoster?
    ) -> [Member] {
        let storedMembers = Dictionary((stored?.members ?? []).map { ($0.userID, $0) }) { first, _ in first }
        var seen: Set<UserID> = []
        return members.compactMap { given in
            guard chat?.erasedAuthors.contains(given.userID) != true else { return nil }
            let id = person(given.userID, in: chat)
            guard seen.insert(id).inserted else { return nil }
            let known = storedMembers[users[id] ?? id]
            var names = [given.displayName] + given.aliases
            if let known {
                let old = [known.displayName] + known.aliases
                let isOwn = chat?.keptNames[id] != nil
                names = isOwn ? old : chat?.isOlder == true ? old + names : names + old
            }
            var aliases: [String] = []
            for name in names.dropFirst() where name != names[0] && !aliases.contains(name) { aliases.append(name) }
            return Member(
                userID: id, displayName: names[0], aliases: aliases, joinedAt: given.joinedAt, leftAt: given.leftAt)
        }
    }
}

// MARK: Messages

extension HistoryAlignment {
    private mutating func aligned(
        _ message: Message, deletedAt: Timestamp?, place: Int, fate: ChatAlignment.Fate?
    ) -> HistoryItem.Content {
        let origin = message.key.conversationID
        let chat = chats[origin]
        let kept = chat?.kept[place]
        if let kept { changedIDs[origin, default: [:]][message.key.messageID] = kept.id }
        var aligned = message.copied(
            as: MessageKey(
                conversationID: targets[origin] ?? origin,
                messageID: kept?.id ?? chat?.marks[place] ?? message.key.messageID))
        aligned.senderID = kept?.authorID ?? person(message.senderID, in: chat)
        aligned.senderName = kept?.authorName ?? chat?.keptNames[aligned.senderID] ?? message.senderName
        if let kept { shifts[origin] = ClockShift.quarters(from: kept.timestamp, to: message.timestamp) }
        // A new message has the clock of those beside it. Otherwise the next export would not find it.
        let shift = shifts[origin] ?? chat?.shift ?? .zero
        aligned.timestamp = kept?.timestamp ?? (message.timestamp + (.zero - shift))
        // An edit whose time is not said has that of its message.
        if message.editedAt == message.timestamp { aligned.editedAt = aligned.timestamp }
        aligned.reactions = message.reactions.map { reaction in
            Message.Reaction(emoji: reaction.emoji, userIDs: reaction.userIDs.map { person($0, in: chat) })
        }
        aligned.threadRootID = message.threadRootID.map { changedIDs[origin]?[$0] ?? $0 }
        aligned.replyToID = message.replyToID.map { changedIDs[origin]?[$0] ?? $0 }
        // Exports with precise times have more than texts, such as reactions; the store compares that.
        let isKnown = fate == .same && deletedAt == nil && (!isExact || chat?.isOlder == true)
        return isKnown ? .known(aligned) : .message(aligned, deletedAt: deletedAt)
    }

    /// Gives new messages other ids if theirs are those of stored messages.
    private mutating func withFreeIDs(_ items: [HistoryItem], new places: [Int]) async throws -> [HistoryItem] {
        var items = items
        var given: Set<MessageKey> = []
        var open = places
        var attempt = 1
        while !open.isEmpty {
            let taken = try await store.stored(open.compactMap { items[$0].message?.numbered(attempt) })
            var colliding: [Int] = []
            for place in open {
                guard case .message(let message, let deletedAt) = items[place].content else { continue }
                let key = message.numbered(attempt)
                guard taken[key] == nil, given.insert(key).inserted else {
                    colliding.append(place)
                    continue
                }
                guard attempt > 1 else { continue }
                record(key.messageID, instead: message.key)
                items[place] = HistoryItem(
                    content: .message(message.copied(as: key), deletedAt: deletedAt), place: items[place].place)
                Self.follow(message.key, key.messageID, in: &items, after: place)
            }
            open = colliding
            attempt += 1
        }
        return items
    }

    private mutating func record(_ id: MessageID, instead key: MessageKey) {
        for (origin, target) in targets where target == key.conversationID {
            changedIDs[origin, default: [:]][key.messageID] = id
        }
    }

    /// Lets the answers to a message follow its new id.
    private static func follow(_ key: MessageKey, _ id: MessageID, in items: inout [HistoryItem], after place: Int) {
        for index in items.indices.dropFirst(place + 1) {
            guard case .message(var message, let deletedAt) = items[index].content,
                message.key.conversationID == key.conversationID, message.threadRootID == key.messageID
            else { continue }
            message.threadRootID = id
            items[index] = HistoryItem(
                content: .message(message, deletedAt: deletedAt), place: items[index].place)
        }
    }
}

extension HistoryItem {
    fileprivate var message: Message? {
        guard case .message(let message, _) = content else { return nil }
        return message
    }
}

extension Message {
    /// The key, from the second attempt on with a number that no export and no other message has.
    fileprivate func numbered(_ attempt: Int) -> MessageKey {
        guard attempt > 1 else { return key }
        return MessageKey(
            conversationID: key.conversationID, messageID: MessageID(rawValue: "\(key.messageID.rawValue)~\(attempt)"))
    }

    fileprivate func copied(as key: MessageKey) -> Message {
        Message(
            key: key, senderID: senderID, senderName: senderName, text: text, kind: kind, timestamp: timestamp,
            editedAt: editedAt, deletedAt: deletedAt, replyToID: replyToID, threadRootID: threadRootID,
            attachments: attachments, reactions: reactions, extra: extra, localID: localID, url: url)
    }
}

extension Conversation {
    fileprivate func copied(as id: ConversationID) -> Conversation {
        Conversation(
            id: id, kind: kind, visibility: visibility, name: name, timeZone: timeZone, createdAt: createdAt,
            updatedAt: updatedAt)
    }
}
