import ChatCore
import Connectors
import Foundation
import Synchronization
import TestSupport

/// A small Slack in memory: the Web API and Socket Mode as far as the connector uses them.
///
/// It does what Slack's public documentation and libraries say, also where one would not expect it: refusals come with
/// status 200; a page may have fewer messages than asked for, or none, and still a next cursor; history has no replies;
/// a page of replies begins with the first message of the thread; a first message with replies becomes a tombstone; an
/// edit has the time of a whole second; events that are not acknowledged come again on the next connection; the address
/// of a connection can be used once; a mention comes twice, as `message` and as `app_mention`.
final class StubSlack: Sendable {
    static let bot = "U0NEXUS"
    static let botID = "B0NEXUS"
    static let team = "T0CREW"
    static let botToken = "xoxb-token"
    static let appToken = "xapp-token"

    /// What the next requests of a method get instead of a reply.
    enum Fault {
        case status(Int)
        case error(String)
        case limited(seconds: Int)
        case emptyPage
        /// Half of a file.
        case breaks
    }

    /// A file, which is gone once it has no content.
    struct Upload {
        let id: String
        let name: String
        var content: Data?
        var claimedByteCount: Int?
    }

    struct Post {
        let id: String
        let channel: String
        let author: String
        var text: String
        var root: String?
        var subtype: String?
        var botName: String?
        var edited: String?
        var isDeleted = false
        var files: [String] = []
        var metadata: JSONValue?
        var reactions: [(name: String, users: [String])] = []
    }

    struct User {
        let id: String
        var name: String
        var team = StubSlack.team
        var isRestricted = false
        var isBot = false
        var isDeleted = false
        /// Shown if the app has the scope `users:read.email`.
        var email: String?
        /// Nil: events about people do not say it.
        var isEmailConfirmed: Bool?
    }

    struct Channel {
        var id: String
        var kind: String
        var members: [String]
        let created: Int64
    }

    /// A message of a live connection.
    struct Delivery {
        let text: String
        let envelope: String?
        /// The only connection that gets it; nil for the newest.
        var connection: Int?
    }

    struct State {
        var uploads: [String: Upload] = [:]
        var fileRequestCount = 0
        var users: [String: User] = [:]
        var channels: [String: Channel] = [:]
        /// All messages, in the order of their creation.
        var posts: [Post] = []
        var time: Int64 = 1_760_000_000
        var count = 0
        var faults: [(method: String, fault: Fault)] = []
        /// The most messages of a page, whatever was asked for.
        var pageLimit = 1_000
        var isLimitedPlan = false
        var tickets: Set<String> = []
        var connection = 0
        /// Whether events are kept until they are acknowledged: there was a connection.
        var isFollowed = false
        var deliveries: [Delivery] = []
        var unacknowledged: [Delivery] = []
        var acknowledged: [String] = []
        var onPage: (@Sendable (StubSlack) -> Void)?
        var losesCreation = false
    }

    let state = Mutex(State())
    private let serverBox = Mutex<StubServer?>(nil)

    var url: String { (serverBox.withLock { $0?.baseURL ?? "" }) + "/api" }
    /// What the connector asked for, as method and target.
    var requests: [String] { (serverBox.withLock { $0?.requests } ?? []).map { "\($0.method) \($0.target)" } }

    init() throws {
        let server = try StubServer { [weak self] request in self?.respond(request) ?? .closes }
        serverBox.withLock { $0 = server }
        addUser(Self.bot, name: "Helper Bot", isBot: true)
    }

    /// Answers the next request of a method with a fault.
    func fail(_ method: String, _ fault: Fault, count: Int = 1) {
        state.withLock { state in for _ in 0..<count { state.faults.append((method, fault)) } }
    }

    /// Does something at the moment when the next page of history was read and is not sent yet.
    func onNextPage(_ body: @escaping @Sendable (StubSlack) -> Void) { state.withLock { $0.onPage = body } }
    /// Limits history to one request in some time.
    func limitAfterEachPage(seconds: Int) {
        onNextPage { home in
            home.fail("conversations.history", .limited(seconds: seconds))
            home.limitAfterEachPage(seconds: seconds)
        }
    }
    /// Makes the next message of the bot, and loses the reply.
    func loseNextCreation() { state.withLock { $0.losesCreation = true } }
    func setPageLimit(_ limit: Int) { state.withLock { $0.pageLimit = limit } }
    func setLimitedPlan() { state.withLock { $0.isLimitedPlan = true } }

