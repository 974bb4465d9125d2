import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Every route, as the server registers it, with every kind of caller.
struct RouteAccessTests {
    private static let secret = "heliotrope"

    /// A body that each operation takes; what is missing here takes none.
    static let bodies = [
        "ragQuery": #"{"data":{"question":"q"}}"#, "ragQueryOfProject": #"{"data":{"question":"q"}}"#,
        "ragSearch": #"{"data":{"query":"q"}}"#, "ragSearchOfProject": #"{"data":{"query":"q"}}"#,
        "ask": #"{"question":"q"}"#, "createResponse": #"{"model":"nexus","input":"q"}"#,
        "mcp": #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        "askAssistant": #"{"text":"q"}"#, "summarize": "{}",
        "search": #"{"query":"q"}"#, "readTimeline": #"{"subject":"q"}"#,
        "setVerdict":
            #"{"verdict":"holds","message":{"conversationId":"team","messageId":"m1"},"#
            + #""replacedBy":{"conversationId":"team","messageId":"m9"}}"#, "suggestReplies": "{}",
        "createThread": "{}",
        "createSchedule": #"{"digest":["due"],"days":["monday"],"time":"09:00","timeZone":"UTC"}"#,
        "previewSchedule": #"{"question":"q","days":["monday"],"time":"09:00","timeZone":"UTC"}"#,
        "changeSchedule": #"{"isPaused":true}"#,
        "scheduleMessage": #"{"text":"x","sendAt":"2025-12-24T09:00:00Z"}"#, "changeScheduled": #"{"text":"x"}"#,
        "sendScheduled": "{}", "saveMessage": "{}",
        "openDirect": #"{"with":"ben"}"#, "makeTicket": "{}", "acknowledgeFeed": #"{"cursor":"1-1"}"#,
        "sayToFeed": #"{"stream":"s1","type":"active"}"#,
        "markRead": #"{"upTo":"m1"}"#, "markUnread": #"{"from":"m1"}"#, "setPreferences": #"{"muted":true}"#,
        "changePreferences": #"{"muted":true}"#, "changeSettings": #"{"hideLastSeen":true}"#,
        "dismissNotifications": #"{"all":true}"#, "setSettings": #"{"hideLastSeen":true}"#,
        "setProfile": #"{"title":"x"}"#, "setPicture": "{}", "setGroupPicture": "{}",
        "renameConversation": #"{"name":"x"}"#, "setHistory": #"{"history":"joined"}"#,
        "setRole": #"{"role":"admin"}"#, "addReaction": "{}",
        "registerDevice": #"{"kind":"webhook","url":"https://gateway.example/notify","pushkey":"k","appId":"a"}"#,
        "testDevice": "{}",
        "renameThread": #"{"title":"x"}"#, "setFeedback": #"{"rating":"down","reason":"x"}"#,
        "createConversation": #"{"members":[{"userId":"eve"}]}"#, "changeConversation": #"{"embedding":"excluded"}"#,
        "setMember": "{}", "setUser": #"{"kind":"guest"}"#, "postMessages": #"{"id":"m9","senderId":"eve","text":"x"}"#,
        "editMessage": #"{"text":"x"}"#, "uploadFile": "{}",
        "embedNewMessage": call, "embedNewMessageOfProject": call, "takeFirestoreEvent": "{}",
        "createChatCompletion": #"{"model":"nexus","messages":[{"role":"user","content":"q"}]}"#,
        "signIn": #"{"userId":"ada","password":"x"}"#, "refreshSession": "{}",
        "acceptInvitation": #"{"password":"correct horse"}"#,
        "changePassword": #"{"current":"correct horse","new":"battery staple"}"#,
        "inviteAccount": #"{"userId":"zoe"}"#, "turnSignInOn": #"{"userId":"zoe","password":"correct horse"}"#,
        "changeAccount": #"{"isDisabled":true}"#, "resetAccount": "{}",
        "administer": #"{"status":{}}"#, "importHistory": "{}", "testModels": "{}",
        "createEmbeddings": #"{"model":"fake","input":"q"}"#, "extractActionItems": "{}", "extractDecisions": "{}",
        "extractDeadlines": "{}", "changeActionItem": #"{"status":"done"}"#, "changeDecision": #"{"decision":"x"}"#,
        "changeDeadline": #"{"status":"done"}"#, "judgePriorities": #"{"since":"2025-10-22T00:00:00Z"}"#,
    ]
    static let call = #"{"data":{"conversationId":"team","messageId":"m9","senderId":"eve","text":"x"}}"#
    /// The routes that report to a stranger that it is not in the conversation `team`.
    private static let namesTeam: Set<String> = ["embedNewMessage", "embedNewMessageOfProject", "setVerdict"]

