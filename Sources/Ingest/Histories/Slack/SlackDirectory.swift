import ChatCore

/// The people and conversations of a Slack workspace, from the lists at the top of its export.
struct SlackDirectory {
    typealias Person = SlackPerson

    /// The kind of conversations in a list.
    enum List: String, CaseIterable {
        case channels = "channels.json"
        case groups = "groups.json"
        case directs = "dms.json"
        case groupDirects = "mpims.json"
    }

    static let userLists: Set<String> = ["users.json", "org_users.json"]

    /// Whether the operator says that `channels.json` has open channels only.
    var areChannelsOpen = false
    private(set) var people: [String: Person] = [:]
    private(set) var rosters: [ConversationRoster] = []
    private var rosterIndexes: [ConversationID: Int] = [:]
    /// The listed members of each conversation.
    private(set) var memberIDs: [ConversationID: Set<String>] = [:]
    /// Conversations of which no entry tells who may read them.
    private(set) var unclear: Set<ConversationID> = []
    /// Conversations by the name of their folder.
    private(set) var folders: [String: Place] = [:]
    private var channelNames: [String: String] = [:]
    /// The names that messages show for their authors, which may be earlier ones.
    private var namesInMessages: [String: [String]] = [:]
    /// When the lists were made, if the export says so: the end of its last day.
    var listedAt: Timestamp?

    /// A conversation with its members at the time of the export.
    struct Place {
        var id: ConversationID
        var members: Set<String>
        /// Whether everybody may read it.
        var isOpen: Bool
    }

    /// Takes an element of `users.json`.
    mutating func addPerson(_ fields: JSONFields) throws(ImportLineError) {
        add(SlackPerson(fields, id: try fields.requiredID("id")))
    }

    /// Takes somebody, instead of what was known of the person.
    mutating func add(_ person: SlackPerson) { people[person.id] = person }

    /// Takes the name of a channel.
    mutating func nameChannel(_ id: String, _ name: String) { channelNames[id] = name }

    /// The kind of a user outside the list, who belongs to another workspace; nil if there is no list.
    func kindOfUnlisted(isBot: Bool) -> UserKind? {
        if isBot { return .bot }
        return people.isEmpty ? nil : .guest
    }

    /// The workspace that most accounts belong to.
    private var homeTeam: String? {
        var counts: [String: Int] = [:]
        for person in people.values { if let team = person.teamID { counts[team, default: 0] += 1 } }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// Takes an element of a list of conversations; people must be known before.
    ///
    /// - Returns: What is wrong with its time; the conversation is taken without it.
    /// - Throws: ``ImportLineError`` for one that cannot be taken.
    mutating func addConversation(
        _ fields: JSONFields, of list: List, naming: HistoryNaming
    ) throws(ImportLineError) -> ImportLineError? {
        let id = try fields.requiredID("id")
        let name = fields.text("name")
        let seconds = fields.integer("created")
        let known = seconds.flatMap { HistoryTime.moment(seconds: $0) }
        let created = known ?? Timestamp(microseconds: 0)
        let access = SlackAccess(fields, id: id, list: list, areChannelsOpen: areChannelsOpen)
        let conversation = Conversation(
            id: naming.conversation(id), kind: access.kind, visibility: access.visibility,
            name: access.kind == .direct ? nil : name ?? id, createdAt: created, updatedAt: created)
        let other = access.kind == .direct ? [fields.id("user")].compactMap { $0 } : []
        let memberIDs = Set(fields.ids("members") + other)
        let isListed = if case .array = fields["members"] { true } else { false }
        let members = memberIDs.sorted().map { member(of: $0, since: created, naming: naming) }
        let roster = ConversationRoster(
            conversation: conversation, members: members, listedAt: isListed ? listedAt : nil)
        channelNames[id] = name
        if add(roster, isUnclear: access.isUnclear) {
            self.memberIDs[conversation.id] = memberIDs
            let place = Place(id: conversation.id, members: memberIDs, isOpen: access.visibility == .everyone)
            for folder in [id, name].compactMap({ $0 }) { add(place, folder: folder) }
        }
        return seconds != nil && known == nil ? HistoryTime.fault(of: "created", in: fields) : nil
    }

    /// Adds a conversation; returns false if an earlier entry for it is stricter.
    private mutating func add(_ roster: ConversationRoster, isUnclear: Bool) -> Bool {
        let id = roster.conversation.id
        if let index = rosterIndexes[id] {
            let isStricter = rosters[index].conversation.visibility == .members
            guard !isStricter || roster.conversation.visibility == .members else { return false }
            rosters[index] = roster
        } else {
            rosterIndexes[id] = rosters.count
            rosters.append(roster)
        }
        if isUnclear { unclear.insert(id) } else { unclear.remove(id) }
        return true
    }

    /// Of two conversations with one folder the closed one gets its messages.
    private mutating func add(_ place: Place, folder: String) {
        if let taken = folders[folder], taken.id != place.id, !taken.isOpen { return }
        folders[folder] = place
    }

    /// A person's membership; the aliases include the names that messages have shown so far.
    func member(of id: String, since moment: Timestamp, left: Timestamp? = nil, naming: HistoryNaming) -> Member {
        let person = people[id]
        let shown = name(ofPerson: id) ?? id
        let others = [person?.realName, person?.handle].compactMap { $0 } + (namesInMessages[id] ?? [])
        return Member(
            userID: naming.user(id), displayName: shown, aliases: Names.aliases(others, of: shown), joinedAt: moment,
            leftAt: left)
    }

    /// Notes the names that a message shows for its author.
    mutating func rememberNames(of fields: JSONFields) {
        guard let id = fields.text("user"), let profile = fields.object("user_profile") else { return }
        for name in ["display_name", "real_name"].compactMap({ profile.text($0) }) {
            let known = namesInMessages[id] ?? []
            guard known.count < Names.limit, !known.contains(name) else { continue }
            namesInMessages[id] = known + [name]
        }
    }

    /// Whether messages show a name of a person that the lists do not have.
    func hasNewNames(_ id: String) -> Bool {
        let listed = [people[id]?.shownName, people[id]?.realName, people[id]?.handle]
        return namesInMessages[id]?.contains { !listed.contains($0) } ?? false
    }

    /// The users of the export, by id, including people of other workspaces who are in its channels.
    func authors(naming: HistoryNaming) -> [Identity] {
        let homeTeam = homeTeam
        let others = Set(folders.values.flatMap(\.members)).subtracting(people.keys)
        return others.union(people.keys).sorted().map { id in
            let person = people[id]
            return naming.author(
                id, name: person?.shownName, email: person?.email, isBot: person?.isBot ?? false,
                kind: person.map { $0.kind(homeTeam: homeTeam) } ?? kindOfUnlisted(isBot: id == "USLACKBOT"))
        }
    }

    /// The name of a person in a text; nil for an unknown person.
    func name(ofPerson id: String) -> String? { people[id]?.shownName ?? namesInMessages[id]?.last }

    /// The name of a channel in a text; nil for an unknown one.
    func name(ofChannel id: String) -> String? { channelNames[id] }
}
