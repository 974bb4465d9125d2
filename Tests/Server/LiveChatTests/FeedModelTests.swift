import ChatCore
import Foundation
import LiveChat
import MessageStore
import PostgresTestSupport
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// What a client holds: built from a snapshot, and kept up to date by the feed.
private struct ClientState: Equatable {
    struct Place: Equatable {
        var name: String?
        var members: [UserID]
        var preferences: ConversationPreferences
        var admins: [UserID]
        var replyCounts: [MessageID: Int] = [:]
        var receipts: [UserID: Int64]
        var messages: [MessageID: Message]
    }

    var places: [ConversationID: Place] = [:]
    var notifications: [NotificationEntry] = []
    var settings = PersonalSettings()

    /// Reads everything that a person sees.
    static func snapshot(of user: UserID, in store: SQLStore, at moment: Timestamp) async throws -> (
        state: ClientState, cursor: ChangeCursor
    ) {
        let personal = try await store.personalState(of: user, at: moment)
        var state = ClientState()
        (state.notifications, state.settings) = (personal.notifications, personal.settings)
        for entry in personal.entries {
            let id = entry.conversation.id
            let roster = try await store.roster(of: id, asker: user, at: moment)
            let receipts = try await store.receipts(in: id, asker: user, at: moment)
            state.set(entry, roster.members.filter { $0.leftAt == nil }, receipts)
            try await state.load(id, of: user, in: store, at: moment)
        }
        return (state, personal.cursor)
    }

    /// Loads the messages of a conversation.
    mutating func load(_ id: ConversationID, of user: UserID, in store: SQLStore, at moment: Timestamp) async throws {
        let messages = try await store.page(of: id, asker: user, before: nil, limit: 10_000, at: moment)
        places[id]?.messages = Dictionary(uniqueKeysWithValues: messages.map { ($0.key.messageID, $0.shown(to: user)) })
        let replies = try await store.replySummaries(of: messages.map(\.key), for: user, at: moment)
        places[id]?.replyCounts = replies.reduce(into: [:]) { $0[$1.key.messageID] = $1.value.count }
    }

    mutating func set(_ entry: InboxEntry, _ members: [Member], _ receipts: [Receipt]) {
        places[entry.conversation.id] = Place(
            name: entry.conversation.name, members: members.map(\.userID), preferences: entry.preferences,
            admins: entry.admins, replyCounts: places[entry.conversation.id]?.replyCounts ?? [:],
            receipts: Dictionary(uniqueKeysWithValues: receipts.map { ($0.userID, $0.readSeq) }),
            messages: places[entry.conversation.id]?.messages ?? [:])
    }

    /// Applies a page; history of conversations that are new or limited comes by the usual way.
    mutating func apply(
        _ page: FeedPage, of user: UserID, in store: SQLStore, at moment: Timestamp
    ) async throws {
        var missing = Set(page.limited)
        for change in page.changes {
            switch change {
            case .conversation(let entry, let members, let receipts):
                if places[entry.conversation.id] == nil { missing.insert(entry.conversation.id) }
                set(entry, members, receipts)
            case .departure(let id): places[id] = nil
            case .message(let message, let place, _):
                places[message.key.conversationID]?.messages[message.key.messageID] = message
                places[message.key.conversationID]?.replyCounts[message.key.messageID] = place.replies?.count
            case .deletion(let key, _):
                places[key.conversationID]?.messages[key.messageID] = nil
                places[key.conversationID]?.replyCounts[key.messageID] = nil
            case .receipt(let receipt, let id): places[id]?.receipts[receipt.userID] = receipt.readSeq
            case .items, .threads, .outdated, .devices, .scheduled: break
            case .notification(let entry):
                #expect(entry.notification.userID == user)
                notifications.removeAll { $0.notification.number == entry.notification.number }
                let older = notifications.firstIndex { $0.notification.number < entry.notification.number }
                notifications.insert(entry, at: older ?? notifications.endIndex)
                notifications = Array(notifications.prefix(NotificationEntry.limit))
            case .notifications(let entries):
                #expect(entries.allSatisfy { $0.notification.userID == user })
                notifications = entries
            case .settings(let own): settings = own
            }
        }
        for id in missing where places[id] != nil {
            do {
                try await load(id, of: user, in: store, at: moment)
            } catch RepositoryError.noSuchConversation {
                // The departure is on its way.
            }
        }
    }
}