    func refuse() { serverBox.withLock { $0?.refuse() } }
    func admit() { serverBox.withLock { $0?.admit() } }
    var isRefusing: Bool { serverBox.withLock { $0?.isRefusing } ?? true }

    /// The text of the last request of a method, as it was sent.
    func lastText(_ method: String) -> String? {
        serverBox.withLock { $0?.requests.last { $0.target.contains(method) }?.json["text"] as? String }
    }

    func callCount(_ method: String) -> Int { requests.filter { $0.contains("/api/\(method)") }.count }
}

// MARK: - What people do

extension StubSlack {
    func addUser(
        _ id: String, name: String? = nil, team: String = StubSlack.team, isRestricted: Bool = false,
        isBot: Bool = false
    ) {
        let shown = name ?? id.dropFirst(2).lowercased().capitalized
        state.withLock {
            $0.users[id] = User(id: id, name: shown, team: team, isRestricted: isRestricted, isBot: isBot)
        }
    }

    func deactivate(_ person: String) { change(person) { $0.isDeleted = true } }

    /// Changes a person, whom an event describes as `wire` does, without what `hiding` removes.
    func change(
        _ person: String, hiding: (@Sendable (inout User) -> Void)? = nil, _ body: @Sendable (inout User) -> Void
    ) {
        state.withLock { state in
            if state.users[person] == nil {
                state.users[person] = User(id: person, name: person.dropFirst(2).lowercased().capitalized)
            }
            if var user = state.users[person] {
                body(&user)
                state.users[person] = user
            }
            guard var user = state.users[person] else { return }
            hiding?(&user)
            Self.send(["type": .string("user_change"), "user": Self.wire(user)], &state)
        }
    }

    func makeChannel(_ id: String, _ people: [String], kind: String = "channel") {
        state.withLock { $0.channels[id] = Channel(id: id, kind: kind, members: [], created: $0.time) }
        for person in people { addMember(person, to: id) }
    }

    func addMember(_ person: String, to channel: String) {
        let kind = state.withLock { state in
            if state.users[person] == nil {
                let name = person.dropFirst(2).lowercased().capitalized
                state.users[person] = User(id: person, name: name)
            }
            state.channels[channel]?.members.append(person)
            return state.channels[channel]?.kind ?? ""
        }
        guard kind == "channel" || kind == "group" else { return }
        say("<@\(person)> has joined the channel", by: person, in: channel, subtype: "channel_join")
        state.withLock { state in
            Self.send(
                [
                    "type": .string("member_joined_channel"), "user": .string(person), "channel": .string(channel),
                    "channel_type": .string("C"), "team": .string(Self.team),
                ], &state, in: channel)
        }
    }

    func removeMember(_ person: String, from channel: String) {
        say("<@\(person)> has left the channel", by: person, in: channel, subtype: "channel_leave")
        state.withLock { state in
            let type = person == Self.bot ? "channel_left" : "member_left_channel"
            Self.send(
                [
                    "type": .string(type), "user": .string(person), "channel": .string(channel),
                    "channel_type": .string("C"), "team": .string(Self.team),
                ], &state, in: channel)
            state.channels[channel]?.members.removeAll { $0 == person }
        }
    }

    func deleteChannel(_ channel: String) {
        state.withLock { state in
            Self.send(["type": .string("channel_deleted"), "channel": .string(channel)], &state, in: channel)
            state.channels[channel] = nil
        }
    }

    @discardableResult
    func say(
        _ text: String, by author: String, in channel: String, root: String? = nil, subtype: String? = nil,
        botName: String? = nil, files: [String] = [], metadata: JSONValue? = nil
    ) -> String {
        state.withLock { state in
            state.time += 1
            state.count += 1
            let id = Self.time(state, micro: state.count)
            var post = Post(id: id, channel: channel, author: author, text: text)
            (post.root, post.subtype, post.botName, post.files, post.metadata) =
                (root, subtype, botName, files, metadata)
            state.posts.append(post)
            var event = Self.fields(post, state)
            event["channel"] = .string(channel)
            event["channel_type"] = .string(state.channels[channel]?.kind ?? "channel")
            Self.send(event, &state, in: channel)
            if text.contains("<@\(Self.bot)>"), subtype == nil {
                event["type"] = .string("app_mention")
                Self.send(event, &state, in: channel)
            }
            return id
        }
    }

