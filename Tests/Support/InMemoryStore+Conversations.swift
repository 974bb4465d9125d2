package import ChatCore

extension InMemoryStore {
    /// Stores conversations with their members; all of them or none.
    package func store(_ rosters: [ConversationRoster], source: String, mode: AcceptMode, at moment: Timestamp)
        async throws -> Int
    {
        try write { state throws(RepositoryError) in
            var count = 0
            for roster in rosters {
                if try state.store(roster, source: source, mode: mode, at: moment) { count += 1 }
                _ = state.applyExclusion(to: roster.conversation.id, at: moment)
            }
            return count
        }
    }

    /// Returns what of `scope` its asker may see.
    package func permitted(_ scope: SearchScope, at moment: Timestamp) async throws -> [PermittedConversation] {
        try read { state in state.permitted(scope, at: moment) }
    }

    /// Returns who is or was in the conversations of a scope.
    package func people(in scope: SearchScope, at moment: Timestamp) async throws -> [Person] {
        try await view(of: scope, at: moment).people
    }

    /// Returns what a search in a scope begins with; changes are always read later.
    package func view(
        of scope: SearchScope, followed: FollowedPosition?, at moment: Timestamp
    ) async throws -> ScopeView {
        try read { state in
            let permitted = state.permitted(scope, at: moment)
            let members = permitted.flatMap { permitted in
                (state.conversations[permitted.id]?.members.values.map(\.member) ?? []).map { (permitted.number, $0) }
            }
            let people = Dictionary(grouping: members, by: \.1.userID).sorted { $0.key < $1.key }.map { user, members in
                Person(
                    userID: user, names: Set(members.map(\.1.displayName)).sorted(),
                    aliases: Set(members.flatMap(\.1.aliases)).sorted(), conversations: Set(members.map(\.0)))
            }
            return ScopeView(permitted: permitted, people: people, end: state.end)
        }
    }

    /// Returns a conversation with its members.
    package func roster(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> ConversationRoster {
        try read { state throws(RepositoryError) in
            guard state.mayRead(asker, id, at: moment), let stored = state.conversations[id] else {
                throw .noSuchConversation(id)
            }
            return ConversationRoster(
                conversation: stored.conversation,
                members: stored.members.values.map(\.member).sorted { $0.userID < $1.userID })
        }
    }

    /// Returns a conversation with its members, without a check of permissions.
    package func roster(of id: ConversationID) async throws -> ConversationRoster {
        try read { state throws(RepositoryError) in
            guard let stored = state.conversations[id] else { throw .noSuchConversation(id) }
            return ConversationRoster(
                conversation: stored.conversation,
                members: stored.members.values.map(\.member).sorted { $0.userID < $1.userID })
        }
    }

    /// Returns the conversations that the asker may see, by id.
    package func conversations(asker: UserID, after: ConversationID?, limit: Int, at moment: Timestamp) async throws
        -> [Conversation]
    {
        try read { state in
            let all = state.conversations.values.map(\.conversation).sorted { $0.id < $1.id }
            let seen = all.filter { conversation in
                (after.map { conversation.id > $0 } ?? true) && state.mayRead(asker, conversation.id, at: moment)
            }
            return Array(seen.prefix(max(0, limit)))
        }
    }

    /// Adds a member, or renews one who is or was there.
    package func setMember(_ member: Member, in id: ConversationID, source: String, at moment: Timestamp) async throws {
        try write { state throws(RepositoryError) in
            guard state.conversations[id] != nil else { throw .noSuchConversation(id) }
            try InMemoryRules.check(member)
            if state.set(member, in: id, MembershipGiving(byHandFrom: source)) { state.touch(id, at: moment) }
        }
    }

    /// Lets a member leave.
    package func removeMember(_ userID: UserID, from id: ConversationID, at moment: Timestamp) async throws {
        try write { state throws(RepositoryError) in
            guard let stored = state.conversations[id] else { throw .noSuchConversation(id) }
            guard state.isPresent(userID, in: stored, at: moment) else { return }
            state.conversations[id]?.members[userID]?.member.leftAt = moment
            state.conversations[id]?.members[userID]?.importer = nil
            state.endSpans(of: userID, in: id, at: moment)
            state.append(.membership(userID), in: id)
            state.touch(id, at: moment)
        }
    }

    /// Notes what a source tells about authors.
    package func storeAuthors(_ authors: [Identity]) async throws {
        try write { state throws(RepositoryError) in
            for author in authors {
                try InMemoryRules.check(author)
                let key = InMemoryState.Author(source: author.source, id: author.externalID)
                if state.identities[key] == nil { state.identities[key] = author.userID }
                var known = author
                known.name = author.name ?? state.authors[key]?.name
                known.email = author.email ?? state.authors[key]?.email
                known.kind = author.kind ?? state.authors[key]?.kind
                state.authors[key] = known
            }
        }
    }

    /// Joins an author of a source to a user.
    package func map(_ identity: Identity, at moment: Timestamp) async throws -> Int {
        try await map([identity], at: moment)
    }

    /// Joins authors to users, all of them or none.
    package func map(_ identities: [Identity], at moment: Timestamp) async throws -> Int {
        try write { state throws(RepositoryError) in
            var count = 0
            for identity in identities { count += try state.map(identity, at: moment) }
            return count
        }
    }

    /// Returns all identities.
    package func identities() async throws -> [Identity] {
        try read { state in state.allIdentities.sorted { $0.precedes($1) } }
    }

    /// Returns what kind of user somebody is.
    package func kind(of id: UserID) async throws -> UserKind {
        try read { state in state.kind(of: id) }
    }

    /// States what kind of user somebody is.
    package func setKind(_ kind: UserKind?, of id: UserID) async throws {
        try write { state throws(RepositoryError) in
            guard UserID(validating: id.rawValue) != nil else {
                throw .invalid(field: "userId", reason: "is not a usable id")
            }
            state.statedKinds[id] = kind
        }
    }

    /// Returns the users whose kind was stated or is not the usual one.
    package func users() async throws -> [User] {
        try read { state in
            Set(state.allIdentities.map(\.userID)).union(state.statedKinds.keys).sorted().compactMap { id in
                let isStated = state.statedKinds[id] != nil
                let kind = state.kind(of: id)
                return isStated || kind != .member ? User(id: id, kind: kind, isStated: isStated) : nil
            }
        }
    }
}

extension InMemoryState {
    var allIdentities: [Identity] {
        identities.map { author, user in
            let known = authors[author]
            return Identity(
                source: author.source, externalID: author.id, userID: user, name: known?.name, email: known?.email,
                isBot: known?.isBot ?? false, kind: known?.kind)
        }
    }

