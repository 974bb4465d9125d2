import ChatCore
import Foundation

/// Reads a bulk export of Mattermost: one JSON object a line, in the order version, team, channel, user, bot, post,
/// direct channel, direct post.
///
/// Posts have no ids in it; they get those of ``SynthesisedIDs``. Deleted posts are not in it.
final class MattermostHistory: HistoryReader {
    private let file: HistoryFile
    private let naming: HistoryNaming
    private var lines: LineReader
    private var lineNumber = 0
    private var directory: MattermostDirectory
    private let unknown = UnknownContent()
    private var hasToldPeople = false
    private var ids: [ConversationID: SynthesisedIDs] = [:]

    var byteCount: Int { lines.byteCount }

    init(_ file: HistoryFile, naming: HistoryNaming) throws {
        self.file = file
        self.naming = naming
        directory = MattermostDirectory(naming: naming)
        lines = LineReader(try file.open())
    }

    func read(into items: inout [HistoryItem]) throws -> Bool {
        for _ in 0..<64 {
            guard let line = try lines.next() else {
                tellPeople(&items)
                return false
            }
            lineNumber += 1
            let place = file.place(lineNumber, .line)
            guard case .text(let data) = line else {
                let reason = "longer than \(LineReader.lineByteLimit) bytes"
                if !hasToldPeople { directory.listedAt = nil }
                items.append(HistoryItem(content: .rejected(reason: reason), place: place))
                continue
            }
            guard data.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            do throws(ImportLineError) {
                try read(try JSONFields(try JSONElement.parse(data)), at: place, into: &items)
                items += unknown.take().map { HistoryItem(content: $0, place: place) }
            } catch {
                // A person in an unreadable line may still be a member.
                if !hasToldPeople { directory.listedAt = nil }
                items.append(HistoryItem(content: .rejected(reason: error.reason), place: place))
            }
        }
        return true
    }

    private func read(
        _ line: JSONFields, at place: HistoryPlace, into items: inout [HistoryItem]
    ) throws(ImportLineError) {
        switch line.text("type") {
        case "version":
            let made = line.object("info")?.text("created")
            if let made { directory.listedAt = HistoryTime.moment(iso8601: made) ?? directory.listedAt }
        case "team":
            try directory.addTeam(try Self.body("team", of: line))
        case "channel":
            try directory.addChannel(try Self.body("channel", of: line))
        case "user":
            try directory.addUser(try Self.body("user", of: line))
        case "bot":
            let bot = try directory.addBot(try Self.body("bot", of: line))
            if hasToldPeople { items.append(HistoryItem(content: .author(bot), place: place)) }
        case "post":
            tellPeople(&items)
            let post = try Self.body("post", of: line)
            let conversationID = directory.channelID(
                team: try post.requiredID("team"), channel: try post.requiredID("channel"))
            try add(post, in: conversationID, at: place, into: &items)
        case "direct_channel":
            tellPeople(&items)
            let roster = try directory.directRoster(try Self.body("direct_channel", of: line))
            items.append(HistoryItem(content: .roster(roster), place: place))
        case "direct_post":
            let post = try Self.body("direct_post", of: line)
            let members = try MattermostDirectory.members(of: post, key: "channel_members")
            tellPeople(&items)
            // The line of the channel may be missing.
            if let roster = directory.newDirectRoster(of: members) {
                items.append(HistoryItem(content: .roster(roster), place: place))
            }
            try add(post, in: directory.directID(members), at: place, into: &items)
        case nil: throw line.missing("type")
        case let type? where Self.otherLines.contains(type): break
        case let type: unknown.add("mattermost line", type)
        }
    }

    /// Lines without messages and people.
    private static let otherLines: Set<String> = ["role", "scheme", "emoji"]

    private static func body(_ key: String, of line: JSONFields) throws(ImportLineError) -> JSONFields {
        guard let body = line.object(key) else { throw line.missing(key) }
        return body
    }