    func edit(_ id: String, _ text: String, files: [String]? = nil) {
        state.withLock { state in
            guard let place = state.posts.firstIndex(where: { $0.id == id }) else { return }
            state.time += 1
            let before = Self.wire(state.posts[place], state)
            state.posts[place].text = text
            if let files { state.posts[place].files = files }
            state.posts[place].edited = "\(state.time).000000"
            Self.sendChange(of: state.posts[place], before, &state)
        }
    }

    /// Stores a file; returns its id.
    func upload(_ file: SentFile) -> String {
        state.withLock { state in
            state.count += 1
            let id = "F0FILE\(state.count)"
            state.uploads[id] = Upload(
                id: id, name: file.name, content: file.content, claimedByteCount: file.claimedByteCount)
            return id
        }
    }

    func loseFile(_ name: String) {
        state.withLock { state in
            for id in state.uploads.keys where state.uploads[id]?.name == name { state.uploads[id]?.content = nil }
        }
    }

    /// How often bytes of files were asked for.
    var fileRequestCount: Int { state.withLock { $0.fileRequestCount } }

    static func wire(_ file: Upload, at url: String? = nil) -> JSONValue {
        var fields: [String: JSONValue] = [
            "id": .string(file.id), "name": .string(file.name), "mimetype": .string("text/plain"),
            "size": .integer(Int64(file.claimedByteCount ?? file.content?.count ?? 0)),
        ]
        if let url { fields["url_private_download"] = .string(url) }
        return .object(fields)
    }

    /// Deletes a message; one with replies stays as a tombstone.
    func delete(_ id: String) {
        state.withLock { state in
            guard let place = state.posts.firstIndex(where: { $0.id == id }) else { return }
            state.time += 1
            let before = Self.wire(state.posts[place], state)
            let channel = state.posts[place].channel
            if state.posts.contains(where: { $0.root == id && !$0.isDeleted }) {
                state.posts[place].subtype = "tombstone"
                state.posts[place].text = "This message was deleted."
                Self.sendChange(of: state.posts[place], before, &state)
            } else {
                state.posts[place].isDeleted = true
                Self.send(
                    [
                        "type": .string("message"), "subtype": .string("message_deleted"), "hidden": .bool(true),
                        "channel": .string(channel), "deleted_ts": .string(id), "previous_message": before,
                        "ts": .string(Self.time(state, micro: 0)), "channel_type": .string("channel"),
                    ], &state, in: channel)
            }
        }
    }

    /// Removes a message for good, as a rule about old messages does: nobody is told.
    func purge(_ id: String) {
        state.withLock { state in
            for index in state.posts.indices where state.posts[index].id == id { state.posts[index].isDeleted = true }
        }
    }

    /// Lets the next messages be written at a time, in seconds since 1970.
    func setTime(_ seconds: Int64) { state.withLock { $0.time = seconds } }

    func react(_ name: String, to id: String, by user: String, isRemoved: Bool = false) {
        state.withLock { state in
            guard let place = state.posts.firstIndex(where: { $0.id == id }) else { return }
            var reactions = state.posts[place].reactions
            let index = reactions.firstIndex { $0.name == name }
            if isRemoved {
                if let index { reactions[index].users.removeAll { $0 == user } }
            } else if let index {
                reactions[index].users.append(user)
            } else {
                reactions.append((name, [user]))
            }
            state.posts[place].reactions = reactions.filter { !$0.users.isEmpty }
            let channel = state.posts[place].channel
            Self.send(
                [
                    "type": .string(isRemoved ? "reaction_removed" : "reaction_added"), "user": .string(user),
                    "reaction": .string(name), "item_user": .string(state.posts[place].author),
                    "item": .object([
                        "type": .string("message"), "channel": .string(channel), "ts": .string(id),
                    ]),
                ], &state, in: channel)
        }
    }

    /// All messages that were ever written in a channel.
    func posts(of channel: String) -> [Post] { state.withLock { $0.posts.filter { $0.channel == channel } } }