/// News of changes that come late to a hub.
private final class LateNews: Sendable {
    private struct State {
        var waiting: [(changes: [Change]?, end: ChangeCursor)] = []
        var isOpen = false
    }

    private let hub: FeedHub
    private let state = Mutex(State())

    init(of hub: FeedHub) { self.hub = hub }

    /// Takes news in; the first tells where the log ends, and is not held back.
    func add(_ changes: [Change]?, _ end: ChangeCursor) {
        state.withLock { state in
            if changes == nil || state.isOpen { hub.follow(changes, end) } else { state.waiting.append((changes, end)) }
        }
    }

    /// Passes on the oldest news.
    func announce(_ count: Int) {
        state.withLock { state in
            for news in state.waiting.prefix(count) { hub.follow(news.changes, news.end) }
            state.waiting = Array(state.waiting.dropFirst(count))
        }
    }

    /// Passes on all news, also later ones.
    func announceAll() {
        state.withLock { state in
            for news in state.waiting { hub.follow(news.changes, news.end) }
            state = State(isOpen: true)
        }
    }
}

/// Random people do random things, while clients follow, go away and come back.
@Suite(.hangGuard) struct FeedModelTests {
    private static let users: [UserID] = ["ada", "bob", "cy", "dan"]
    private static let conversations: [ConversationID] = ["c1", "c2", "c3", "d"]

    /// The number of operations between two recounts.
    private static let recountInterval = max(100, operationCount / 20)
    /// The number of operations between two erasures of a conversation.
    private static let erasureInterval = 290

    /// `NEXUS_FEED_OPERATIONS` sets the number of operations; by hand 1,000,000.
    private static let operationCount =
        ProcessInfo.processInfo.environment["NEXUS_FEED_OPERATIONS"].flatMap { Int($0) } ?? 1_500

    @Test(arguments: [UInt64(1), 2, 3]) func everyClientHoldsWhatAFreshSnapshotHolds(seed: UInt64) async throws {
        try await withStore { store in try await Self.play(seed, on: [store]) }
    }

    @Test(arguments: [UInt64(1), 2]) func theSameHoldsForThreeNodes(seed: UInt64) async throws {
        let server = try await PostgresServer.shared()
        try await server.withStore { first, address in
            try await server.withNode(at: address) { second in
                try await server.withNode(at: address) { third in
                    try await Self.play(seed, on: [first, second, third])
                }
            }
        }
    }

    /// A server: clients connect to its hub.
    private struct Node {
        let store: SQLStore
        let hub: FeedHub
        let news: LateNews
    }

    private static func play(_ seed: UInt64, on stores: [SQLStore]) async throws {
        let clock = Mutex(0)
        let now: @Sendable () -> Timestamp = { clock.withLock { .second($0) } }
        let nodes = stores.map { store in
            let hub = FeedHub(store: store, now: now)
            return Node(store: store, hub: hub, news: LateNews(of: hub))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes {
                let follower = ChangeFollower(store: node.store, subscribers: [])
                group.addTask { await follower.run(listeners: [{ node.news.add($0, $1) }]) { _ in } }
                group.addTask { await node.hub.run() }
            }
            try await play(seed, nodes, clock: clock, now: now)
            group.cancelAll()
        }
    }

