import ChatCore
import Histories

/// A post, as the server sends it.
struct MattermostPost: Sendable {
    /// A reaction of one person.
    struct Reaction: Sendable {
        let user: String
        let emoji: String
    }

    let id: String
    let channel: String
    let author: String
    /// The post that it answers; nil for the first of a thread.
    let root: String?
    let type: String
    /// The text, and what attachments of programs say.
    let text: String
    let files: [Message.Attachment]
    let reactions: [Reaction]
    let createdAt: Timestamp
    let editedAt: Timestamp?
    /// The time of the last change of the post, its reactions included: it orders the states of a post.
    let changedAt: Timestamp
    let isDeleted: Bool
    /// Whether it is what a post said before an edit: the server keeps it as a deleted post.
    let isEarlierText: Bool
    /// Whether a program wrote it, for which the account may be that of a person.
    let isAutomatic: Bool
    /// Whether a program wrote it that a person lets act in the own name.
    let isOfProgram: Bool
    /// The name that a program gave itself.
    let shownName: String?
    /// The answer of the assistant that it shows; only our own posts have one.
    let answer: String?
    /// The version of that answer.
    let version: Int64

    /// Whether the server wrote it, such as that somebody joined.
    var isOfSystem: Bool { type.hasPrefix("system_") }

    /// Whether it is for readers who reveal it, and then vanishes.
    var isSecret: Bool { type == "burn_on_read" }

    /// Reads a post.
    init?(_ fields: JSONFields) {
        guard let id = fields.text("id"), let channel = fields.text("channel_id"),
            let author = fields.text("user_id"), let created = Self.moment("create_at", fields)
        else { return nil }
        (self.id, self.channel, self.author, createdAt) = (id, channel, author, created)
        root = fields.text("root_id")
        type = fields.text("type") ?? ""
        editedAt = Self.moment("edit_at", fields)
        let deleted = Self.moment("delete_at", fields)
        isDeleted = deleted != nil
        changedAt = max(Self.moment("update_at", fields) ?? created, deleted ?? created)
        isEarlierText = fields.text("original_id") != nil
        let properties = fields.object("props")
        func isSet(_ key: String) -> Bool { properties?.text(key) == "true" || properties?.isTrue(key) ?? false }
        isAutomatic = ["from_bot", "from_webhook", "from_plugin"].contains(where: isSet)
        isOfProgram = isSet("from_oauth_app")
        shownName = properties?.text("override_username").map { TextLimit.name.cut($0) }
        answer = properties?.text(MattermostMapping.answerKey)
        version = properties?.text(MattermostMapping.versionKey).flatMap { Int64($0) } ?? 0
        let attached = (properties?.objects("attachments") ?? []).flatMap(ProgramAttachment.lines)
        text = ([fields.text("message") ?? ""] + attached).filter { !$0.isEmpty }.joined(separator: "\n")
        let metadata = fields.object("metadata")
        files = Self.files(metadata, ids: fields.list("file_ids"))
        reactions = (metadata?.objects("reactions") ?? []).compactMap { reaction in
            guard let user = reaction.text("user_id"), let name = reaction.text("emoji_name"),
                Self.moment("delete_at", reaction) == nil
            else { return nil }
            let emoji = EmojiName.reaction(name)
            return TextLimit.name.admits(emoji) ? Reaction(user: user, emoji: emoji) : nil
        }
    }

    /// Reads a post from a field that holds it as text, as events do.
    init?(text: String?) {
        guard let text, let fields = JSONFields(object: try? JSONParser.parse(Array(text.utf8))) else { return nil }
        self.init(fields)
    }

    private static func moment(_ key: String, _ fields: JSONFields) -> Timestamp? {
        fields.integer(key).flatMap { $0 > 0 ? HistoryTime.moment(milliseconds: $0) : nil }
    }

    /// The files that are not deleted; one whose description is missing has no name.
    private static func files(_ metadata: JSONFields?, ids: [JSONValue]) -> [Message.Attachment] {
        let described = (metadata?.objects("files") ?? []).filter { moment("delete_at", $0) == nil }.map { file in
            var attachment = Message.Attachment(
                name: TextLimit.name.cut(file.text("name") ?? FileName.standard),
                type: file.text("mime_type").map { TextLimit.name.cut($0) })
            attachment.remoteID = file.text("id").flatMap { $0.isPlain() ? $0 : nil }
            attachment.byteCount = file.integer("size").flatMap { $0 < 0 ? nil : Int(exactly: $0) }
            return attachment
        }
        guard described.isEmpty else { return described }
        return ids.map { id in
            guard case .string(let id) = id, id.isPlain() else { return Message.Attachment(name: FileName.standard) }
            var attachment = Message.Attachment(name: "")
            attachment.remoteID = id
            return attachment
        }
    }
}

/// A list of posts, as the server sends it: the newest first.
struct MattermostPosts: Sendable {
    /// The posts of the list; those beside it, such as beginnings of threads, are left out.
    let posts: [MattermostPost]
    /// The ids of posts of the list that cannot be read.
    let unreadable: [String]
    /// Whether there are earlier posts.
    let hasEarlier: Bool

    /// The number of posts in the list.
    var count: Int { posts.count + unreadable.count }

    init(_ reply: JSONFields) throws(ConnectorError) {
        guard let bodies = reply.object("posts") else { throw .unreadable }
        var (posts, unreadable): ([MattermostPost], [String]) = ([], [])
        for case .string(let id) in reply.list("order") {
            if let post = bodies.object(id).flatMap({ MattermostPost($0) }) {
                posts.append(post)
            } else {
                unreadable.append(id)
            }
        }
        (self.posts, self.unreadable) = (posts, unreadable)
        hasEarlier = reply.text("prev_post_id") != nil
    }
}