    func kind(of id: UserID) -> UserKind {
        statedKinds[id] ?? Identity.kind(of: allIdentities.filter { $0.userID == id })
    }

    mutating func map(_ identity: Identity, at moment: Timestamp) throws(RepositoryError) -> Int {
        let author = Author(source: identity.source, id: identity.externalID)
        guard identities[author] != nil else {
            throw .invalid(field: "externalId", reason: "no author of this source has this id")
        }
        guard UserID(validating: identity.userID.rawValue) != nil else {
            throw .invalid(field: "userId", reason: "is not a usable id")
        }
        identities[author] = identity.userID
        moveMemberships(of: author, to: identity.userID, at: moment)
        return moveMessages(of: author, to: identity.userID)
    }

    /// Returns whether the conversation was new.
    mutating func store(_ roster: ConversationRoster, source: String, mode: AcceptMode, at moment: Timestamp)
        throws(RepositoryError) -> Bool
    {
        try InMemoryRules.check(roster)
        let id = roster.conversation.id
        guard let stored = conversations[id] else {
            var conversation = roster.conversation
            conversation.updatedAt = moment
            conversations[id] = StoredConversation(
                conversation: conversation,
                number: ConversationNumber(rawValue: Int64(conversations.count) + 1))
            let giving = MembershipGiving(roster, source: source, mode: mode, at: moment)
            for member in roster.members { _ = set(member, in: id, giving) }
            _ = setRights(of: roster, source: source, before: nil)
            conversations[id]?.listedAt = giving.completeAt
            append(.conversation, in: id)
            return true
        }
        if mode == .posting {
            guard isSame(roster, as: stored, source: source) else { throw .conflict("the conversation differs") }
            return false
        }
        var renewed = roster.conversation
        renewed.updatedAt = stored.conversation.updatedAt
        if !renewed.createdAt.isKnown { renewed.createdAt = stored.conversation.createdAt }
        if roster.rights?.shared == nil || roster.rights?.until != nil && renewed.history == .all {
            renewed.history = stored.conversation.history
        }
        var isChanged = renewed != stored.conversation
        conversations[id]?.conversation = renewed
        if renewed.timeZone != stored.conversation.timeZone {
            let messages = messages.values.filter {
                $0.message.key.conversationID == id && $0.message.deletedAt == nil
            }
            for message in messages.sorted(by: { $0.number < $1.number }) {
                append(.message(message.message.key.messageID), in: id)
            }
        }
        // For everybody who could see it and is no member.
        if stored.conversation.visibility == .everyone, renewed.visibility != .everyone {
            append(.membership(""), in: id)
        }
        let giving = MembershipGiving(
            roster, source: source, mode: mode, at: moment, lastListedAt: stored.listedAt)
        for var member in roster.members {
            if !member.joinedAt.isKnown { member.joinedAt = renewed.createdAt }
            if set(member, in: id, giving) { isChanged = true }
        }
        if endMemberships(in: id, allBut: roster.members, giving) { isChanged = true }
        let before = stored.conversation.history
        if before == .joined || renewed.history == .joined,
            setRights(of: roster, source: source, before: before)
        {
            isChanged = true
        }
        if isChanged { touch(id, at: moment) }
        return false
    }

