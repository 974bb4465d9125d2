import ChatCore

/// The people and conversations of a Slack workspace, from the lists at the top of its export.
struct SlackDirectory {
    /// Somebody of the workspace.
    struct Person {
        var id: String
        var handle: String?
        var displayName: String?
        var realName: String?
        var email: String?
        var isBot: Bool
        /// Whether the workspace lets this person see only some channels.
        var isRestricted: Bool
        /// The workspace of the account; nil if the export does not say, or the account belongs to several workspaces
        /// of one company.
        var teamID: String?

        /// The name that the workspace shows.
        var shownName: String { displayName ?? realName ?? handle ?? id }
    }

    /// The kind of conversations in a list.
    enum List: String, CaseIterable {
        case channels = "channels.json"
        case groups = "groups.json"
        case directs = "dms.json"
        case groupDirects = "mpims.json"
    }

    static let userLists: Set<String> = ["users.json", "org_users.json"]

    private(set) var people: [String: Person] = [:]
    private(set) var rosters: [ConversationRoster] = []
    /// Conversations by the name of their folder.
    private(set) var folders: [String: Place] = [:]
    private var channelNames: [String: String] = [:]
    /// When the lists were made, if the export says so: the end of its last day.
    var listedAt: Timestamp?

    /// A conversation with its members at the time of the export.
    struct Place {
        var id: ConversationID
        var members: Set<String>
    }

    /// Takes an element of `users.json`.
    mutating func addPerson(_ fields: JSONFields) throws(ImportLineError) {
        let id = try fields.requiredID("id")
        let profile = fields.object("profile")
        people[id] = Person(
            id: id, handle: fields.text("name"), displayName: profile?.text("display_name"),
            realName: fields.text("real_name") ?? profile?.text("real_name"), email: profile?.text("email"),
            isBot: fields.isTrue("is_bot") || id == "USLACKBOT",
            isRestricted: ["is_restricted", "is_ultra_restricted", "is_stranger"].contains { fields.isTrue($0) },
            teamID: fields.object("enterprise_user") == nil ? fields.text("team_id") : nil)
    }

    /// The kind of a listed user: guests are users whom the workspace restricts, and accounts of other workspaces.
    private func kind(of person: Person, homeTeam: String?) -> UserKind {
        if person.isBot { return .bot }
        let isForeign = person.teamID.map { $0 != homeTeam } ?? false
        return person.isRestricted || isForeign ? .guest : .member
    }

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
        let memberIDs = fields.ids("members")
        let isDirect = list == .directs || list == .groupDirects
        let conversation = Conversation(
            id: naming.conversation(id), kind: isDirect ? .direct : .group,
            visibility: list == .channels && !fields.isTrue("is_private") ? .everyone : .members,
            name: isDirect ? nil : name ?? id,
            createdAt: created, updatedAt: created)
        let members = Set(memberIDs).sorted().map { member(of: $0, since: created, naming: naming) }
        let isListed = if case .array = fields["members"] { true } else { false }
        rosters.append(
            ConversationRoster(
                conversation: conversation, members: members, listedAt: isListed ? listedAt : nil))
        channelNames[id] = name
        let place = Place(id: conversation.id, members: Set(memberIDs))
        folders[id] = place
        if let name { folders[name] = place }
        return seconds != nil && known == nil ? HistoryTime.fault(of: "created", in: fields) : nil
    }

    /// A person's membership.
    func member(of id: String, since moment: Timestamp, left: Timestamp? = nil, naming: HistoryNaming) -> Member {
        let person = people[id]
        let shown = person?.shownName ?? id
        let aliases = [person?.realName, person?.handle].compactMap { $0 }.filter { $0 != shown }
        return Member(
            userID: naming.user(id), displayName: shown, aliases: aliases, joinedAt: moment, leftAt: left)
    }

    /// The users of the export, by id, including people of other workspaces who are in its channels.
    func authors(naming: HistoryNaming) -> [Identity] {
        let homeTeam = homeTeam
        let others = Set(folders.values.flatMap(\.members)).subtracting(people.keys)
        return others.union(people.keys).sorted().map { id in
            let person = people[id]
            return naming.author(
                id, name: person?.shownName, email: person?.email, isBot: person?.isBot ?? false,
                kind: person.map { kind(of: $0, homeTeam: homeTeam) } ?? kindOfUnlisted(isBot: id == "USLACKBOT"))
        }
    }

    /// The name of a person in a text; nil for an unknown person.
    func name(ofPerson id: String) -> String? { people[id]?.shownName }

    /// The name of a channel in a text; nil for an unknown one.
    func name(ofChannel id: String) -> String? { channelNames[id] }
}