    /// People come after their channels, so conversations are reported with the first post.
    private func tellPeople(_ items: inout [HistoryItem]) {
        guard !hasToldPeople else { return }
        hasToldPeople = true
        let place = file.place(nil, .line)
        items += directory.authors().map { HistoryItem(content: .author($0), place: place) }
        items += directory.rosters().map { HistoryItem(content: .roster($0), place: place) }
        if directory.unclearCount > 0 {
            let note = ImportNote(.membersOnly, count: directory.unclearCount)
            items.append(HistoryItem(content: .noted(note), place: place))
        }
    }

    /// Adds a post and the answers to it.
    private func add(
        _ post: JSONFields, in conversationID: ConversationID, at place: HistoryPlace, into items: inout [HistoryItem]
    ) throws(ImportLineError) {
        let root = try content(of: post, in: conversationID, root: nil)
        items.append(HistoryItem(content: root.content, place: place))
        for reply in post.objects("replies") {
            do throws(ImportLineError) {
                let reply = try content(of: reply, in: conversationID, root: root.id)
                items.append(HistoryItem(content: reply.content, place: place))
            } catch {
                items.append(HistoryItem(content: .rejected(reason: "reply: " + error.reason), place: place))
            }
        }
    }

    private func content(
        of post: JSONFields, in conversationID: ConversationID, root: MessageID?
    ) throws(ImportLineError) -> (content: HistoryItem.Content, id: MessageID) {
        let user = try post.requiredID("user")
        guard let time = post.integer("create_at"), let timestamp = HistoryTime.moment(milliseconds: time) else {
            throw HistoryTime.fault(of: "create_at", in: post)
        }
        let id = naming.message(ids[conversationID, default: SynthesisedIDs()].next(time: String(time), author: user))
        if post.text("type")?.hasPrefix("system_") == true { return (.skipped(.notice), id) }
        let properties = post.object("props")
        let isBot = properties?.text("from_bot") == "true" || properties?.text("from_webhook") == "true"
        let author = directory.author(user, isBot: isBot)
        var message = Message(
            key: MessageKey(conversationID: conversationID, messageID: id), senderID: author.userID,
            senderName: (isBot ? properties?.text("override_username") : nil) ?? author.name ?? user,
            text: Self.text(of: post, properties: properties), kind: author.isBot ? .bot : .text,
            timestamp: timestamp, threadRootID: root)
        if let edited = post.integer("edit_at"), edited > 0 {
            message.editedAt = HistoryTime.moment(milliseconds: edited)
        }
        message.attachments = post.objects("attachments").compactMap { file in
            file.text("path").map { path in
                Message.Attachment(name: path.split(separator: "/").last.map(String.init) ?? path)
            }
        }
        message.reactions = reactions(of: post)
        guard message.text.isEmpty, message.attachments.isEmpty else { return (.message(message, deletedAt: nil), id) }
        if let type = post.text("type") { unknown.add("mattermost post", type) }
        return (.skipped(.empty), id)
    }

    /// Programs say much in attachments of the message's properties.
    private static func text(of post: JSONFields, properties: JSONFields?) -> String {
        let body = post.text("message") ?? ""
        let attached = (properties?.objects("attachments") ?? []).flatMap(ProgramAttachment.lines)
        return ([body] + attached).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Each reaction is listed separately, with its person.
    private func reactions(of post: JSONFields) -> [Message.Reaction] {
        var reactions: [Message.Reaction] = []
        for reaction in post.objects("reactions") {
            guard let name = reaction.text("emoji_name"), let user = reaction.id("user") else { continue }
            let emoji = EmojiName.reaction(name)
            if let index = reactions.firstIndex(where: { $0.emoji == emoji }) {
                reactions[index].userIDs.append(naming.user(user))
            } else {
                reactions.append(Message.Reaction(emoji: emoji, userIDs: [naming.user(user)]))
            }
        }
        return reactions
    }
}
