import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport
import UseCases

/// What a person, who is made sure of, may say of messages, members and conversations.
struct PersonTests {
    private static let messages = "/v1/conversations/team/messages"
    private static let members = "/v1/conversations/team/members"
    private static let team =
        #"{"id":"team","members":[{"userId":"ada","name":"Ada","aliases":["A."]},{"userId":"ben","name":"Ben"}]}"#

    /// The headers of those who take part.
    private struct Cast {
        /// Her token gives no name.
        let ada: [(name: String, value: String)]
        /// Her token says Eve Miller.
        let eve: [(name: String, value: String)]
        let ingest: [(name: String, value: String)]
    }

    private func withTeam<Value: Sendable>(
        _ permissions: PersonPermissions = PersonPermissions(), body: (RunningServer, Cast) async throws -> Value
    ) async throws -> Value {
        let forge = try TokenForge()
        var parts = ServerParts(try forge.settings([.ec]))
        parts.permissions = permissions
        return try await withServer(parts) { server in
            let eve = try await forge.token(TokenForge.claims("eve", changing: ["name": " Eve Miller "]))
            let cast = Cast(
                ada: try await forge.bearer("ada"), eve: TokenForge.bearer(eve), ingest: try await server.key(.ingest))
            _ = try await server.send("POST", "/v1/conversations", Self.team, headers: cast.ingest)
            return try await body(server, cast)
        }
    }

    private static let joined = #"{"id":"open","visibility":"everyone","members":[{"userId":"ada","name":"Ada"}]}"#

    @Test func theNameOfASenderIsTheTokensElseTheDirectorys() async throws {
        let stored = try await withTeam { server, cast in
            _ = try await server.send("POST", "/v1/conversations", Self.joined, headers: cast.ingest)
            for (id, name, headers) in [("m1", "Ben", cast.ada), ("m2", "Ada", cast.eve)] {
                let single = #"{"id":"\#(id)","text":"x","senderName":"\#(name)"}"#
                let path = "/v1/conversations/open/messages"
                #expect(try await server.send("POST", path, single, headers: headers).status == 201)
                let batch = #"{"messages":[{"id":"\#(id)b","text":"x","senderName":"\#(name)"}]}"#
                #expect(try await server.send("POST", path, batch, headers: headers).status == 200)
                let data = #"{"conversationId":"open","messageId":"\#(id)c","text":"x","senderName":"\#(name)","#
                let sender = headers[0].value == cast.ada[0].value ? "ada" : "eve"
                let call = #"{"data":\#(data)"senderId":"\#(sender)"}}"#
                #expect(try await server.send("POST", "/embedNewMessage", call, headers: headers).status == 200)
            }
            return try await server.store.page(of: "open", asker: "ada", before: nil, limit: 9, at: Sample.now)
        }

        #expect(stored.count == 6)
        #expect(Set(stored.filter { $0.senderID == "ada" }.map(\.senderName)) == ["Ada"])
        #expect(Set(stored.filter { $0.senderID == "eve" }.map(\.senderName)) == ["Eve Miller"])
    }

