import ChatCore
import Connectors
import Foundation
import Synchronization
import TestSupport

/// A small Mattermost server in memory: the API and the live connection that the connector uses.
///
/// It does what the source of the server says, also where one would not expect it: the list of changes has no order and
/// a limit; it holds deleted posts and what posts said before an edit; a page begins before the time of the given post,
/// whose row must still be there; replies are deleted with the first post of their thread, without events; an account
/// without channels gets a list that breaks off with a 404; a connection is resumed only with the token in the handshake.
final class StubMattermost: Sendable {
    static let bot = "botbotbotbotbotbotbotbotbo"
    static let token = "bot-token"
    static let team = "teamteamteamteamteamteamte"

    /// What the next requests of a path get instead of a reply.
    enum Fault {
        case status(Int)
        case limited(seconds: Int)
        case closes
        /// Half of a file.
        case breaks
    }

    struct Post {
        let id: String
        let channel: String
        let author: String
        var text: String
        var root = ""
        var type = ""
        let createdAt: Int64
        var changedAt: Int64
        var editedAt: Int64 = 0
        var deletedAt: Int64 = 0
        var original = ""
        var properties: [String: JSONValue] = [:]
        var files: [Upload] = []
        var reactions: [(user: String, name: String, at: Int64)] = []
    }

    /// A file, which is gone once it has no content.
    struct Upload {
        let id: String
        let name: String
        var content: Data?
        var claimedByteCount: Int?
    }

    struct User {
        let id: String
        var roles = "system_user"
        var isBot = false
        var deletedAt: Int64 = 0
        /// Shown to administrators.
        var email: String?
        var isEmailVerified = false
    }

    struct Channel {
        let id: String
        let type: String
        let createdAt: Int64
        var members: [String]
    }

    struct State {
        var users: [String: User] = [:]
        var channels: [String: Channel] = [:]
        /// All rows, in the order of their creation.
        var posts: [Post] = []
        var count = 0
        var time: Int64 = 1_760_000_000_000
        var faults: [(path: String, fault: Fault)] = []
        var pending: [String: String] = [:]
        var changeLimit = 1_000
        /// The live connection: its id, the number of its next event, and its last events.
        var connection: String?
        /// Whether posts describe their files.
        var describesFiles = true
        var uploads: [String: Upload] = [:]
        var next: Int64 = 0
        var events: [(number: Int64, text: String)] = []
        /// Events that are passed over once when they are sent.
        var lost: Set<Int64> = []
        var handshakes: [String] = []
        var onPage: (@Sendable (StubMattermost) -> Void)?
        /// Called once when a post was made, whose reply is then lost.
        var onCreation: (@Sendable (StubMattermost) -> Void)?
    }

    let state = Mutex(State())
    let serverBox = Mutex<StubServer?>(nil)

    var url: String { serverBox.withLock { $0?.baseURL ?? "" } }
    /// What the connector asked for, as method and target.
    var requests: [String] { (serverBox.withLock { $0?.requests } ?? []).map { "\($0.method) \($0.target)" } }

    init() throws {
        let server = try StubServer { [weak self] request in self?.respond(request) ?? .closes }
        serverBox.withLock { $0 = server }
        addUser(Self.bot, isBot: true)
    }

    /// Answers the next request whose method and target contain a text with a fault.
    func fail(_ path: String, _ fault: Fault, count: Int = 1) {
        state.withLock { state in for _ in 0..<count { state.faults.append((path, fault)) } }
    }

    /// Does something at the moment when the next page of history was read and is not sent yet.
    func onNextPage(_ body: @escaping @Sendable (StubMattermost) -> Void) { state.withLock { $0.onPage = body } }

    /// Does something when the next post was made, and loses the reply.
    func onNextCreation(_ body: @escaping @Sendable (StubMattermost) -> Void) {
        state.withLock { $0.onCreation = body }
    }