    /// Compares what a client says of a conversation; times are the server's when it says none.
    private func isSame(_ roster: ConversationRoster, as stored: StoredConversation, source: String) -> Bool {
        func face(_ conversation: Conversation) -> [String?] {
            [
                conversation.kind.rawValue, conversation.visibility.rawValue, conversation.history.rawValue,
                conversation.name, conversation.timeZone,
            ]
        }
        let given = Dictionary(
            roster.members.map { member in
                let author = Author(source: source, id: member.userID.rawValue)
                return (identities[author] ?? member.userID, [member.displayName] + member.aliases)
            }, uniquingKeysWith: { $1 })
        let present = stored.members.values.map(\.member).filter { $0.leftAt == nil }
        let held = Dictionary(
            present.map { ($0.userID, [$0.displayName] + $0.aliases) }, uniquingKeysWith: { $1 })
        return face(roster.conversation) == face(stored.conversation) && given == held
    }

    /// Takes the time of the first message for that of a conversation whose history tells none.
    mutating func completeTimes(of id: ConversationID, at moment: Timestamp) {
        guard let stored = conversations[id], !stored.conversation.createdAt.isKnown,
            let first = messages.values.filter({ $0.message.key.conversationID == id }).map(\.message.timestamp).min()
        else { return }
        conversations[id]?.conversation.createdAt = first
        for (user, membership) in stored.members where !membership.member.joinedAt.isKnown {
            conversations[id]?.members[user]?.member = Member(
                userID: user, displayName: membership.member.displayName, aliases: membership.member.aliases,
                joinedAt: first, leftAt: membership.member.leftAt)
        }
        touch(id, at: moment)
    }

    mutating func touch(_ id: ConversationID, at moment: Timestamp) {
        conversations[id]?.conversation.updatedAt = moment
        append(.conversation, in: id)
    }

    /// Returns whether something changed.
    mutating func set(_ member: Member, in id: ConversationID, _ giving: MembershipGiving) -> Bool {
        let author = Author(source: giving.source, id: member.userID.rawValue)
        let user = user(of: author)
        let old = conversations[id]?.members[user]
        let given = Member(
            userID: user, displayName: member.displayName, aliases: member.aliases, joinedAt: member.joinedAt,
            leftAt: member.leftAt)
        let result = giving.membership(given, over: old?.member, importer: old?.importer)
        conversations[id]?.members[user] = StoredConversation.Membership(
            member: result.member, source: old?.source ?? giving.source, authorID: old?.authorID ?? author.id,
            importer: result.importer)
        followSpans(of: user, before: old?.member, in: id)
        logMembership(of: user, in: id, before: old?.member)
        return old?.member != result.member
    }

    /// Says that somebody became a member, or is one no longer.
    private mutating func logMembership(of user: UserID, in id: ConversationID, before old: Member?) {
        let isPresent = conversations[id]?.members[user].map { $0.member.leftAt == nil } ?? false
        if isPresent != (old.map { $0.leftAt == nil } ?? false) { append(.membership(user), in: id) }
    }

