import ChatCore
import Foundation
import HTTPAPI
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// What persons and servers may do with what is theirs and what is not.
struct CallerTests {
    private static let messages = "/v1/conversations/team/messages"
    private static let forbidden =
        #"{"code":"conversation_forbidden","detail":"there is no such conversation that this user may see","#
        + #""status":403,"title":"Forbidden","type":"about:blank"}"#

    /// The headers of those who take part.
    private struct Cast {
        let ada: [(name: String, value: String)]
        let ben: [(name: String, value: String)]
        let eve: [(name: String, value: String)]
        let ingest: [(name: String, value: String)]
    }

    /// Runs a server with the conversation `team` of Ada and Ben, where Ada wrote `m1`.
    private func withTeam<Value: Sendable>(
        _ change: (inout ServerParts) -> Void = { _ in }, body: (RunningServer, Cast) async throws -> Value
    ) async throws -> Value {
        let forge = try TokenForge()
        var parts = ServerParts(try forge.settings([.ec]))
        change(&parts)
        return try await withServer(parts) { server in
            let cast = Cast(
                ada: try await forge.bearer("ada"), ben: try await forge.bearer("ben"),
                eve: try await forge.bearer("eve"), ingest: try await server.key(.ingest))
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team, headers: cast.ingest)
            let first = #"{"id":"m1","senderId":"ada","text":"secret"}"#
            _ = try await server.send("POST", Self.messages, first, headers: cast.ingest)
            return try await body(server, cast)
        }
    }

    @Test func aPersonAsksAsHimselfOrNotAtAll() async throws {
        let searching = StubSearching()
        let (own, none, foreign, call) = try await withTeam {
            $0.searching = searching
        } body: { server, cast in
            (
                try await server.send("POST", "/v1/search", #"{"query":"q","userId":"ben"}"#, headers: cast.ben),
                try await server.send("POST", "/v1/search", #"{"query":"q"}"#, headers: cast.eve),
                try await server.send("POST", "/v1/search", #"{"query":"q","userId":"ada"}"#, headers: cast.eve),
                try await server.send(
                    "POST", "/ragSearch", #"{"data":{"query":"q","userId":"ada"}}"#, headers: cast.eve)
            )
        }

        #expect(statuses(own, none, foreign, call) == [200, 200, 403, 403])
        #expect(searching.requests.map(\.scope.asker) == ["ben", "eve"])
        #expect(foreign.field("code") == "foreign_user")
        #expect(call.text.hasSuffix(#""status":"PERMISSION_DENIED"}}"#))
    }

    @Test func aPersonSendsOnlyAsHimself() async throws {
        let (own, foreign, batch, stored) = try await withTeam { server, cast in
            (
                try await server.send(
                    "POST", Self.messages, #"{"id":"m2","text":"a","senderName":"The Boss"}"#, headers: cast.ada),
                try await server.send(
                    "POST", Self.messages, #"{"id":"m3","senderId":"ada","text":"b"}"#, headers: cast.ben),
                try await server.send(
                    "POST", Self.messages,
                    #"{"messages":[{"id":"m4","senderId":"ada","text":"c"},{"id":"m5","text":"d"},{"id":"m6"}]}"#,
                    headers: cast.ben),
                try await server.store.teamMessages()
            )
        }

        #expect(statuses(own, foreign, batch) == [201, 403, 200])
        #expect(foreign.field("code") == "sender_forbidden")
        #expect(
            batch.text == #"{"outcomes":[{"status":"sender_forbidden"},{"messageId":"m5","status":"inserted"},"#
                + #"{"field":"messages[2].text","reason":"is missing","status":"invalid"}]}"#)
        #expect(
            stored.map { "\($0.key.messageID) \($0.senderID) \($0.senderName)" } == [
                "m1 ada Ada", "m2 ada Ada", "m5 ben ben",
            ])
    }

    @Test func aKeySendsForAnybodyAnywhere() async throws {
        let (gone, unsaid, named, again, nowhere, stored) = try await withTeam { server, cast in
            (
                try await server.send(
                    "POST", Self.messages, #"{"id":"m2","senderId":"zoe","senderName":"Zoe","text":"a"}"#,
                    headers: cast.ingest),
                try await server.send("POST", Self.messages, #"{"id":"m3","text":"b"}"#, headers: cast.ingest),
                try await server.send(
                    "POST", Self.messages, #"{"id":"m4","userId":"ben","text":"c"}"#, headers: cast.ingest),
                try await server.send(
                    "POST", Self.messages, #"{"id":"m2","senderId":"zoe","text":"a"}"#, headers: cast.ingest),
                try await server.send(
                    "POST", "/v1/conversations/x/messages", #"{"senderId":"zoe","text":"a"}"#, headers: cast.ingest),
                try await server.store.teamMessages()
            )
        }

        #expect(statuses(gone, unsaid, named, again, nowhere) == [201, 400, 201, 200, 403])
        #expect(unsaid.field("field") == "senderId")
        #expect(nowhere.text == Self.forbidden)
        #expect(stored.map { "\($0.key.messageID) \($0.senderName)" } == ["m1 Ada", "m2 Zoe", "m4 ben"])
    }

    @Test func onlyItsAuthorOrAKeyChangesAMessage() async throws {
        let path = Self.messages + "/m1"
        let (others, stored) = try await withTeam { server, cast in
            (
                [
                    try await server.send("PATCH", path, #"{"text":"x"}"#, headers: cast.ben),
                    try await server.send("DELETE", path, headers: cast.ben),
                ], try await server.store.teamMessages()
            )
        }
        #expect(others.map(\.status) == [403, 403])
        #expect(others.map { $0.field("code") } == ["not_own", "not_own"])
        #expect(others.allSatisfy { !$0.text.contains("secret") })
        #expect(stored.map(\.text) == ["secret"])

        let statuses = try await withTeam { server, cast in
            var statuses: [Int] = []
            for (method, path, headers) in [
                ("PATCH", path, cast.ada), ("PATCH", path, cast.ingest), ("DELETE", path, cast.ada),
                ("DELETE", path, cast.ada), ("DELETE", path, cast.ben), ("DELETE", path, cast.ingest),
                ("PATCH", path, cast.ada), ("DELETE", Self.messages + "/none", cast.ada),
                ("DELETE", "/v1/conversations/x/messages/m1", cast.ingest),
            ] {
                let body = method == "PATCH" ? #"{"text":"x"}"# : nil
                statuses.append(try await server.send(method, path, body, headers: headers).status)
            }
            return statuses
        }
        #expect(statuses == [200, 200, 204, 204, 403, 204, 404, 404, 403])
    }

    @Test func foreignAndUnknownConversationsAreToldAlike() async throws {
        try await withTeam { server, cast in
            for (method, path, body) in [
                ("GET", "/v1/conversations/ID", nil), ("GET", "/v1/conversations/ID/messages", nil),
                ("GET", "/v1/conversations/ID/messages/m1", nil), ("DELETE", "/v1/conversations/ID/messages/m1", nil),
                ("PATCH", "/v1/conversations/ID/messages/m1", #"{"text":"x"}"#),
                ("POST", "/v1/conversations/ID/messages", #"{"id":"m1","text":"x"}"#),
                ("PUT", "/v1/conversations/ID/members/eve", "{}"),
                ("DELETE", "/v1/conversations/ID/members/eve", nil),
            ] as [(String, String, String?)] {
                for id in ["team", "nowhere"] {
                    let reply = try await server.send(
                        method, path.replacing("ID", with: id), body, headers: cast.eve)
                    #expect(reply.status == 403, "\(method) \(path) \(id)")
                    #expect(reply.text == Self.forbidden, "\(method) \(path) \(id)")
                }
            }
        }
    }

    @Test func aPersonJoinsAndLeavesOnlyForHimself() async throws {
        let members = "/v1/conversations/team/members"
        try await withTeam { server, cast async throws in
            #expect(try await server.send("DELETE", members + "/ada", headers: cast.ben).field("code") == "not_own")
            let adding = try await server.send("PUT", members + "/eve", "{}", headers: cast.ben)
            #expect(adding.field("code") == "adding_forbidden")
            #expect(try await server.send("DELETE", members + "/ben", headers: cast.ben).status == 204)
            // Gone from that second on, and not able to come back.
            #expect(try await server.send("GET", Self.messages, headers: cast.ben).text == Self.forbidden)
            #expect(try await server.send("PUT", members + "/ben", "{}", headers: cast.ben).text == Self.forbidden)
            #expect(try await server.send("PUT", members + "/eve", "{}", headers: cast.ingest).status == 200)
            #expect(try await server.send("GET", Self.messages, headers: cast.eve).status == 200)
        }
    }

    @Test func aPersonMakesConversationsOfHisOwn() async throws {
        let (taken, free, without, own, other) = try await withTeam { server, cast in
            (
                try await server.send(
                    "POST", "/v1/conversations", #"{"id":"team","members":[{"userId":"eve"}]}"#, headers: cast.eve),
                try await server.send(
                    "POST", "/v1/conversations", #"{"id":"new","members":[{"userId":"eve"}]}"#, headers: cast.eve),
                try await server.send(
                    "POST", "/v1/conversations", #"{"members":[{"userId":"ada"}]}"#, headers: cast.eve),
                try await server.send(
                    "POST", "/v1/conversations", #"{"members":[{"userId":"eve"},{"userId":"ada"}]}"#, headers: cast.eve),
                try await server.send(
                    "PATCH", "/v1/conversations/team", #"{"embedding":"excluded"}"#, headers: cast.ada)
            )
        }

        #expect(statuses(taken, free, without, own, other) == [403, 403, 400, 201, 403])
        #expect(taken.text == free.text)
        #expect(taken.field("code") == "id_forbidden")
        #expect(other.field("code") == "role_required")
    }

    @Test func keysThatAreNotGoodAreToldAlike() async throws {
        let (replies, keys) = try await withTeam { server, _ in
            let good = try await server.key(.readAsUser)
            let expired = try await server.key(.readAsUser, expiresAt: Sample.now)
            let revoked = try await server.key(.readAsUser)
            let text = try #require(revoked.first?.value.split(separator: "_"))
            _ = try await server.store.revokeKey(APIKey.ID(rawValue: String(text[1])), at: Sample.now)
            let value = try #require(good.first?.value)
            let wrong = value.dropLast() + (value.hasSuffix("0") ? "1" : "0")
            let unknown = value.replacing("nxk_", with: "nxk_0000").dropLast(0)
            var replies: [Reply] = []
            for header in [
                value, expired[0].value, revoked[0].value, String(wrong),
                "Bearer nxk_0123456789abcdef_" + String(repeating: "0", count: 64), String(unknown), value.uppercased(),
            ] {
                let headers = [(name: "Authorization", value: header), (name: "X-Nexus-User", value: "ada")]
                replies.append(try await server.send("GET", "/v1/conversations", headers: headers))
            }
            return (replies, try await server.store.keys())
        }

        #expect(replies.map(\.status) == [200, 401, 401, 401, 401, 401, 401])
        #expect(
            replies.map { $0.field("code") } == [
                nil, "key_invalid", "key_invalid", "key_invalid", "key_invalid", "token_invalid", "token_invalid",
            ])
        #expect(Set(replies[1...4].map(\.text)).count == 1)
        #expect(keys.filter { $0.role == .readAsUser }.compactMap(\.lastUsedAt) == [Sample.now.startOfHour])
    }

    @Test func pastTurnsAreCheckedWhenTheyAreReadAgain() async throws {
        let turn = Turn(
            id: "t1", askerID: "ben", question: "When?", answer: "secret [1]",
            sourceKeys: [.of("team", "m1")], askedAt: Sample.now)
        /// The answer, whether it is redacted, the question, and the ids of the sources.
        func shown(_ reply: Reply) throws -> [String] {
            let page = try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any]
            let turns = try #require(page?["turns"] as? [[String: Any]])
            return turns.flatMap { turn in
                ["answer", "isRedacted", "question"].map { "\(turn[$0] ?? "")" }
                    + (turn["sources"] as? [[String: Any]] ?? []).map {
                        "\($0["conversationId"] ?? "")/\($0["messageId"] ?? "")"
                    }
            }
        }

        try await withTeam { server, cast in
            try await server.store.record(turn)
            let before = try await server.send("GET", "/v1/turns", headers: cast.ben)
            #expect(try shown(before) == ["secret [1]", "\(NSNumber(value: false))", "When?", "team/m1"])
            #expect(try await server.send("GET", "/v1/turns", headers: cast.ada).text == #"{"turns":[]}"#)
            _ = try await server.send("DELETE", "/v1/conversations/team/members/ben", headers: cast.ben)
            let after = try await server.send("GET", "/v1/turns", headers: cast.ben)
            #expect(try shown(after) == ["", "\(NSNumber(value: true))", "When?"])
            #expect(!after.text.contains("secret"))
        }
    }

    @Test func howTheServiceStandsIsForThoseWhoLookAfterIt() async throws {
        let (probe, status, person) = try await withTeam {
            $0.readiness = ReadinessReport(checks: [.init(name: "store", isReady: false, detail: "disk of ada")])
        } body: { server, cast in
            (
                try await server.send("GET", "/ready"),
                try await server.send("GET", "/v1/status", headers: try await server.key(.admin)),
                try await server.send("GET", "/v1/status", headers: cast.ada)
            )
        }

        #expect(statuses(probe, status, person) == [503, 200, 403])
        #expect(
            probe.text
                == #"{"checks":[{"name":"store","ready":false}],"embedding":[],"notes":[],"status":"not_ready"}"#)
        #expect(status.text.contains("disk of ada"))
    }
}