    private func withStore(_ body: (SQLStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private final class Client {
        let user: UserID
        var state: ClientState
        var cursor: ChangeCursor
        /// With the node that it belongs to.
        var subscription: (feed: FeedSubscription, node: Node)?

        init(_ user: UserID, _ state: ClientState, _ cursor: ChangeCursor) {
            self.user = user
            self.state = state
            self.cursor = cursor
        }

        func leave() {
            subscription?.feed.close()
            subscription = nil
        }
    }

    private static func play(
        _ seed: UInt64, _ nodes: [Node], clock: borrowing Mutex<Int>, now: @Sendable () -> Timestamp
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let store = nodes[0].store
        for id in conversations {
            let members = users.filter { _ in Bool.random(using: &random) }
            let roster: ConversationRoster =
                switch id {
                case "c3": .of(id, members.isEmpty ? ["ada"] : members, visibility: .everyone)
                case "d": .of(id, ["ada", "bob"], kind: .direct, name: nil)
                default: .of(id, members.isEmpty ? ["ada"] : members)
                }
            _ = try await store.store([roster], source: "api", mode: .posting, at: now())
        }
        var clients: [Client] = []
        for user in users + ["ada", "bob"] {
            let (state, cursor) = try await ClientState.snapshot(of: user, in: store, at: now())
            clients.append(Client(user, state, cursor))
        }
        var known: [MessageKey] = []
        for number in 1...operationCount {
            clock.withLock { $0 += 1 }
            let node = nodes[Int.random(in: 0..<nodes.count, using: &random)]
            try await operate(number, &known, node.store, &random, at: now())
            if number.isMultiple(of: erasureInterval), let id = conversations.randomElement(using: &random) {
                // As at a restart, which every erasure on a stopped server is.
                for client in clients { client.leave() }
                try await renew(id, node.store, at: now())
            }
            if number.isMultiple(of: recountInterval) { try await recount(node.store, at: now(), seed: seed) }
            if Bool.random(using: &random) { node.news.announce(Int.random(in: 1...3, using: &random)) }
            let client = clients[Int.random(in: 0..<clients.count, using: &random)]
            switch Int.random(in: 0..<5, using: &random) {
            case 0: client.leave()
            case 4 where number.isMultiple(of: 4):
                // It is ahead of what was announced.
                client.leave()
                (client.state, client.cursor) = try await ClientState.snapshot(
                    of: client.user, in: node.store, at: now())
            case 1, 2: try await follow(client, node, until: nil, now)
            default: break
            }
        }
        for node in nodes { node.news.announceAll() }
        let end = try await store.latestChange()
        for (number, client) in clients.enumerated() {
            try await follow(client, nodes[number % nodes.count], until: end, now)
            client.leave()
            let fresh = try await ClientState.snapshot(of: client.user, in: store, at: now()).state
            #expect(
                fresh.notifications.allSatisfy { entry in
                    let place = fresh.places[entry.notification.message.conversationID]
                    return entry.notification.senderID != client.user
                        && place?.members.contains(client.user) == true
                        && place?.messages[entry.notification.message.messageID] != nil
                })
            #expect(client.state == fresh, "\(client.user), seed \(seed)")
        }
        for node in nodes { #expect(node.hub.connectionCount == 0) }
    }

    /// Reads what is there, or everything up to a position; a client that is not connected connects to a node.
    private static func follow(
        _ client: Client, _ node: Node, until end: ChangeCursor?, _ now: () -> Timestamp
    ) async throws {
        let (feed, node) = client.subscription ?? (node.hub.connect(client.user, after: client.cursor), node)
        client.subscription = (feed, node)
        while true {
            let page = try await feed.next(within: end == nil ? .zero : .milliseconds(20))
            client.cursor = feed.cursor
            if let page { try await client.state.apply(page, of: client.user, in: node.store, at: now()) }
            guard let end else { return }
            if feed.cursor.reaches(end), page == nil { return }
        }
    }

    /// Counts what is unread from the messages themselves, and compares it with what the store says.
    private static func recount(_ store: SQLStore, at moment: Timestamp, seed: UInt64) async throws {
        for user in users {
            for entry in try await store.inbox(of: user, matching: nil, at: moment).entries {
                let id = entry.conversation.id
                let messages = try await store.page(of: id, asker: user, before: nil, limit: 1_000_000, at: moment)
                let keys = messages.map(\.key)
                let places = try await store.positions(of: keys)
                let mentions = try await store.memberMentions(of: keys)
                let receipt = try await store.receipts(in: id, asker: user, at: moment).first { $0.userID == user }
                let unread = messages.filter { message in
                    guard let receipt, let seq = places[message.key]?.seq else { return false }
                    return seq > receipt.readSeq && message.senderID != user
                }
                let addressed = unread.filter { mentions[$0.key]?.contains { $0.userID == user } ?? false }
                let first = unread.min { (places[$0.key]?.seq ?? 0) < (places[$1.key]?.seq ?? 0) }
                #expect(
                    entry.unreadCount == min(unread.count, InboxEntry.countLimit), "\(user) in \(id), seed \(seed)")
                #expect(
                    entry.mentionCount == min(addressed.count, InboxEntry.countLimit),
                    "\(user) in \(id), seed \(seed)")
                #expect(entry.firstUnreadID == first?.key.messageID, "\(user) in \(id), seed \(seed)")
                #expect(entry.readSeq <= entry.head, "\(user) in \(id), seed \(seed)")
            }
        }
    }

