import ChatCore

/// Collects members, names, edits and deletions of a room in a first pass over its events.
struct ElementRoom {
    /// A new content of a message.
    struct Edit {
        /// The event with the edit, which may be deleted itself.
        var id: String?
        var content: ElementContent
        var at: Timestamp
    }

    /// The time of a person's membership.
    struct Membership {
        var joinedAt: Timestamp?
        var leftAt: Timestamp?
        /// Whether the person has been in the room, and was not only invited or banned.
        var hasJoined = false
    }

    /// The most bytes of edited texts that are stored.
    private static let editByteLimit = 64 << 20

    private(set) var roomID: String?
    /// The room's name, which a file has beside its events.
    var name: String?
    /// The name that the events say last, or the first alias.
    private(set) var stateName: (text: String, isAlias: Bool, at: Timestamp)?
    /// The room that it says it continues.
    private(set) var predecessor: String?
    /// The room that it says it was replaced by, and when.
    private(set) var successor: String?
    private(set) var replacedAt: Timestamp?
    /// Who may join, by the latest rule; nil if the events do not say.
    private(set) var joinRule: String?
    private var joinRuleAt: Timestamp?
    /// Who could read it at which time.
    private(set) var rights = ElementRights()
    /// The names of each person, the present one last.
    private(set) var names: [String: [String]] = [:]
    /// The memberships by user id.
    private var memberships: [String: Membership] = [:]
    private var senders: Set<String> = []
    /// The edits of each message, by their author.
    private var edits: [String: [String: [Edit]]] = [:]
    private var editByteCount = 0
    private var redactions: [String: Timestamp] = [:]

    /// Whether everybody may read the room.
    var isPublic: Bool { joinRule == "public" }

    /// Processes an event.
    ///
    /// - Throws: ``ImportLineError`` for an edit that exceeds the limit.
    mutating func apply(_ fields: JSONFields) throws(ImportLineError) {
        if roomID == nil { roomID = fields.id("room_id") }
        try rights.apply(fields)
        let content = fields.object("content")
        switch fields.text("type") {
        case "m.room.member": try rememberMember(fields, content)
        case "m.room.redaction":
            guard let target = fields.id("redacts") ?? content?.id("redacts") else { return }
            redactions[target] = try ElementEvent.moment(of: fields)
        // Anybody may send an event of the type of a state: only the key makes it one.
        case let type? where fields["state_key"] == .string(""): try rememberState(type, fields, content)
        default: try rememberEdit(fields, content)
        }
    }

    /// Processes what an event says about people and about other rooms; one that cannot be read says nothing.
    mutating func rememberPeople(_ fields: JSONFields) {
        if fields["state_key"] == nil {
            if roomID == nil { roomID = fields.id("room_id") }
            if fields.text("type") == "m.room.message", let sender = fields.id("sender") { senders.insert(sender) }
        } else {
            try? apply(fields)
        }
    }

    private mutating func rememberState(
        _ type: String, _ fields: JSONFields, _ content: JSONFields?
    ) throws(ImportLineError) {
        switch type {
        case "m.room.create": predecessor = content?.object("predecessor")?.id("room_id") ?? predecessor
        case "m.room.tombstone":
            successor = content?.id("replacement_room")
            replacedAt = try ElementEvent.moment(of: fields)
        case "m.room.name", "m.room.canonical_alias":
            try rememberName(content?.text("name") ?? content?.text("alias"), fields, isAlias: type != "m.room.name")
        case "m.room.join_rules":
            let moment = try ElementEvent.moment(of: fields)
            guard joinRuleAt.map({ $0 <= moment }) ?? true else { return }
            joinRule = content?.text("join_rule")
            joinRuleAt = moment
        default: break
        }
    }
}

// MARK: - People

extension ElementRoom {
    private mutating func rememberName(
        _ text: String?, _ fields: JSONFields, isAlias: Bool
    ) throws(ImportLineError) {
        let moment = try ElementEvent.moment(of: fields)
        guard let text, !text.isEmpty else { return }
        if let known = stateName {
            // A name counts more than an alias, and of two the later one.
            guard isAlias == known.isAlias ? known.at <= moment : known.isAlias else { return }
        }
        stateName = (text, isAlias, moment)
    }

    /// The names of its people, for a room without a name; nil if nobody is in it.
    var peopleName: String? {
        let present = memberships.filter { $0.value.hasJoined }.keys.sorted().prefix(3).map { name(of: $0) }
        return present.isEmpty ? nil : present.joined(separator: ", ")
    }

    private mutating func rememberMember(_ fields: JSONFields, _ content: JSONFields?) throws(ImportLineError) {
        guard let person = fields.id("state_key") else { return }
        let before = fields.object("unsigned")?.object("prev_content") ?? fields.object("prev_content")
        for name in [before?.text("displayname"), content?.text("displayname")].compactMap({ $0 }) {
            // The present name is the last one.
            let others = (names[person] ?? []).filter { $0 != name }
            names[person] = others.suffix(Names.limit - 1) + [name]
        }
        guard let state = content?.text("membership") else { return }
        let moment = try ElementEvent.moment(of: fields)
        apply(state, of: person, at: moment, before: before?.text("membership"))
    }

