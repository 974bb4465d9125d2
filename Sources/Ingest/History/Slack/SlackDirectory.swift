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

        /// The name that the workspace shows.
        var shownName: String { displayName ?? realName ?? handle ?? id }
    }

    /// What lists of conversations mean.
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

    /// A conversation, and who is in it at the time of the export.
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
            isBot: fields.isTrue("is_bot") || id == "USLACKBOT")
    }

    /// Takes an element of a list of conversations; people must be known before.
    mutating func addConversation(
        _ fields: JSONFields, of list: List, naming: HistoryNaming
    ) throws(ImportLineError) {
        let id = try fields.requiredID("id")
        let name = fields.text("name")
        let created = Timestamp(milliseconds: (fields.integer("created") ?? 0) * 1_000)
        let memberIDs = fields.ids("members")
        let isDirect = list == .directs || list == .groupDirects
        let conversation = Conversation(
            id: naming.conversation(id), kind: isDirect ? .direct : .group,
            visibility: list == .channels && !fields.isTrue("is_private") ? .everyone : .members,
            name: isDirect ? nil : name ?? id,
            createdAt: created, updatedAt: created)
        let members = Set(memberIDs).sorted().map { member(of: $0, since: created, naming: naming) }
        rosters.append(ConversationRoster(conversation: conversation, members: members))
        channelNames[id] = name
        let place = Place(id: conversation.id, members: Set(memberIDs))
        folders[id] = place
        if let name { folders[name] = place }
    }

    /// A person's membership.
    func member(of id: String, since moment: Timestamp, left: Timestamp? = nil, naming: HistoryNaming) -> Member {
        let person = people[id]
        let shown = person?.shownName ?? id
        let aliases = [person?.realName, person?.handle].compactMap { $0 }.filter { $0 != shown }
        return Member(
            userID: naming.user(id), displayName: shown, aliases: aliases, joinedAt: moment, leftAt: left)
    }

    /// What the export tells about everybody, by id.
    func authors(naming: HistoryNaming) -> [Identity] {
        people.values.sorted { $0.id < $1.id }.map { person in
            naming.author(person.id, name: person.shownName, email: person.email, isBot: person.isBot)
        }
    }

    /// The name that stands for a person in a text; nil for somebody unknown.
    func name(ofPerson id: String) -> String? { people[id]?.shownName }

    /// The name that stands for a channel in a text; nil for an unknown one.
    func name(ofChannel id: String) -> String? { channelNames[id] }
}
