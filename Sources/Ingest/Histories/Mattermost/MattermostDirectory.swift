import ChatCore

/// The people and channels of a Mattermost export.
struct MattermostDirectory {
    private struct Channel {
        var conversation: Conversation
        var team: String
        /// Whether all members of the team may read it.
        var isOpen: Bool
        /// Whether its type is not one that is known.
        var isUnclear: Bool
        var members: Set<String> = []
    }

    private let naming: HistoryNaming
    private var people: [String: Identity] = [:]
    private var aliases: [String: [String]] = [:]
    /// When accounts were deactivated; they read nothing.
    private var deactivations: [String: Timestamp] = [:]
    private var toldDirects: Set<ConversationID> = []
    private var channels: [ConversationID: Channel] = [:]
    private var teams: Set<String> = []
    /// The members of each team, without guests.
    private var teamMembers: [String: Set<String>] = [:]
    /// When the export was made, or the time of the import if unknown; nil if something could not be read.
    var listedAt: Timestamp? = Timestamp(microseconds: .max)

    init(naming: HistoryNaming) {
        self.naming = naming
    }

    /// The conversation of a team's channel.
    func channelID(team: String, channel: String) -> ConversationID { naming.conversation("\(team):\(channel)") }

    /// The conversation between some people in any order.
    func directID(_ members: [String]) -> ConversationID {
        naming.conversation("direct:" + Set(members).sorted().joined(separator: ","))
    }

    /// Takes a team.
    mutating func addTeam(_ fields: JSONFields) throws(ImportLineError) {
        teams.insert(try fields.requiredID("name"))
    }

    /// Takes a channel.
    mutating func addChannel(_ fields: JSONFields) throws(ImportLineError) {
        let name = try fields.requiredID("name")
        let team = try fields.requiredID("team")
        let id = channelID(team: team, channel: name)
        let start = Timestamp(microseconds: 0)
        let type = fields.text("type")
        let isDirect = type == "D" || type == "G"
        teams.insert(team)
        channels[id] = Channel(
            conversation: Conversation(
                id: id, kind: isDirect ? .direct : .group,
                name: isDirect ? nil : fields.text("display_name") ?? name, createdAt: start, updatedAt: start),
            team: team, isOpen: type == "O", isUnclear: !["O", "P", "D", "G"].contains(type))
    }

    /// How many channels do not say in known words who may read them.
    var unclearCount: Int { channels.values.count { $0.isUnclear } }

    /// Takes a user with the teams and channels that he or she is in.
    mutating func addUser(_ fields: JSONFields) throws(ImportLineError) {
        let id = try fields.requiredID("username")
        let full = [fields.text("first_name"), fields.text("last_name")].compactMap { $0 }.joined(separator: " ")
        let name = fields.text("nickname") ?? (full.isEmpty ? id : full)
        let memberships = fields.objects("teams")
        let isGuest =
            Self.roles(of: fields).contains("system_guest")
            || memberships.contains { team in
                Self.roles(of: team).contains("team_guest")
                    || team.objects("channels").contains { Self.roles(of: $0).contains("channel_guest") }
            }
        let isBot = fields.isTrue("is_bot")
        people[id] = naming.author(
            id, name: name, email: fields.text("email"), isBot: isBot,
            kind: isGuest ? .guest : isBot ? .bot : .member)
        aliases[id] = Names.aliases([full, id], of: name)
        deactivations[id] = Self.deactivation(of: fields)
        for team in memberships {
            guard let teamName = team.id("name") else { continue }
            if !isGuest { teamMembers[teamName, default: []].insert(id) }
            for channel in team.objects("channels") {
                guard let channelName = channel.id("name") else { continue }
                channels[channelID(team: teamName, channel: channelName)]?.members.insert(id)
            }
        }
    }

    /// Takes a bot; the posts of bots have their user name.
    ///
    /// - Returns: Its identity.
    @discardableResult
    mutating func addBot(_ fields: JSONFields) throws(ImportLineError) -> Identity {
        let id = try fields.requiredID("username")
        let bot = naming.author(id, name: fields.text("display_name") ?? id, isBot: true, kind: .bot)
        people[id] = bot
        aliases[id] = Names.aliases([id], of: bot.name ?? id)
        deactivations[id] = Self.deactivation(of: fields)
        return bot
    }

    private static func deactivation(of fields: JSONFields) -> Timestamp? {
        fields.integer("delete_at").flatMap { $0 > 0 ? HistoryTime.moment(milliseconds: $0) : nil }
    }

    private static func roles(of fields: JSONFields) -> [Substring] {
        (fields.text("roles") ?? "").split(separator: " ")
    }

    /// The author of a user name; a user that the export does not list is known by the name.
    func author(_ id: String, isBot: Bool = false) -> Identity {
        var author = people[id] ?? naming.author(id, name: id)
        author.isBot = author.isBot || isBot
        return author
    }

    /// The users of the export, by id.
    func authors() -> [Identity] { people.sorted { $0.key < $1.key }.map(\.value) }

    /// The channels with their readers, by id: the members of the team for an open channel, otherwise its own members.
    ///
    /// If there are several teams, the names of the channels include the team.
    func rosters() -> [ConversationRoster] {
        channels.values.sorted { $0.conversation.id < $1.conversation.id }.map { channel in
            var conversation = channel.conversation
            if teams.count > 1 { conversation.name = "\(conversation.name ?? "") (\(channel.team))" }
            let readers = channel.isOpen ? teamMembers[channel.team] ?? [] : []
            return ConversationRoster(
                conversation: conversation, members: members(channel.members.union(readers)), listedAt: listedAt)
        }
    }

    /// The roster of a direct channel.
    mutating func directRoster(_ fields: JSONFields) throws(ImportLineError) -> ConversationRoster {
        directRoster(of: try Self.members(of: fields, key: "members"))
    }

    /// The roster of the direct channel of a post; nil if it was told before.
    mutating func newDirectRoster(of members: [String]) -> ConversationRoster? {
        toldDirects.contains(directID(members)) ? nil : directRoster(of: members)
    }

    private mutating func directRoster(of members: [String]) -> ConversationRoster {
        toldDirects.insert(directID(members))
        let start = Timestamp(microseconds: 0)
        return ConversationRoster(
            conversation: Conversation(id: directID(members), kind: .direct, createdAt: start, updatedAt: start),
            members: self.members(Set(members)))
    }

    /// Reads the members of a direct channel; newer exports write `participants`.
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
                joinedAt: Timestamp(microseconds: 0), leftAt: deactivations[id])
        }
    }
}