    private mutating func apply(_ state: String, of person: String, at moment: Timestamp, before: String?) {
        var membership = memberships[person] ?? Membership()
        if max(membership.joinedAt ?? moment, membership.leftAt ?? moment) > moment { return }
        switch state {
        case "join":
            // A change of name is a join again.
            let isBack = membership.leftAt != nil || membership.joinedAt == nil
            membership = Membership(joinedAt: isBack ? moment : membership.joinedAt, hasJoined: true)
        case "leave", "ban":
            if before == "join" { membership.hasJoined = true }
            // A declined invitation, or a ban that is lifted, is not the end of a membership.
            if membership.hasJoined, membership.leftAt == nil { membership.leftAt = moment }
        default: break
        }
        memberships[person] = membership
    }

    /// The members according to events of the room, and the senders, by user id.
    ///
    /// People who were invited, banned or turned away, and never joined, are not members.
    func members(_ writers: [Member], naming: HistoryNaming) -> [Member] {
        var members = Dictionary(writers.map { ($0.userID, $0) }, uniquingKeysWith: { $1 })
        for (person, membership) in memberships {
            let user = naming.user(person)
            guard membership.hasJoined || members[user] != nil else { continue }
            let name = name(of: person)
            var member =
                members[user] ?? Member(userID: user, displayName: name, joinedAt: Timestamp(microseconds: 0))
            member.aliases = Names.aliases((names[person] ?? []) + member.aliases, of: member.displayName)
            if let joined = membership.joinedAt { member.joinedAt = joined }
            member.leftAt = membership.leftAt
            members[user] = member
        }
        return members.values.sorted { $0.userID < $1.userID }
    }

    /// Everybody who is or was in the room, or wrote in it.
    var allPeople: Set<String> { senders.union(memberships.filter(\.value.hasJoined).keys) }

    /// The membership of one of ``allPeople``; a writer whose joining is not among the events has been there always.
    func membership(of person: String) -> Membership {
        var membership = memberships[person] ?? Membership()
        membership.hasJoined = true
        return membership
    }

    /// Takes the people of the rooms that it is one conversation with.
    mutating func adopt(_ chain: ElementChains.Chain) {
        (memberships, names) = (chain.memberships, chain.names)
    }

    /// The people who are or were in the room, by id.
    func authors(naming: HistoryNaming) -> [Identity] {
        memberships.filter(\.value.hasJoined).keys.sorted().map { naming.author($0, name: name(of: $0)) }
    }

    /// The display name of a person; the id if no name is known.
    func name(of person: String) -> String { names[person]?.last ?? person }
}

// MARK: - Changes

extension ElementRoom {
    private mutating func rememberEdit(_ fields: JSONFields, _ content: JSONFields?) throws(ImportLineError) {
        guard let relation = content?.object("m.relates_to"), relation.text("rel_type") == "m.replace",
            let target = relation.id("event_id"), let sender = fields.id("sender"), !Self.isRedacted(fields),
            let edit = try Self.edit(fields)
        else { return }
        editByteCount += edit.content.byteCount
        guard editByteCount <= Self.editByteLimit else {
            throw ImportLineError(reason: "more edits than can be applied: the first text stays")
        }
        edits[target, default: [:]][sender, default: []].append(edit)
    }

    /// Reads an event with `m.new_content`; nil if that says nothing.
    private static func edit(_ fields: JSONFields) throws(ImportLineError) -> Edit? {
        guard let new = fields.object("content")?.object("m.new_content"),
            let content = ElementContent(new, eventType: fields.text("type") ?? "", isAnswer: true, unknown: nil)
        else { return nil }
        return Edit(id: fields.id("event_id"), content: content, at: try ElementEvent.moment(of: fields))
    }

    /// The last edit of a message by its own author that is not deleted; those of others do not count.
    ///
    /// - Parameters:
    ///   - id: The message.
    ///   - sender: Its author.
    ///   - fields: The message's event, which may have the last edit in `unsigned`.
    /// - Returns: The edit; nil if there is none.
    func edit(of id: String, by sender: String, bundledIn fields: JSONFields) -> Edit? {
        var known = edits[id]?[sender] ?? []
        let relations = fields.object("unsigned")?.object("m.relations")
        if let bundled = relations?.object("m.replace"), bundled.id("sender") ?? sender == sender,
            !Self.isRedacted(bundled), let edit = (try? Self.edit(bundled)) ?? nil
        {
            known.append(edit)
        }
        return known.filter { edit in edit.id.map { redactions[$0] == nil } ?? true }.reduce(nil) { last, edit in
            last.map { $0.at > edit.at } == true ? last : edit
        }
    }

    /// When a message was deleted; nil if it was not.
    func redaction(of id: String, _ fields: JSONFields) -> Timestamp? {
        if let moment = redactions[id] { return moment }
        guard let cause = fields.object("unsigned")?.object("redacted_because") else { return nil }
        return (try? ElementEvent.moment(of: cause)) ?? Timestamp(microseconds: 0)
    }

    private static func isRedacted(_ fields: JSONFields) -> Bool {
        fields.object("unsigned")?.object("redacted_because") != nil
    }
}