    /// Forgets which requests made which posts, as the server does after some minutes.
    func forgetPending() { state.withLock { $0.pending = [:] } }

    /// The most posts in a list of changes.
    var changeLimit: Int { state.withLock { $0.changeLimit } }
    func setChangeLimit(_ limit: Int) { state.withLock { $0.changeLimit = limit } }

    /// Stores a file; returns its id.
    func upload(_ file: SentFile) -> String {
        state.withLock { state in
            state.count += 1
            let id = "file\(state.count)" + String(repeating: "f", count: 21 - String(state.count).count)
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

    /// Posts name their files by ids only from now on.
    func stopDescribingFiles() { state.withLock { $0.describesFiles = false } }

    func refuse() { serverBox.withLock { $0?.refuse() } }
    func admit() { serverBox.withLock { $0?.admit() } }
}

// MARK: - What people do

extension StubMattermost {
    static func name(_ person: String) -> String { String(person.prefix(3)) }

    func addUser(_ id: String, roles: String = "system_user", isBot: Bool = false) {
        state.withLock { $0.users[id] = User(id: id, roles: roles, isBot: isBot) }
    }

    func setEmail(_ email: String?, isVerified: Bool = true, of person: String) {
        state.withLock { state in
            state.users[person]?.email = email
            state.users[person]?.isEmailVerified = isVerified
            let user = state.users[person].map(Self.wire) ?? .null
            Self.send("user_updated", ["user": user], [:], &state)
        }
    }

    func deactivate(_ person: String) {
        state.withLock { state in
            state.time += 1_000
            state.users[person]?.deletedAt = state.time
            let user = state.users[person].map(Self.wire) ?? .null
            Self.send("user_updated", ["user": user], [:], &state)
        }
    }

    func makeChannel(_ id: String, _ people: [String], type: String = "O") {
        state.withLock { state in
            state.channels[id] = Channel(id: id, type: type, createdAt: state.time, members: [])
        }
        for person in people { addMember(person, to: id) }
    }

    func addMember(_ person: String, to channel: String) {
        if state.withLock({ $0.users[person] == nil }) { addUser(person) }
        let isDirect = state.withLock { state in
            state.channels[channel]?.members.append(person)
            return ["D", "G"].contains(state.channels[channel]?.type ?? "")
        }
        if !isDirect { say("\(Self.name(person)) joined", by: person, in: channel, type: "system_join_channel") }
        state.withLock { state in
            let data: [String: JSONValue] = ["user_id": .string(person), "team_id": .string(Self.team)]
            Self.send("user_added", data, ["channel_id": .string(channel)], &state, in: channel)
        }
    }

    /// Somebody leaves: one event to those who stay, and another to the person.
    func removeMember(_ person: String, from channel: String) {
        say("\(Self.name(person)) left", by: person, in: channel, type: "system_leave_channel")
        state.withLock { state in
            state.channels[channel]?.members.removeAll { $0 == person }
            if person == Self.bot {
                Self.send(
                    "user_removed", ["channel_id": .string(channel), "remover_id": .string(person)],
                    ["user_id": .string(person)], &state)
            } else {
                Self.send(
                    "user_removed", ["user_id": .string(person), "remover_id": .string(person)],
                    ["channel_id": .string(channel)], &state, in: channel)
            }
        }
    }

    /// Somebody leaves the team, and with it all its channels.
    func leaveTeam(_ person: String) {
        state.withLock { state in
            for id in state.channels.keys { state.channels[id]?.members.removeAll { $0 == person } }
            let data: [String: JSONValue] = ["user_id": .string(person), "team_id": .string(Self.team)]
            Self.send("leave_team", data, ["team_id": .string(Self.team)], &state)
        }
    }

    @discardableResult
    func say(
        _ text: String, by author: String, in channel: String, root: String = "", type: String = "",
        properties: [String: JSONValue] = [:], files: [String] = [], isSameMoment: Bool = false
    ) -> String {
        state.withLock { state in
            if !isSameMoment { state.time += 1_000 }
            state.count += 1
            let id = "post\(state.count)" + String(repeating: "x", count: 21 - String(state.count).count)
            var post = Post(
                id: id, channel: channel, author: author, text: text, createdAt: state.time, changedAt: state.time)
            (post.root, post.type, post.properties) = (root, type, properties)
            post.files = Self.described(files, state)
            state.posts.append(post)
            let data: [String: JSONValue] = [
                "channel_type": .string(state.channels[channel]?.type ?? "O"), "channel_name": .string(channel),
                "sender_name": .string("@\(Self.name(author))"), "team_id": .string(Self.team),
                "post": .string(Self.text(Self.wire(post))), "set_online": .bool(true),
            ]
            Self.send("posted", data, ["channel_id": .string(channel)], &state, in: channel)
            return id
        }
    }

    /// Edits a post; the server keeps what it said as a deleted post with another id.
    func edit(_ id: String, _ text: String, files: [String]? = nil) {
        state.withLock { state in
            guard let place = state.posts.firstIndex(where: { $0.id == id }) else { return }
            state.time += 1_000
            state.count += 1
            let old = state.posts[place]
            var earlier = Post(
                id: "old\(state.count)", channel: old.channel, author: old.author, text: old.text,
                createdAt: old.createdAt, changedAt: state.time)
            (earlier.deletedAt, earlier.original, earlier.root) = (state.time, id, old.root)
            state.posts.append(earlier)
            state.posts[place].text = text
            if let files { state.posts[place].files = Self.described(files, state) }
            (state.posts[place].editedAt, state.posts[place].changedAt) = (state.time, state.time)
            Self.send(
                "post_edited", ["post": .string(Self.text(Self.wire(state.posts[place])))],
                ["channel_id": .string(old.channel)], &state, in: old.channel)
        }
    }

    private static func described(_ files: [String], _ state: State) -> [Upload] {
        files.map { state.uploads[$0] ?? Upload(id: $0, name: $0) }.map { file in
            state.describesFiles ? file : Upload(id: file.id, name: "")
        }
    }

    /// Deletes a post, and its replies without telling.
    func delete(_ id: String) {
        state.withLock { state in
            guard let place = state.posts.firstIndex(where: { $0.id == id }) else { return }
            state.time += 1_000
            let before = state.posts[place]
            for index in state.posts.indices where state.posts[index].id == id || state.posts[index].root == id {
                (state.posts[index].deletedAt, state.posts[index].changedAt) = (state.time, state.time)
            }
            // The event shows the post as it was.
            Self.send(
                "post_deleted", ["post": .string(Self.text(Self.wire(before)))],
                ["channel_id": .string(before.channel)], &state, in: before.channel)
        }
    }

    /// Removes a post for good, as a rule about old posts does: nobody is told.
    func purge(_ id: String) { state.withLock { $0.posts.removeAll { $0.id == id } } }

    func react(_ name: String, to id: String, by user: String, isRemoved: Bool = false) {
        state.withLock { state in
            guard let place = state.posts.firstIndex(where: { $0.id == id }) else { return }
            state.time += 1_000
            state.posts[place].changedAt = state.time
            state.posts[place].reactions.removeAll { $0 == (user, name, $0.at) }
            if !isRemoved { state.posts[place].reactions.append((user, name, state.time)) }
            let reaction = JSONValue.object([
                "user_id": .string(user), "post_id": .string(id), "emoji_name": .string(name),
                "create_at": .integer(state.time), "channel_id": .string(state.posts[place].channel),
            ])
            Self.send(
                isRemoved ? "reaction_removed" : "reaction_added", ["reaction": .string(Self.text(reaction))],
                ["channel_id": .string(state.posts[place].channel)], &state, in: state.posts[place].channel)
        }
    }

    /// What posts of somebody say, and what those said before an edit, which the server shows to their authors.
    func keptTexts(of author: String, in channel: String) -> [String] {
        state.withLock { state in
            let present = Set(state.posts.filter { $0.deletedAt == 0 }.map(\.id))
            return state.posts.filter { post in
                post.channel == channel && post.author == author && post.type.isEmpty
                    && (present.contains(post.id) || present.contains(post.original))
            }.map(\.text)
        }
    }

    /// The posts that people could count, deleted ones included.
    func posts(of channel: String) -> [Post] {
        state.withLock { $0.posts.filter { $0.channel == channel && $0.original.isEmpty } }
    }
}

// MARK: - Shapes

extension StubMattermost {
    static func query(_ target: String) -> [String: String] {
        let items = URLComponents(string: target)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    static func text(_ value: JSONValue) -> String {
        String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self)
    }

    static func wire(_ user: User) -> JSONValue {
        .object([
            "id": .string(user.id), "username": .string(user.id == bot ? "nexus" : name(user.id)),
            "nickname": .string(user.isBot ? "" : name(user.id).capitalized), "first_name": .string(""),
            "last_name": .string(""), "roles": .string(user.roles), "is_bot": .bool(user.isBot),
            "delete_at": .integer(user.deletedAt), "locale": .string("en"), "email": .string(user.email ?? ""),
            // The server leaves it out unless it is true.
            "email_verified": user.isEmailVerified ? .bool(true) : .null,
        ])
    }

    static func wire(_ channel: Channel) -> JSONValue {
        let isDirect = ["D", "G"].contains(channel.type)
        return .object([
            "id": .string(channel.id), "type": .string(channel.type), "create_at": .integer(channel.createdAt),
            "team_id": .string(isDirect ? "" : team), "name": .string(channel.id),
            "display_name": .string(isDirect ? "" : "Channel \(channel.id)"), "delete_at": .integer(0),
        ])
    }

    static func wire(_ post: Post) -> JSONValue {
        var metadata: [String: JSONValue] = [:]
        if post.files.contains(where: { !$0.name.isEmpty }) {
            metadata["files"] = .array(post.files.map { wire($0) })
        }
        if !post.reactions.isEmpty, post.deletedAt == 0 {
            metadata["reactions"] = .array(
                post.reactions.map { reaction in
                    .object([
                        "user_id": .string(reaction.user), "post_id": .string(post.id),
                        "emoji_name": .string(reaction.name), "create_at": .integer(reaction.at),
                        "delete_at": .integer(0),
                    ])
                })
        }
        return .object([
            "id": .string(post.id), "create_at": .integer(post.createdAt), "update_at": .integer(post.changedAt),
            "edit_at": .integer(post.editedAt), "delete_at": .integer(post.deletedAt),
            "user_id": .string(post.author), "channel_id": .string(post.channel), "root_id": .string(post.root),
            "original_id": .string(post.original), "message": .string(post.text), "type": .string(post.type),
            "props": .object(post.properties), "file_ids": .array(post.files.map { .string($0.id) }),
            "metadata": .object(metadata), "hashtags": .string(""), "pending_post_id": .string(""),
        ])
    }

    static func wire(_ file: Upload) -> JSONValue {
        .object([
            "id": .string(file.id), "name": .string(file.name), "mime_type": .string("text/plain"),
            "size": .integer(Int64(file.claimedByteCount ?? file.content?.count ?? 0)), "delete_at": .integer(0),
        ])
    }

    static func reply(_ value: JSONValue, status: Int = 200) -> StubResponse {
        StubResponse(
            status: status, headers: [("Content-Type", "application/json")], body: Data(text(value).utf8))
    }

    static func failure(_ status: Int, _ id: String) -> StubResponse {
        .json(["id": id, "message": "refused", "detailed_error": "", "status_code": status], status: status)
    }
}