    /// What one route answers to one caller.
    private struct Answer {
        let route: Route
        let reply: Reply
        var name: String { "\(route.method.rawValue) \(route.path): \(reply.status) \(reply.text)" }
        /// The error's code, in any shape.
        var code: String? {
            guard let object = try? JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any] else {
                return nil
            }
            let error = object["error"] as? [String: Any]
            return (error?["details"] as? [String: Any] ?? error ?? object)["code"] as? String
        }
    }

    private func answers(
        as headers: @Sendable (RunningServer, TokenForge) async throws -> [(name: String, value: String)]
    ) async throws -> (answers: [Answer], store: InMemoryStore) {
        let forge = try TokenForge()
        var parts = ServerParts(try forge.settings())
        let team = #"{"id":"team","members":[{"userId":"ada"}]}"#
        parts.answering = StubAnswering(Sample.events)
        let routes = try HTTPAPIServer(
            settings: parts.settings, services: parts.services(store: parts.store) { _ in }
        ).routes
        let found = try await withServer(parts) { server in
            let ingest = try await server.key(.ingest)
            _ = try await server.send("POST", "/v1/conversations", team, headers: ingest)
            let message = #"{"id":"m1","senderId":"ada","text":"\#(Self.secret)"}"#
            _ = try await server.send("POST", "/v1/conversations/team/messages", message, headers: ingest)
            try await server.store.furnishThread()
            let headers = try await headers(server, forge)
            var answers: [Answer] = []
            for route in routes {
                let reply = try await server.send(
                    route.method.rawValue, Self.path(of: route), Self.bodies[route.operationID], headers: headers)
                answers.append(Answer(route: route, reply: reply))
            }
            return answers
        }
        return (found, parts.store)
    }

    private static func path(of route: Route) -> String {
        let values = [
            ":conversation": "team", ":message": "m1", ":user": "ada", ":project": "p", ":region": "r",
            ":model": "nexus", ":item": "i1", ":thread": "h1", ":turn": "t1", ":response": "resp_t1",
            ":emoji": "x",
            ":device": "d1", ":session": "s1", ":code": "c1", ":schedule": "s1", ":scheduled": "s1",
            ":source": "slack",
        ]
        // A feed ends at once for a cursor of another log.
        let query = route.operationID == "followFeed" ? "?cursor=1-1" : ""
        return "/"
            + route.path.split(separator: "/").map { values[String($0)] ?? String($0) }.joined(separator: "/") + query
    }

    private func isOpen(_ route: Route) -> Bool { route.access == .everyone || route.access == .source }

    @Test func theTableNamesEachRouteOnceAndSaysWhatItDoes() async throws {
        let answers = try await answers { _, _ in [] }.answers

        #expect(answers.count >= 35)
        #expect(Set(answers.map(\.route.operationID)).count == answers.count)
        #expect(Set(answers.map { "\($0.route.method) \($0.route.path)" }).count == answers.count)
        for answer in answers {
            #expect(answer.route.summary.hasSuffix("."), "\(answer.name)")
            #expect(answer.code != "not_found" || answer.route.access == .source, "\(answer.name)")
        }
        #expect(
            answers.filter { isOpen($0.route) }.map(\.route.operationID).sorted() == [
                "acceptInvitation", "askForAuthorization", "describeAuthorization", "describeMCP", "describeOpenID",
                "describeResource", "finishOpenID", "getInvitation", "getSignInMethods", "health", "livez",
                "makeToken", "openapi", "ready", "readyz", "refreshSession", "registerProgram", "revokeToken", "signIn",
                "signOut", "startOpenID", "takeFirestoreEvent",
            ])
        #expect(
            answers.filter { $0.route.access == .admin }.map(\.route.operationID) == [
                "status", "metrics", "listAccounts", "inviteAccount", "turnSignInOn", "changeAccount", "resetAccount",
                "administer", "importHistory", "testModels", "listAuditLog", "listFileUses", "getUser",
            ])
    }

    @Test func withoutATokenEveryRouteIsClosed() async throws {
        for answer in try await answers(as: { _, _ in [] }).answers where !isOpen(answer.route) {
            #expect(answer.reply.status == 401, "\(answer.name)")
            #expect(answer.code == "token_required", "\(answer.name)")
            #expect(answer.reply.headers["WWW-Authenticate"] == #"Bearer realm="nexus""#, "\(answer.name)")
            if answer.route.errors == .callable {
                #expect(answer.reply.text.hasSuffix(#""status":"UNAUTHENTICATED"}}"#), "\(answer.name)")
            }
        }
    }

    @Test func anExpiredTokenAndAForeignOneOpenNothing() async throws {
        let second = Int(Sample.now.milliseconds / 1_000)
        for (changes, code) in [
            (["exp": second - 60], "token_expired"), (["aud": "other"], "token_invalid"),
        ] as [([String: Any], String)] {
            nonisolated(unsafe) let changes = changes
            let answers = try await answers { _, forge in
                TokenForge.bearer(try await forge.token(TokenForge.claims("ada", changing: changes)))
            }.answers
            for answer in answers {
                guard !isOpen(answer.route) else {
                    // These ask for another credential.
                    let isRefused = ["sign_in_failed", "session_ended"].contains(answer.code)
                    #expect(answer.reply.status != 401 || isRefused, "\(answer.name)")
                    continue
                }
                #expect(answer.reply.status == 401, "\(answer.name)")
                #expect(answer.code == code, "\(answer.name)")
            }
        }
    }

    @Test func anotherUsersTokenOpensNothingOfThis() async throws {
        let (answers, store) = try await answers { _, forge in try await forge.bearer("eve") }

        for answer in answers {
            #expect(!answer.reply.text.contains(Self.secret), "\(answer.name)")
            #expect(answer.reply.status < 500, "\(answer.name)")
            switch answer.route.access {
            case .everyone, .source: break
            case .ingest, .admin: #expect(answer.code == "role_required", "\(answer.name)")
            case .person, .user, .tools, .userOrAdmin, .writer:
                // There is no such stream for any caller.
                let namesOwn = [
                    ":thread", ":turn", ":response", ":file", ":picture", ":device", ":session", ":schedule",
                    "account/password", "links/",
                    "authorize",
                ].contains {
                    answer.route.path.contains($0)
                }
                if namesOwn || answer.route.operationID == "sayToFeed" {
                    #expect(answer.reply.status == 404, "\(answer.name)")
                    continue
                }
                // The body is no picture.
                if answer.route.operationID == "setPicture" {
                    #expect(answer.reply.status == 415, "\(answer.name)")
                    continue
                }
                // It takes something from the person's list, also after they left.
                if answer.route.operationID == "endSaving" {
                    #expect(answer.reply.status == 204, "\(answer.name)")
                    continue
                }
                guard answer.route.path.contains(":conversation") || Self.namesTeam.contains(answer.route.operationID)
                else {
                    #expect((200...204).contains(answer.reply.status), "\(answer.name)")
                    continue
                }
                #expect(answer.reply.status == 403, "\(answer.name)")
                #expect(answer.code == "conversation_forbidden", "\(answer.name)")
            }
        }
        #expect(try await store.teamMessages().map(\.text) == [Self.secret])
        #expect(try await store.roster(of: "team").members.map(\.userID) == ["ada"])
        #expect(try await store.thread("h1", of: "ada").title == "the \(Self.secret) thread")
        #expect(try await store.turns(of: "ada", limit: 9).map(\.feedback) == [nil])
    }

    @Test func nobodyAsksInAnothersName() async throws {
        let answers = try await answers { _, forge in
            try await forge.bearer("eve") + [(name: "X-Nexus-User", value: "ada")]
        }.answers

        for answer in answers where [.person, .user, .tools, .userOrAdmin, .writer].contains(answer.route.access) {
            #expect(answer.reply.status == 403, "\(answer.name)")
            #expect(answer.code == "foreign_user", "\(answer.name)")
        }
    }

    @Test(arguments: APIKey.Role.allCases) func aKeyOpensWhatItsRoleIsFor(role: APIKey.Role) async throws {
        let answers = try await answers { server, _ in
            try await server.key(role) + [(name: "X-Nexus-User", value: "ada")]
        }.answers

        for answer in answers where !isOpen(answer.route) {
            let isFor: Bool
            switch answer.route.access {
            case .person: isFor = false
            case .user, .tools: isFor = role == .readAsUser
            case .userOrAdmin: isFor = role == .readAsUser || role == .admin
            case .writer, .ingest: isFor = role == .ingest
            default: isFor = role == .admin
            }
            if isFor {
                // There is no language model here, which a summary cannot do without.
                let lacksModel = answer.route.operationID == "summarize" && answer.code == "model_not_configured"
                // It is on where there are keys.
                let isOn = answer.route.operationID == "turnSignInOn" && answer.code == "sign_in_on"
                #expect(
                    (200...204).contains(answer.reply.status) || answer.reply.status == 404 || lacksModel || isOn,
                    "\(answer.name)")
            } else {
                #expect(answer.reply.status == 403, "\(answer.name)")
                #expect(answer.code == "role_required", "\(answer.name)")
                #expect(!answer.reply.text.contains(Self.secret), "\(answer.name)")
            }
        }
    }

    /// It asks and reads; what others see and what lasts is for the person alone.
    @Test func aKeyThatReadsActsForNobody() async throws {
        let answers = try await answers { server, _ in
            try await server.key(.readAsUser) + [(name: "X-Nexus-User", value: "ada")]
        }.answers

        let opened = answers.filter { $0.route.method != .get && !isOpen($0.route) && $0.reply.status != 403 }
        #expect(
            Set(opened.map(\.route.operationID)) == [
                "ask", "search", "readTimeline", "ragQuery", "ragSearch", "ragQueryOfProject", "ragSearchOfProject",
                "mcp",
                "createChatCompletion", "createResponse", "createEmbeddings", "makeTicket", "createThread",
                "renameThread", "deleteResponse", "deleteThread", "deleteTurn", "setFeedback", "removeFeedback",
                "askAssistant", "clearExchange",
                "summarize", "suggestReplies", "judgePriorities", "extractActionItems", "extractDeadlines",
                "extractDecisions",
            ])
    }

    /// It gets the outcome of its writes, and nothing that others wrote, with any user that it names.
    @Test(arguments: [nil, "ada", "eve"]) func aKeyThatWritesReadsNothing(named: String?) async throws {
        let (answers, store) = try await answers { server, _ in
            try await server.store.furnishTeam()
            return try await server.key(.ingest) + (named.map { [(name: "X-Nexus-User", value: $0)] } ?? [])
        }

        for answer in answers {
            for word in [Self.secret, "Marigold", "foxglove"] {
                #expect(!answer.reply.text.contains(word), "\(answer.name)")
            }
            if answer.route.method == .get, !isOpen(answer.route) {
                #expect(answer.code == "role_required", "\(answer.name)")
            }
        }
        // It did write.
        #expect(try await store.stored([.of("team", "m9")]).count == 1)
    }

    @Test(arguments: APIKey.Role.allCases) func everyRouteToReadIsForReaders(role: APIKey.Role) async throws {
        let answers = try await answers { server, _ in
            try await server.key(role) + [(name: "X-Nexus-User", value: "ada")]
        }.answers

        for answer in answers where answer.route.method == .get && !isOpen(answer.route) {
            let reads: Set<RouteAccess> =
                switch role {
                case .ingest: []
                case .readAsUser: [.user, .userOrAdmin]
                case .admin: [.admin, .userOrAdmin]
                }
            let isOpened = answer.reply.status != 403
            #expect(isOpened == reads.contains(answer.route.access), "\(answer.name)")
            #expect([.user, .userOrAdmin, .admin, .person].contains(answer.route.access), "\(answer.name)")
        }
    }

    @Test func aReadingKeyNamesItsUser() async throws {
        let answers = try await answers { server, _ in try await server.key(.readAsUser) }.answers

        for answer in answers where answer.route.access == .user {
            #expect(answer.reply.status == 400, "\(answer.name)")
            #expect(answer.code == "user_required", "\(answer.name)")
        }
    }
}