    /// Ends what a complete list does not name; returns whether something changed.
    private mutating func endMemberships(
        in id: ConversationID, allBut named: [Member], _ giving: MembershipGiving
    ) -> Bool {
        guard let listedAt = giving.completeAt else { return false }
        conversations[id]?.listedAt = listedAt
        let remaining = Set(
            named.map { identities[Author(source: giving.source, id: $0.userID.rawValue)] ?? $0.userID })
        var isChanged = false
        for (user, membership) in (conversations[id]?.members ?? [:]).sorted(by: { $0.key < $1.key })
        where membership.importer == giving.importer && membership.member.leftAt == nil && !remaining.contains(user) {
            conversations[id]?.members[user]?.member.leftAt = listedAt
            endSpans(of: user, in: id, at: listedAt)
            append(.membership(user), in: id)
            isChanged = true
        }
        return isChanged
    }

    mutating func moveMemberships(of author: Author, to user: UserID, at moment: Timestamp) {
        for (id, stored) in conversations.sorted(by: { $0.value.number < $1.value.number }) {
            let moved = stored.members.values.filter {
                $0.source == author.source && $0.authorID == author.id && $0.member.userID != user
            }
            for membership in moved.sorted(by: { $0.member.userID < $1.member.userID }) {
                let old = conversations[id]?.members[user]?.member
                conversations[id]?.members[membership.member.userID] = nil
                if conversations[id]?.members[user] == nil {
                    var renewed = membership
                    renewed.member = membership.member.renamed(user)
                    conversations[id]?.members[user] = renewed
                } else {
                    conversations[id]?.members[user]?.member.merge(membership.member)
                }
                let spans = conversations[id]?.spans.removeValue(forKey: membership.member.userID) ?? []
                conversations[id]?.spans[user, default: []] += spans
                logMembership(of: user, in: id, before: old)
                append(.membership(membership.member.userID), in: id)
                touch(id, at: moment)
                moveItems(of: membership.member.userID, to: user, in: id)
            }
        }
    }

    mutating func moveMessages(of author: Author, to user: UserID) -> Int {
        let moved = messages.values
            .filter { $0.source == author.source && $0.authorID == author.id && $0.message.senderID != user }
            .sorted { $0.arrival < $1.arrival }
        for stored in moved {
            messages[stored.message.key]?.message.senderID = user
            append(.message(stored.message.key.messageID), in: stored.message.key.conversationID)
        }
        return moved.count
    }

    func permitted(_ scope: SearchScope, at moment: Timestamp) -> [PermittedConversation] {
        conversations.values
            .filter { stored in
                let id = stored.conversation.id
                if case .only(let wanted) = scope.conversations, !wanted.contains(id) { return false }
                return mayRead(scope.asker, id, at: moment)
            }
            .sorted { $0.conversation.id < $1.conversation.id }
            .map { stored in
                PermittedConversation(
                    id: stored.conversation.id, number: stored.number,
                    displayName: displayName(of: stored, for: scope.asker), timeZone: stored.conversation.timeZone,
                    isMember: isPresent(scope.asker, in: stored, at: moment),
                    spans: spans(of: scope.asker, in: stored.conversation.id))
            }
    }

    func displayName(of stored: StoredConversation, for asker: UserID) -> String {
        if let name = stored.conversation.name, !name.isEmpty { return name }
        let others = stored.members.values.map(\.member).filter { $0.userID != asker }
            .sorted { $0.userID < $1.userID }.prefix(16).map(\.displayName)
        guard stored.conversation.kind == .direct, !others.isEmpty else { return stored.conversation.id.rawValue }
        return others.joined(separator: ", ")
    }
}

extension Identity {
    /// Orders by the bytes of source and external id.
    fileprivate func precedes(_ other: Identity) -> Bool {
        source == other.source
            ? externalID.utf8.lexicographicallyPrecedes(other.externalID.utf8)
            : source.utf8.lexicographicallyPrecedes(other.source.utf8)
    }
}

extension Member {
    fileprivate func renamed(_ user: UserID) -> Member {
        Member(userID: user, displayName: displayName, aliases: aliases, joinedAt: joinedAt, leftAt: leftAt)
    }

    /// Takes in another membership of the same person: there from the earlier joining, present if either is.
    fileprivate mutating func merge(_ other: Member) {
        joinedAt = min(joinedAt, other.joinedAt)
        if let left = leftAt, let otherLeft = other.leftAt { leftAt = max(left, otherLeft) } else { leftAt = nil }
    }
}
