import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import MessageStore
import PostgresStore
import PostgresTestSupport
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// What each route costs on PostgreSQL, where every round trip may take 10 ms.
@Suite(.hangGuard) struct RoundTripTests {
    /// The most round trips of a request, its authentication included.
    private static let limit = 6
    /// The cost of one request.
    private struct Cost: CustomStringConvertible {
        let name: String
        let status: Int
        let count: StoreTraffic.Count
        let time: Duration

        var description: String {
            let milliseconds = time.components.attoseconds / 1_000_000_000_000_000 + time.components.seconds * 1_000
            return "\(name): \(status), \(count.roundTrips) round trips, \(count.statements) statements, "
                + "\(milliseconds) ms"
        }
    }

    @Test func aRequestOfAnyRouteCostsFewRoundTrips() async throws {
        var dear: [String: Cost] = [:]
        // What the node does in the background is counted, too. On a busy machine it always hits the first request that
        // writes, so each run has another one.
        for run in 0..<3 {
            var costs: [Cost] = []
            try await PostgresServer.shared().withStore { store, _ in
                costs = try await self.costs(on: store, writesReversed: run % 2 == 0)
            }
            #expect(costs.count > 100)
            for cost in costs { #expect(cost.status < 500, "\(cost)") }
            // Most routes do what they are for.
            #expect(costs.count { (200..<300).contains($0.status) } > 100)
            let above = costs.filter { $0.count.roundTrips > Self.limit }
            let found = Dictionary(above.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
            dear = run == 0 ? found : dear.filter { found[$0.key] != nil }
            if dear.isEmpty { break }
        }
        #expect(dear.isEmpty, "\(dear.values.map(\.description).sorted().joined(separator: "\n"))")
    }

    /// Prints the time of each route with a delay of so many milliseconds on the way to the database and back.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["NEXUS_ROUND_TRIP_MS"] != nil))
    func measureWithADelay() async throws {
        let text = ProcessInfo.processInfo.environment["NEXUS_ROUND_TRIP_MS"] ?? ""
        let delay = Duration.milliseconds(Int(text) ?? 10)
        let server = try await PostgresServer.shared()
        try await server.withDatabase { address in
            try await server.withRelay(to: address, delay: delay) { _, behind in
                try await PostgresStore.withNode(at: behind) { store in
                    for cost in try await costs(on: store) { print(cost) }
                }
            }
        }
    }

    private func costs(on store: SQLStore, writesReversed: Bool = false) async throws -> [Cost] {
        let traffic = try #require(store.traffic)
        let forge = try TokenForge()
        try await store.fillForRoundTrips()
        var costs: [Cost] = []
        try await withStoredServer(on: store, authentication: try forge.settings()) { stored in
            try await stored.embed()
            let person = try await forge.bearer("ada")
            let ingest = try await stored.server.key(.ingest)
            let admin = try await stored.server.key(.admin)
            // The first use in an hour is noted, and the first search follows the log.
            _ = try await stored.server.send("GET", "/v1/status", headers: admin)
            _ = try await stored.server.send("POST", "/v1/users/zoe", headers: ingest)
            _ = try await stored.server.send("POST", "/v1/search", #"{"query":"berth"}"#, headers: person)
            for request in Self.requests(for: stored.routes, writesReversed: writesReversed) {
                let headers =
                    switch request.route.access {
                    case .admin: admin
                    case .ingest: ingest
                    default: person
                    }
                let (start, begin) = (traffic.count, ContinuousClock.now)
                let reply = try await Reply(
                    stored.server.transport.send(
                        stored.server.request(
                            request.route.method.rawValue, request.path, request.body.map { Data($0.utf8) },
                            headers: headers)))
                costs.append(
                    Cost(
                        name: "\(request.route.operationID) \(request.route.method.rawValue) \(request.path)",
                        status: reply.status, count: traffic.count - start, time: .now - begin))
            }
        }
        return costs
    }

    private struct Request {
        let route: Route
        let path: String
        let body: String?
    }

    /// Requests of all routes: first those that read, at last those that delete.
    private static func requests(for routes: [Route], writesReversed: Bool) -> [Request] {
        func order(_ route: Route) -> Int {
            if late.contains(route.operationID) { return 3 }
            switch route.method {
            case .get: return 0
            case .delete: return 2
            default: return 1
            }
        }
        let asked = routes.filter { !lasting.contains($0.operationID) }
        let ordered = asked.sorted { left, right in
            let (first, second) = writesReversed && order(left) == 1 ? (right, left) : (left, right)
            return order(left) == order(right)
                ? first.operationID < second.operationID : order(left) < order(right)
        }
        return ordered.flatMap { route in
            let path = path(of: route)
            let body = bodies[route.operationID] ?? RouteAccessTests.bodies[route.operationID]
            return [Request(route: route, path: path, body: body)]
                + (variants[route.operationID] ?? []).map { Request(route: route, path: path + $0, body: body) }
        }
    }

    /// Connections that last: each frame of them is a separate request.
    private static let lasting: Set<String> = ["followFeed", "openSocket"]

    /// Routes that end something that others need.
    private static let late: Set<String> = [
        "deleteMessage", "deleteThread", "removeMember", "setUser", "changeAccount", "resetAccount", "signOut",
        "endSession", "changePassword",
    ]

    private static let bodies = [
        "markRead": #"{"upTo":"m40"}"#, "markUnread": #"{"from":"m30"}"#,
        "postMessages": #"{"id":"m99","senderId":"ada","text":"@Ben the berth is free","replyToId":"m4"}"#,
        "embedNewMessage": call("m98"), "embedNewMessageOfProject": call("m97"),
        "editMessage": #"{"text":"@Ben the berth is taken"}"#,
        "ask": #"{"question":"Which berth is free?"}"#, "search": #"{"query":"which berth"}"#,
        "readTimeline": #"{"subject":"which berth"}"#,
        "createConversation": #"{"id":"fresh","members":[{"userId":"ada"},{"userId":"ben"},{"userId":"cem"}]}"#,
        "setMember": #"{"displayName":"Ben"}"#, "setHistory": #"{"history":"all"}"#,
        "dismissNotifications": #"{"all":true}"#, "signIn": #"{"userId":"ada","password":"wrong wrong"}"#,
    ]

    private static func call(_ id: String) -> String {
        #"{"data":{"conversationId":"team","messageId":"\#(id)","senderId":"ada","text":"x"}}"#
    }

    /// Other requests of a route, by what follows its path.
    private static let variants = [
        "listMessages": [
            "?before=m30", "?after=m10", "?around=m20", "?around=unread", "?at=2025-06-15T15:07:00Z", "?at=1",
            "?at=2027-01-01T00:00:00Z",
        ],
        "listConversations": ["?view=inbox", "?view=inbox&q=ben"],
        "listReplies": ["?after=m5"], "listThreads": ["?limit=20"], "listTurns": ["?thread=h1"],
    ]

    private static func path(of route: Route) -> String {
        let values = [
            ":conversation": "team", ":message": "m4", ":user": "ben", ":project": "p", ":region": "r",
            ":model": "nexus", ":item": "i1", ":thread": "h1", ":turn": "t1", ":emoji": "x", ":file": "f1",
            ":device": "d1", ":session": "s1", ":schedule": "s1", ":scheduled": "s1", ":code": "c1",
        ]
        return "/" + route.path.split(separator: "/").map { values[String($0)] ?? String($0) }.joined(separator: "/")
    }
}

extension SQLStore {
    /// Fills an empty store as a team does in its first weeks.
    fileprivate func fillForRoundTrips() async throws {
        let team: [UserID] = ["ada", "ben", "cem", "dot", "eve"]
        var limited = ConversationRoster.of("limited", team)
        limited.conversation.history = .joined
        let groups = (0..<20).map { ConversationRoster.of(ConversationID(rawValue: "group-\($0)"), team) }
        let direct = ["ben", "cem"].map { (user: UserID) in
            ConversationRoster.of(
                ConversationID(rawValue: "direct-\(user)"), ["ada", user], kind: .direct, name: nil)
        }
        for roster in [.of("team", team), limited] + groups + direct {
            _ = try await create(roster, by: "ada", source: "api", at: .second(0))
        }
        try await fillMessages(of: team, in: ["team", "limited"], count: 50)
        try await fillMessages(
            of: team, in: groups.map(\.conversation.id) + direct.map(\.conversation.id), count: 3)
        try await fillAnswers(in: "team")
        try await fillPersonal()
        try await fillItems()
        // A list with a text makes the names of members, but only as many as its time allows.
        let numbers = try await inspect("SELECT number FROM conversations").compactMap { Int64($0) }
        try await makeNames(of: numbers, within: .seconds(60))
    }

    private func fillMessages(of team: [UserID], in conversations: [ConversationID], count: Int) async throws {
        for conversation in conversations {
            let messages = try await (1...count).asyncMap { number -> Message in
                let isDirect = conversation.rawValue.hasPrefix("direct")
                let other = team[conversation == "direct-ben" ? 1 : 2]
                let sender = isDirect ? (number % 2 == 0 ? "ada" : other) : team[number % team.count]
                var message = Message.short(
                    conversation, MessageID(rawValue: "m\(number)"), by: sender,
                    number % 7 == 0 ? "@Name of ada which berth is free?" : "berth \(number) is free", at: number)
                if number % 3 == 0, number > 5 { message.replyToID = MessageID(rawValue: "m\(number % 5 + 1)") }
                if number % 2 == 0 { message.reactions = [.init(emoji: "👍", userIDs: ["ben", "eve"])] }
                if number % 10 == 4 {
                    let isFirst = conversation == "team" && number == 4
                    let id = FileID(rawValue: isFirst ? "f1" : "\(conversation)-\(number)")
                    message.attachments = [.init(file: try await storeNote(id, of: sender))]
                }
                return message
            }
            let posted = try await post(messages, source: "api", at: .second(60))
            try #require(posted.allSatisfy { $0.outcome == .inserted })
        }
    }

    private func storeNote(_ id: FileID, of owner: UserID) async throws -> FileID {
        let bytes = AsyncStream<[UInt8]> { stream in
            stream.yield(Array("a note about berths".utf8))
            stream.finish()
        }
        let draft = FileDraft(id: id, ownerID: owner, name: "note.txt", moment: .second(1))
        return try await storeFile(draft, content: bytes, limits: FileLimits()).id
    }

    /// Answers of the assistant that are based on messages of another conversation.
    private func fillAnswers(in conversation: ConversationID) async throws {
        let answers = (1...6).map { number -> Message in
            var message = Message.short(
                conversation, MessageID(rawValue: "a\(number)"), by: "assistant", "the second one", at: 20 + 5 * number)
            message.kind = .assistant
            message.replyToID = MessageID(rawValue: "m\(number)")
            return message
        }
        let posted = try await post(answers, source: "api", at: .second(61))
        try #require(posted.allSatisfy { $0.outcome == .inserted })
        _ = try await inspect(
            """
            INSERT INTO mention_sources (source, answer) SELECT s.number, a.number FROM messages s, messages a
            WHERE a.kind = 'assistant' AND s.id IN ('m1', 'm2', 'm3') AND s.conversation <> a.conversation
            RETURNING 1
            """)
    }

    private func fillPersonal() async throws {
        let moment = Timestamp.second(70)
        _ = try await markRead(["m20"], in: "team", by: "ada", at: moment)
        for user in ["ben", "cem"] as [UserID] {
            _ = try await markRead(["m30"], in: "team", by: user, at: moment)
            try await acknowledge(try await latestChange(), by: user, at: moment)
        }
        for place in 1...3 {
            try await create(
                AssistantThread(
                    id: ThreadID(rawValue: "h\(place)"), ownerID: "ada", conversationID: nil, createdAt: moment))
        }
        for number in 1...12 {
            let keys = (1...4).map { MessageKey.of("team", MessageID(rawValue: "m\($0 + number)")) }
            try await record(
                Turn(
                    id: TurnID(rawValue: "t\(number)"), askerID: "ada", question: "Which berth?",
                    answer: "The second [1]",
                    sourceKeys: keys, askedAt: moment, threadID: "h1",
                    historyIDs: number > 1 ? [TurnID(rawValue: "t\(number - 1)")] : []),
                trace: TurnTrace(limit: 5, searchedQuestion: "which berth?", noAnswerReason: "none"))
        }
    }

    private func fillItems() async throws {
        let end = Timestamp.second(170)
        for kind in ExtractedItem.Kind.allCases {
            let lease = try await beginExtraction(
                of: kind, in: "team", asker: "ada", leaseID: "\(kind)", until: end, at: .second(80))
            let batch = try await nextMessages(for: lease, limit: 9, contextLimit: 0)
            var changes = ItemChanges()
            changes.added = (1...8).map { number in
                ExtractedItem(
                    id: ItemID(rawValue: kind == .actionItem && number == 1 ? "i1" : "\(kind)-\(number)"), kind: kind,
                    key: .of("team", MessageID(rawValue: "m\(number)")), sentAt: .second(number),
                    text: "free the berth", personName: "Name of ada", personID: "ada", quote: "berth",
                    extractedAt: .second(81))
            }
            try await commit(changes, of: lease, through: batch.end, until: end, at: .second(82))
            try await endExtraction(lease)
        }
    }
}

extension ClosedRange<Int> {
    fileprivate func asyncMap<Value>(_ transform: (Int) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