extension InMemoryStore {
    /// Gives the conversation `team` a member with a name, and items.
    fileprivate func furnishTeam() async throws {
        try await setMember(
            Member(userID: "ada", displayName: "Marigold", aliases: ["Marigold"], joinedAt: Sample.now), in: "team",
            source: "api", at: Sample.now)
        try await furnishItem(.actionItem)
    }

    private func furnishItem(_ kind: ExtractedItem.Kind) async throws {
        let end = Sample.now + .seconds(60)
        let lease = try await beginExtraction(
            of: kind, in: "team", asker: "ada", leaseID: "\(kind)", until: end, at: Sample.now)
        let batch = try await nextMessages(for: lease, limit: 9, contextLimit: 0)
        var changes = ItemChanges()
        changes.added = [
            ExtractedItem(
                id: "i1", kind: kind, key: .of("team", "m1"), sentAt: Sample.now, text: "foxglove", quote: "",
                extractedAt: Sample.now)
        ]
        try await commit(changes, of: lease, through: batch.end, until: end, at: Sample.now)
        try await endExtraction(lease)
    }

    /// Makes a thread of Ada with one turn.
    fileprivate func furnishThread() async throws {
        try await create(
            AssistantThread(id: "h1", ownerID: "ada", givenTitle: "the heliotrope thread", createdAt: Sample.now))
        try await record(
            Turn(
                id: "t1", askerID: "ada", question: "where is the heliotrope?", answer: "here", sourceKeys: [],
                askedAt: Sample.now, threadID: "h1"),
            trace: TurnTrace(limit: 5, searchedQuestion: "which heliotrope?", noAnswerReason: "none"))
    }
}