    static func time(_ state: State, micro: Int) -> String {
        let digits = String(micro)
        return "\(state.time)." + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

// MARK: - Shapes

extension StubSlack {
    static func text(_ value: JSONValue) -> String {
        String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self)
    }

    static func wire(_ user: User) -> JSONValue {
        var profile: [String: JSONValue] = [
            "display_name": .string(user.name), "real_name": .string("\(user.name) Example"),
        ]
        if let email = user.email { profile["email"] = .string(email) }
        var fields: [String: JSONValue] = [
            "id": .string(user.id), "team_id": .string(user.team), "name": .string(user.name.lowercased()),
            "deleted": .bool(user.isDeleted), "is_bot": .bool(user.isBot), "is_restricted": .bool(user.isRestricted),
            "profile": .object(profile),
        ]
        if let isConfirmed = user.isEmailConfirmed { fields["is_email_confirmed"] = .bool(isConfirmed) }
        return .object(fields)
    }

    static func wire(_ channel: Channel) -> JSONValue {
        var fields: [String: JSONValue] = [
            "id": .string(channel.id), "created": .integer(channel.created),
            "is_channel": .bool(channel.kind == "channel"), "is_im": .bool(channel.kind == "im"),
            "is_mpim": .bool(channel.kind == "mpim"), "is_member": .bool(channel.members.contains(bot)),
        ]
        if channel.kind != "im" { fields["name"] = .string("channel-\(channel.id.lowercased())") }
        return .object(fields)
    }

    static func wire(_ post: Post, _ state: State) -> JSONValue { .object(fields(post, state)) }

    static func fields(_ post: Post, _ state: State) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "type": .string("message"), "ts": .string(post.id), "text": .string(post.text), "team": .string(team),
        ]
        if post.subtype != "bot_message" { fields["user"] = .string(post.author) }
        if post.author == bot || post.subtype == "bot_message" {
            fields["bot_id"] = .string(post.author == bot ? botID : post.author)
        }
        if let subtype = post.subtype { fields["subtype"] = .string(subtype) }
        if let name = post.botName { fields["username"] = .string(name) }
        if let root = post.root { fields["thread_ts"] = .string(root) }
        if let edited = post.edited {
            fields["edited"] = .object(["user": .string(post.author), "ts": .string(edited)])
        }
        if let metadata = post.metadata { fields["metadata"] = metadata }
        if !post.files.isEmpty {
            fields["files"] = .array(
                post.files.map { name in
                    state.uploads[name].map { Self.wire($0) }
                        ?? .object(["id": .string("F1"), "name": .string(name), "mimetype": .string("text/plain")])
                })
        }
        let replies = state.posts.filter { $0.root == post.id && !$0.isDeleted }
        if let last = replies.last {
            fields["thread_ts"] = .string(post.id)
            (fields["reply_count"], fields["latest_reply"]) = (.integer(Int64(replies.count)), .string(last.id))
        }
        if post.subtype == nil, post.author != bot { fields["blocks"] = blocks(post.text) }
        if !post.reactions.isEmpty {
            fields["reactions"] = .array(
                post.reactions.map { reaction in
                    .object([
                        "name": .string(reaction.name), "users": .array(reaction.users.map { .string($0) }),
                        "count": .integer(Int64(reaction.users.count)),
                    ])
                })
        }
        return fields
    }

    /// The text as people's programs send it: rich text, with mentions as elements.
    private static func blocks(_ text: String) -> JSONValue {
        var elements: [JSONValue] = []
        var rest = text[...]
        while let open = rest.range(of: "<@"), let close = rest[open.upperBound...].firstIndex(of: ">") {
            if open.lowerBound > rest.startIndex {
                elements.append(.object(["type": .string("text"), "text": .string(String(rest[..<open.lowerBound]))]))
            }
            elements.append(
                .object(["type": .string("user"), "user_id": .string(String(rest[open.upperBound..<close]))]))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { elements.append(.object(["type": .string("text"), "text": .string(String(rest))])) }
        let section = JSONValue.object(["type": .string("rich_text_section"), "elements": .array(elements)])
        return .array([.object(["type": .string("rich_text"), "elements": .array([section])])])
    }
}
