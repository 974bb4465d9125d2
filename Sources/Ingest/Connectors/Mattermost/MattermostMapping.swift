import ChatCore
import Histories

/// Turns posts of a channel into what the store takes.
struct MattermostMapping: Sendable {
    /// The property of our own posts with the id of the answer that they show.
    static let answerKey = "nexus_answer"
    /// The property with the version of that answer; the first one has none.
    static let versionKey = "nexus_version"

    let settings: MattermostSettings
    let identity: MattermostIdentity
    let naming = HistoryNaming(source: MattermostSettings.source)
    let channel: MattermostChannel
    /// The people of the posts, by id.
    let users: [String: MattermostUser]
    /// The name of the channel's team; nil for channels without one.
    let team: String?

    /// Returns what posts say.
    ///
    /// - Parameters:
    ///   - posts: The posts.
    ///   - isWhole: Whether their reactions are known, as in replies of the server, but not in events.
    /// - Returns: What is to be stored.
    func page(_ posts: [MattermostPost], isWhole: Bool) -> ConnectorPage {
        var page = ConnectorPage(source: MattermostSettings.source, room: channel.id)
        for post in posts.sorted(by: { $0.createdAt < $1.createdAt }) { add(post, isWhole: isWhole, to: &page) }
        return page
    }

    private func add(_ post: MattermostPost, isWhole: Bool, to page: inout ConnectorPage) {
        guard !post.isEarlierText else { return }
        guard post.author != identity.userID || post.isOfSystem else {
            let answer = post.answer.map { MessageID(rawValue: $0) }
            page.events.append(ConnectorEvent(id: post.id, kind: .answer, target: answer))
            return
        }
        guard !post.isDeleted else { return addDeletion(of: post, to: &page) }
        guard !post.isOfSystem else {
            page.events.append(ConnectorEvent(id: post.id, kind: .room))
            return
        }
        guard !post.isSecret else {
            page.events.append(ConnectorEvent(id: post.id, kind: .unsupported))
            return
        }
        let message = message(post)
        page.events.append(ConnectorEvent(id: post.id, kind: message == nil ? .empty : .message))
        guard let message else { return }
        var state = ConnectorMessage(id: message.key.messageID, message: message, readAt: post.changedAt)
        if isWhole {
            state.reactions = post.reactions.map {
                ConnectorEvent.Reaction(authorID: naming.user($0.user), emoji: $0.emoji)
            }
        }
        page.messages.append(state.readingLinks(name: settings.mentionName, isOwn: !post.isOfProgram))
    }

    /// Adds that a post is deleted; one that was never read counts as left out.
    func addDeletion(of post: MattermostPost, to page: inout ConnectorPage) {
        page.events.append(ConnectorEvent(id: post.id, kind: .deleted))
        page.messages.append(
            ConnectorMessage(id: naming.message(post.id), message: nil, readAt: post.changedAt))
    }

    /// Returns a message; nil if it says nothing.
    private func message(_ post: MattermostPost) -> Message? {
        guard !post.text.isEmpty || !post.files.isEmpty else { return nil }
        let user = users[post.author]
        let isBot = post.isAutomatic || user?.isBot ?? false
        var message = Message(
            key: MessageKey(
                conversationID: naming.conversation(channel.id), messageID: naming.message(post.id)),
            senderID: naming.user(post.author),
            senderName: (post.isAutomatic ? post.shownName : nil) ?? user?.name ?? post.author,
            text: isBot ? post.text : question(in: post.text) ?? post.text, kind: isBot ? .bot : .text,
            timestamp: post.createdAt, threadRootID: post.root.map(naming.message))
        message.editedAt = post.editedAt
        message.attachments = post.files
        message.url = identity.link(to: post.id, team: team)
        return message
    }

    /// Returns a text that mentions the bot in the form of a question to the assistant; nil if it does not.
    ///
    /// Whatever people write to the bot alone is a question.
    private func question(in text: String) -> String? {
        AssistantQuestion(mention: "@\(identity.username)", name: settings.mentionName)
            .text(in: text, isToNexus: channel.type == "D")
    }
}

/// Who Nexus is at the server.
struct MattermostIdentity: Sendable {
    let userID: String
    let username: String
    /// The address at which people reach the server.
    let site: String

    /// Returns a link to a post; without the name of a team the server finds it.
    func link(to post: String, team: String?) -> String? {
        MessageLink.usable("\(site)/\(MessageLink.encoded(team ?? "_redirect"))/pl/\(MessageLink.encoded(post))")
    }
}