    @Test(arguments: ["assistant", "system", "bot"]) func aPersonWritesTextOnly(kind: String) async throws {
        let (single, batch, call, stored) = try await withTeam { server, cast in
            (
                try await server.send("POST", Self.messages, #"{"text":"x","kind":"\#(kind)"}"#, headers: cast.ada),
                try await server.send(
                    "POST", Self.messages,
                    #"{"messages":[{"text":"x","kind":"\#(kind)"},{"id":"m2","text":"y","kind":"text"}]}"#,
                    headers: cast.ada),
                try await server.send(
                    "POST", Self.messages, #"{"senderId":"ben","text":"x","kind":"\#(kind)"}"#, headers: cast.ingest),
                try await server.store.teamMessages()
            )
        }

        #expect(statuses(single, batch, call) == [403, 200, 201])
        #expect(single.field("code") == "field_forbidden")
        #expect(single.field("field") == "kind")
        #expect(batch.text.contains(#""field":"messages[0].kind""#))
        #expect(batch.text.contains(#""status":"field_forbidden"},{"messageId":"m2","status":"inserted"}"#))
        #expect(stored.map(\.kind.rawValue) == ["text", kind])
    }

    @Test func aPersonGivesNoLinkThatSourcesLeadTo() async throws {
        let message = #"{"id":"m1","text":"x","senderId":"ada","url":"https://example.com/login"}"#
        let (sent, call, stored) = try await withTeam { server, cast in
            (
                try await server.send("POST", Self.messages, message, headers: cast.ada),
                try await server.send("POST", Self.messages, message, headers: cast.ingest),
                try await server.store.teamMessages()
            )
        }

        #expect(statuses(sent, call) == [403, 201])
        #expect(sent.field("code") == "field_forbidden")
        #expect(sent.field("field") == "url")
        #expect(stored.map(\.url) == ["https://example.com/login"])
    }

    @Test func theTimeOfAPersonsMessageIsTheServers() async throws {
        let (sent, again, call, bad, stored) = try await withTeam { server, cast in
            let message = #"{"id":"m1","text":"x","timestamp":"2001-01-01T00:00:00Z"}"#
            let data = #"{"conversationId":"team","messageId":"m2","text":"x","senderId":"ada","timestamp":9000}"#
            return (
                try await server.send("POST", Self.messages, message, headers: cast.ada),
                try await server.send(
                    "POST", Self.messages, message.replacing("2001", with: "2002"), headers: cast.ada),
                try await server.send("POST", "/embedNewMessage", #"{"data":\#(data)}"#, headers: cast.ada),
                try await server.send(
                    "POST", Self.messages, message.replacing("2001", with: "0000"), headers: cast.ada),
                try await server.store.teamMessages()
            )
        }

        #expect(statuses(sent, again, call, bad) == [201, 200, 200, 400])
        #expect(stored.map(\.timestamp) == [Sample.now, Sample.now])
    }

    @Test func aPersonReactsOnlyForHimself() async throws {
        let (own, forged, batch, stored) = try await withTeam { server, cast in
            func message(_ id: String, _ users: String) -> String {
                #"{"id":"\#(id)","text":"x","reactions":[{"emoji":"👍","userIds":[\#(users)]}]}"#
            }
            return (
                try await server.send("POST", Self.messages, message("m1", #""ada""#), headers: cast.ada),
                try await server.send("POST", Self.messages, message("m2", #""ada","ben""#), headers: cast.ada),
                try await server.send(
                    "POST", Self.messages, #"{"messages":[\#(message("m3", #""ben""#))]}"#, headers: cast.ada),
                try await server.store.teamMessages()
            )
        }

        #expect(statuses(own, forged, batch) == [201, 403, 200])
        #expect(forged.field("field") == "reactions[0].userIds[1]")
        #expect(batch.text.contains("field_forbidden"))
        #expect(stored.map { $0.reactions.map(\.userIDs) } == [[["ada"]]])
    }

    /// Swift's strings are equal if they look the same; ids are not.
    @Test func aPersonDoesNotReactForWhoseIDLooksTheSame() async throws {
        let forge = try TokenForge()
        let reply = try await withServer(ServerParts(try forge.settings([.ec]))) { server in
            let ingest = try await server.key(.ingest)
            _ = try await server.send("POST", "/v1/conversations", Self.joined, headers: ingest)
            let body = #"{"text":"x","reactions":[{"emoji":"👍","userIds":["\u212Aarl"]}]}"#
            return try await server.send(
                "POST", "/v1/conversations/open/messages", body, headers: try await forge.bearer("Karl"))
        }

        #expect(reply.status == 403)
        #expect(reply.field("field") == "reactions[0].userIds[0]")
    }

    @Test func theApplicationsWordsInAPersonsNameAreNotThePersons() async throws {
        let path = Self.messages + "/m1"
        let (edited, deleted, stored) = try await withTeam { server, cast in
            let joined = #"{"id":"m1","senderId":"ada","text":"Ada joined","kind":"system"}"#
            _ = try await server.send("POST", Self.messages, joined, headers: cast.ingest)
            return (
                try await server.send("PATCH", path, #"{"text":"Ben was removed"}"#, headers: cast.ada),
                try await server.send("DELETE", path, headers: cast.ada), try await server.store.teamMessages()
            )
        }

        #expect(statuses(edited, deleted) == [403, 403])
        #expect(edited.field("code") == "not_own")
        #expect(stored.map(\.text) == ["Ada joined"])
    }

    @Test(arguments: [
        (#"{"name":"Ben"}"#, "name"), (#"{"name":"Nexus"}"#, "name"), (#"{"aliases":["Ben"]}"#, "aliases"),
        (#"{"leftAt":"2030-01-01T00:00:00Z"}"#, "leftAt"),
    ]) func aPersonTakesNoOtherName(body: String, field: String) async throws {
        let (reply, roster) = try await withTeam { server, cast in
            (
                try await server.send("PUT", Self.members + "/ada", body, headers: cast.ada),
                try await server.store.roster(of: "team")
            )
        }

        #expect(reply.status == 403)
        #expect(reply.field("code") == "field_forbidden")
        #expect(reply.field("field") == field)
        #expect(roster.members.map(\.displayName) == ["Ada", "Ben"])
        #expect(roster.members.map(\.aliases) == [["A."], []])
    }

    @Test(arguments: ["{}", #"{"name":"Ada","joinedAt":"2001-01-01T00:00:00Z","aliases":[]}"#, #"{"name":"ada"}"#])
    func aPersonsMembershipStaysAsItIs(body: String) async throws {
        let (reply, roster) = try await withTeam { server, cast in
            (
                try await server.send("PUT", Self.members + "/ada", body, headers: cast.ada),
                try await server.store.roster(of: "team")
            )
        }

        #expect(reply.status == 200)
        #expect(["Ada", "ada"].contains(roster.members[0].displayName))
        #expect(roster.members[0].joinedAt == Sample.now)
        #expect(roster.members[0].aliases == ["A."])
    }

    @Test func aPersonDoesNotCancelADeparture() async throws {
        let (replies, roster) = try await withTeam { server, cast in
            let leaving = #"{"name":"Ada","leftAt":"2030-01-01T00:00:00Z"}"#
            return (
                [
                    try await server.send("PUT", Self.members + "/ada", leaving, headers: cast.ingest),
                    try await server.send("PUT", Self.members + "/ada", "{}", headers: cast.ada),
                ], try await server.store.roster(of: "team")
            )
        }

        #expect(replies.map(\.status) == [200, 200])
        #expect(roster.members[0].leftAt == Timestamp(iso8601: "2030-01-01T00:00:00Z"))
    }

    @Test func whoJoinsIsCalledAsTheTokenSays() async throws {
        let member = try await withTeam { server, cast in
            _ = try await server.send("POST", "/v1/conversations", Self.joined, headers: cast.ingest)
            let path = "/v1/conversations/open/members/eve"
            #expect(try await server.send("PUT", path, #"{"name":"Ada"}"#, headers: cast.eve).status == 403)
            #expect(try await server.send("PUT", path, "{}", headers: cast.eve).status == 200)
            return try await server.store.roster(of: "open").members.last
        }

        #expect(member?.userID == "eve")
        #expect(member?.displayName == "Eve Miller")
    }

    @Test func othersAreCalledAsTheirConversationsCallThem() async throws {
        let (made, renamed, aliased, rosters) = try await withTeam { server, cast in
            func make(_ member: String) async throws -> Reply {
                let body =
                    #"{"createdAt":0,"members":[{"userId":"ada","joinedAt":0},{"userId":"ben"\#(member)},"#
                    + #"{"userId":"zoe"}]}"#
                return try await server.send("POST", "/v1/conversations", body, headers: cast.ada)
            }
            return (
                try await make(#","name":"Ben""#), try await make(#","name":"Boss""#),
                try await make(#","aliases":["Boss"]"#),
                try await server.store.conversations(asker: "zoe", after: nil, limit: 9, at: Sample.now)
            )
        }

        #expect(statuses(made, renamed, aliased) == [201, 403, 403])
        #expect(renamed.field("field") == "members[1].name")
        #expect(aliased.field("field") == "members[1].aliases")
        #expect(rosters.count == 1)
        #expect(rosters.first?.createdAt == Sample.now)
        for name in [#""name":"Ada","userId":"ada""#, #""name":"Ben","userId":"ben""#, #""name":"zoe","userId":"zoe""#]
        {
            #expect(made.text.contains(name))
        }
        #expect(!made.text.contains("1970"))
    }

    /// Who adds others, and when.
    @Test(
        arguments: [
            // Another person administers the group.
            (.nobody, 403, 403), (.creator, 201, 403), (.administrators, 201, 403), (.members, 201, 200),
        ] as [(PersonPermissions.Adding, Int, Int)]) func addingOthersIsASetting(
            adding: PersonPermissions.Adding, atFirst: Int, later: Int
        ) async throws
    {
        let (alone, made, added, byOther, keyed, members) = try await withTeam(
            PersonPermissions(adding: adding)
        ) { server, cast in
            _ = try await server.send("POST", "/v1/conversations", Self.joined, headers: cast.ingest)
            return (
                try await server.send(
                    "POST", "/v1/conversations", #"{"members":[{"userId":"ada"}]}"#, headers: cast.ada),
                try await server.send(
                    "POST", "/v1/conversations", #"{"members":[{"userId":"ada"},{"userId":"ben"}]}"#,
                    headers: cast.ada),
                try await server.send("PUT", Self.members + "/zoe", "{}", headers: cast.ada),
                // She reads the open conversation, and is no member of it.
                try await server.send("PUT", "/v1/conversations/open/members/zoe", "{}", headers: cast.eve),
                try await server.send("PUT", Self.members + "/kim", #"{"name":"Kim"}"#, headers: cast.ingest),
                try await server.store.roster(of: "team").members.map(\.userID)
            )
        }

        #expect(statuses(alone, made, added, byOther, keyed) == [201, atFirst, later, 403, 200])
        #expect(members == (later == 200 ? ["ada", "ben", "kim", "zoe"] : ["ada", "ben", "kim"]))
    }

    @Test func administratorsAddOthersByDefault() async throws {
        let forge = try TokenForge()
        let replies = try await withServer(ServerParts(try forge.settings([.ec]))) { server in
            let group = #"{"id":"g","members":[{"userId":"ada"},{"userId":"boss"}]}"#
            _ = try await server.send("POST", "/v1/conversations", group, headers: try await server.key(.ingest))
            let path = "/v1/conversations/g/members"
            return [
                try await server.send("PUT", path + "/zoe", "{}", headers: try await forge.bearer("ada")),
                try await server.send("PUT", path + "/zoe", "{}", headers: try await forge.bearer("boss")),
            ]
        }
        #expect(replies.map(\.status) == [403, 200])
        #expect(replies[0].field("code") == "adding_forbidden")
        #expect(
            replies[0].field("detail")
                == "only administrators of this group may add others (permissions.add-members)")
    }

    @Test func nobodyIsAddedToADirectConversation() async throws {
        let reply = try await withTeam(PersonPermissions(adding: .members)) { server, cast in
            let direct = #"{"id":"d","kind":"direct","members":[{"userId":"ada"},{"userId":"ben"}]}"#
            _ = try await server.send("POST", "/v1/conversations", direct, headers: cast.ingest)
            return try await server.send("PUT", "/v1/conversations/d/members/eve", "{}", headers: cast.ada)
        }

        #expect(reply.field("code") == "adding_forbidden")
    }

    @Test func nobodyLeavesADirectConversationOrRemovesOthers() async throws {
        let replies = try await withTeam { server, cast in
            let direct = #"{"id":"d","kind":"direct","members":[{"userId":"ada"},{"userId":"ben"}]}"#
            _ = try await server.send("POST", "/v1/conversations", direct, headers: cast.ingest)
            return [
                try await server.send("DELETE", "/v1/conversations/d/members/ada", headers: cast.ada),
                try await server.send("DELETE", "/v1/conversations/d/members/ben", headers: cast.ada),
                // There is no administrator.
                try await server.send("DELETE", Self.members + "/ben", headers: cast.ada),
                try await server.send("DELETE", Self.members + "/ada", headers: cast.ada),
                try await server.send("DELETE", "/v1/conversations/d/members/ada", headers: cast.ingest),
            ]
        }

        #expect(replies.map(\.status) == [400, 403, 403, 204, 204])
        #expect(replies.prefix(3).map { $0.field("code") } == ["invalid_field", "not_own", "not_own"])
    }

    @Test func anAdministratorRemovesOthersAndIsListedAsOne() async throws {
        let forge = try TokenForge()
        let replies = try await withServer(ServerParts(try forge.settings([.ec]))) { server in
            let group = #"{"id":"g","members":[{"userId":"ada"},{"userId":"ben"},{"userId":"boss"}]}"#
            _ = try await server.send("POST", "/v1/conversations", group, headers: try await server.key(.ingest))
            let path = "/v1/conversations/g/members"
            let (ada, boss) = (try await forge.bearer("ada"), try await forge.bearer("boss"))
            return [
                try await server.send("DELETE", path + "/ben", headers: ada),
                try await server.send("DELETE", path + "/ben", headers: boss),
                try await server.send("GET", path, headers: ada),
                try await server.send("DELETE", path + "/boss", headers: boss),
                try await server.send("GET", path, headers: ada),
            ]
        }

        #expect(replies.map(\.status) == [403, 204, 200, 204, 200])
        #expect(replies[2].text.contains(#""role":"admin","userId":"boss""#))
        #expect(!replies[4].text.contains("admin"))
    }

    @Test(arguments: [(.nobody, 403), (.everyone, 201)] as [(PersonPermissions.Opening, Int)])
    func openConversationsAreASetting(opening: PersonPermissions.Opening, status: Int) async throws {
        let (person, key) = try await withTeam(PersonPermissions(opening: opening)) { server, cast in
            (
                try await server.send(
                    "POST", "/v1/conversations", #"{"visibility":"everyone","members":[{"userId":"eve"}]}"#,
                    headers: cast.eve),
                try await server.send("POST", "/v1/conversations", Self.joined, headers: cast.ingest)
            )
        }

        #expect(statuses(person, key) == [status, 201])
        if status == 403 { #expect(person.field("field") == "visibility") }
    }

    @Test(arguments: [
        ("", "eve"), ("  ", "eve"), ("a\u{0}b", "eve"), ("a\nb", "eve"), (String(repeating: "x", count: 257), "eve"),
        ("e" + String(repeating: "\u{301}", count: 1_000), "eve"), ("Zoë Müller-Øst 京", "Zoë Müller-Øst 京"),
    ]) func aNameThatIsNoneIsPassedOver(name: String, shown: String) {
        let user = IdentifiedPerson(id: "eve", name: name)

        #expect(user.name ?? "eve" == shown)
    }

    @Test func theAssistantHasNoToken() async throws {
        let forge = try TokenForge()
        let reply = try await withServer(ServerParts(try forge.settings([.ec]))) {
            try await $0.send("GET", "/v1/conversations", headers: try await forge.bearer("nexus"))
        }

        #expect(reply.status == 401)
        #expect(reply.field("code") == "token_invalid")
    }

    @Test func secretsWithoutIssuerOrAudienceAreNoticed() {
        let secret = SecretBytes(Data(repeating: 7, count: 32))
        func takes(_ tokens: TokenSettings?) -> Bool {
            AuthenticationSettings(tokens: tokens).takesTokensOfAnyIssuer
        }

        #expect(takes(TokenSettings(secret: secret)))
        #expect(takes(TokenSettings(secret: secret, issuer: "i")))
        #expect(takes(TokenSettings(secret: secret, audience: "a")))
        #expect(!takes(TokenSettings(secret: secret, issuer: "i", audience: "a")))
        #expect(!takes(nil))
    }
}