    private static func operate(
        _ number: Int, _ known: inout [MessageKey], _ store: SQLStore, _ random: inout SeededGenerator,
        at moment: Timestamp
    ) async throws {
        let user = users[Int.random(in: 0..<users.count, using: &random)]
        let id = conversations[Int.random(in: 0..<conversations.count, using: &random)]
        let key = known.randomElement(using: &random) ?? .of(id, "none")
        do {
            switch Int.random(in: 0..<18, using: &random) {
            case 0...4:
                var message = Message.short(
                    id, MessageID(rawValue: "m\(number)"), by: user, text(number, &random))
                if key.conversationID == id, Bool.random(using: &random) { message.replyToID = key.messageID }
                if Int.random(in: 0..<50, using: &random) == 0 { message.localID = "l\(number)" }
                _ = try await store.accept([message], source: "api", mode: .posting, at: moment)
                known.append(message.key)
            case 15:
                // History has its own times and is never unread.
                let message = Message.short(
                    id, MessageID(rawValue: "h\(number)"), by: user, "@bob \(number)", at: -number)
                _ = try await store.accept([message], source: "slack", mode: .importing, at: moment)
                known.append(message.key)
            case 16:
                let role = Bool.random(using: &random) ? MemberRole.admin : .member
                try await store.setRole(role, of: user, in: id, at: moment)
            case 17:
                _ = try await store.markUnread(from: key.messageID, in: key.conversationID, by: user, at: moment)
            case 5:
                _ = try await store.edit(key, text: "edited " + text(number, &random), at: moment)
            case 6: try await store.delete(key, at: moment)
            case 7: _ = try await store.react("👍", isSet: Bool.random(using: &random), to: key, by: user, at: moment)
            case 8: _ = try await store.markRead([key.messageID], in: key.conversationID, by: user, at: moment)
            case 9:
                let member = Member(userID: user, displayName: "Name of \(user)", joinedAt: moment)
                try await store.setMember(member, in: id, source: "api", at: moment)
            case 10: try await store.removeMember(user, from: id, at: moment)
            case 11:
                let newest = try await store.notifications(of: user, limit: 9, at: moment)
                try await store.dismiss(newest.prefix(3).map(\.number), of: user, at: moment)
            case 12:
                var settings = PersonalSettings(hidesReadReceipts: Bool.random(using: &random))
                if Bool.random(using: &random) { settings.quietHours = .init(start: 0, end: number % 1_440) }
                try await store.setPersonalSettings(settings, of: user, at: moment)
            case 13: try await store.acknowledge(try await store.latestChange(), by: user, at: moment)
            default:
                if Bool.random(using: &random) {
                    try await store.rename(id, to: "name \(number)", at: moment)
                } else {
                    let isPinned = Bool.random(using: &random)
                    let preferences = ConversationPreferences(
                        isMuted: Int.random(in: 0..<4, using: &random) == 0, isPinned: isPinned,
                        notifications: NotificationLevel.allCases.randomElement(using: &random))
                    try await store.setPreferences(preferences, of: id, for: user, at: moment)
                }
            }
        } catch is RepositoryError {
            // What cannot be done is refused.
        }
    }
}

extension FeedModelTests {
    /// Erases a conversation and makes it again, with other members.
    private static func renew(_ id: ConversationID, _ store: SQLStore, at moment: Timestamp) async throws {
        _ = try await store.erase(.conversation(id), at: moment)
        while try await !store.finishErasing(.conversation(id), at: .second(1_000)) {
            _ = try await store.erase(.conversation(id), at: moment)
        }
        let roster = ConversationRoster.of(id, ["ada", "cy"], visibility: id == "c3" ? .everyone : .members)
        _ = try await store.create(roster, by: "ada", source: "api", at: moment)
    }

    /// A text that mentions somebody now and then.
    private static func text(_ number: Int, _ random: inout SeededGenerator) -> String {
        guard Int.random(in: 0..<3, using: &random) == 0, let user = users.randomElement(using: &random) else {
            return "text \(number)"
        }
        return "text \(number) for @Name of \(user)"
    }
}

/// A generator with a fixed course (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
