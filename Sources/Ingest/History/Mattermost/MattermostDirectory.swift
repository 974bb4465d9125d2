import ChatCore

/// The people and channels of a Mattermost export.
struct MattermostDirectory {
    private struct Channel {
        var conversation: Conversation
        var members: Set<String> = []
    }

    private let naming: HistoryNaming
    private var people: [String: Identity] = [:]
    private var aliases: [String: [String]] = [:]
    private var channels: [ConversationID: Channel] = [:]

    init(naming: HistoryNaming) {
        self.naming = naming
    }

    /// The conversation of a team's channel.
    func channelID(team: String, channel: String) -> ConversationID { naming.conversation("\(team):\(channel)") }

    /// The conversation between people, whatever their order.
    func directID(_ members: [String]) -> ConversationID {
        naming.conversation("direct:" + Set(members).sorted().joined(separator: ","))
    }

    /// Takes a channel.
    mutating func addChannel(_ fields: JSONFields) throws(ImportLineError) {
        let name = try fields.requiredID("name")
        let id = channelID(team: try fields.requiredID("team"), channel: name)
        let start = Timestamp(microseconds: 0)
        channels[id] = Channel(
            conversation: Conversation(
                id: id, kind: .group, visibility: fields.text("type") == "O" ? .everyone : .members,
                name: fields.text("display_name") ?? name, createdAt: start, updatedAt: start))
    }

    /// Takes a user with the channels that he or she is in.
    mutating func addUser(_ fields: JSONFields) throws(ImportLineError) {
        let id = try fields.requiredID("username")
        let full = [fields.text("first_name"), fields.text("last_name")].compactMap { $0 }.joined(separator: " ")
        let name = fields.text("nickname") ?? (full.isEmpty ? id : full)
        people[id] = naming.author(id, name: name, email: fields.text("email"), isBot: fields.isTrue("is_bot"))
        aliases[id] = [full, id].filter { !$0.isEmpty && $0 != name }
        for team in fields.objects("teams") {
            guard let teamName = team.id("name") else { continue }
            for channel in team.objects("channels") {
                guard let channelName = channel.id("name") else { continue }
                channels[channelID(team: teamName, channel: channelName)]?.members.insert(id)
            }
        }
    }

    /// Who somebody is; a user that the export does not list goes by the user's name.
    func author(_ id: String, isBot: Bool = false) -> Identity {
        var author = people[id] ?? naming.author(id, name: id)
        author.isBot = author.isBot || isBot
        return author
    }

    /// What the export tells about everybody, by id.
    func authors() -> [Identity] { people.sorted { $0.key < $1.key }.map(\.value) }

    /// The channels with their members, by id.
    func rosters() -> [ConversationRoster] {
        channels.values.sorted { $0.conversation.id < $1.conversation.id }.map { channel in
            ConversationRoster(conversation: channel.conversation, members: members(channel.members))
        }
    }

    /// The roster of a direct channel.
    func directRoster(_ fields: JSONFields) throws(ImportLineError) -> ConversationRoster {
        let members = try Self.members(of: fields, key: "members")
        let start = Timestamp(microseconds: 0)
        return ConversationRoster(
            conversation: Conversation(id: directID(members), kind: .direct, createdAt: start, updatedAt: start),
            members: self.members(Set(members)))
    }

    /// Reads who is in a direct channel; newer exports write `participants`.
    static func members(of fields: JSONFields, key: String) throws(ImportLineError) -> [String] {
        let members = fields.ids(key)
        if !members.isEmpty { return members }
        let participants = fields.objects("participants").compactMap { $0.id("username") }
        guard !participants.isEmpty else { throw fields.missing(key) }
        return participants
    }

    private func members(_ ids: Set<String>) -> [Member] {
        ids.sorted().map { id in
            Member(
                userID: naming.user(id), displayName: author(id).name ?? id, aliases: aliases[id] ?? [],
                joinedAt: Timestamp(microseconds: 0))
        }
    }
}
