import ChatCore
import Histories

/// How far a channel was read, as the store keeps it.
struct MattermostProgress: ConnectorProgress {
    /// The post before which reading of the history continues; nil to begin at the end.
    var before: String?
    /// How many pages before ``before`` were read: posts of one millisecond can fill a page.
    var page = 0
    /// Whether the beginning was reached.
    var isComplete = false
    /// Whether Nexus is no longer in the channel.
    var hasLeft = false
    /// The time up to which changes were read, in milliseconds of the server; nil if nothing was read yet.
    var changedUntil: Int64?
    /// The last stored post that was compared with the server; nil to begin at the first one.
    var checkedUntil: String?
    /// Whether all stored posts are to be compared without a pause, because changes may have been missed.
    var mustCheck = false
}

/// A channel of the server.
struct MattermostChannel: Sendable {
    let id: String
    let team: String?
    let type: String
    let name: String
    let createdAt: Timestamp

    /// Whether it is between some people, without a name that they gave it.
    var isDirect: Bool { type == "D" || type == "G" }

    init?(_ fields: JSONFields) {
        guard let id = fields.text("id"), let type = fields.text("type") else { return nil }
        (self.id, self.type, team) = (id, type, fields.text("team_id"))
        name = TextLimit.name.cut(fields.text("display_name") ?? fields.text("name") ?? id)
        createdAt =
            fields.integer("create_at").flatMap { HistoryTime.moment(milliseconds: $0) } ?? Timestamp(microseconds: 0)
    }
}

/// A person or a bot of the server.
struct MattermostUser: Sendable, Equatable {
    let id: String
    let username: String
    /// The name to show: the nickname, else the full name, else the user name.
    let name: String
    let aliases: [String]
    let isBot: Bool
    let isGuest: Bool
    /// The address that the server has verified; servers tell it administrators only.
    let verifiedEmail: String?
    /// Whether the account was not deactivated.
    let isActive: Bool

    init?(_ fields: JSONFields) {
        guard let id = fields.text("id"), let username = fields.text("username") else { return nil }
        (self.id, self.username) = (id, username)
        let full = [fields.text("first_name"), fields.text("last_name")].compactMap { $0 }.joined(separator: " ")
        name = TextLimit.name.cut(fields.text("nickname") ?? (full.isEmpty ? username : full))
        aliases = Names.aliases([full, username].map { TextLimit.name.cut($0) }, of: name)
        isBot = fields.isTrue("is_bot")
        isGuest = (fields.text("roles") ?? "").split(separator: " ").contains("system_guest")
        isActive = fields.integer("delete_at").map { $0 <= 0 } ?? true
        // Somebody of another server has the address that this server states.
        let isOurs = (fields.text("remote_id") ?? "").isEmpty && !isBot && !isGuest && isActive
        verifiedEmail = isOurs && fields.isTrue("email_verified") ? fields.text("email") : nil
    }

    /// The author of the user's posts.
    func author(_ naming: HistoryNaming) -> Identity {
        var author = naming.author(id, name: name, isBot: isBot, kind: isGuest ? .guest : isBot ? .bot : .member)
        author.verifiedEmail = verifiedEmail
        return author
    }
}
