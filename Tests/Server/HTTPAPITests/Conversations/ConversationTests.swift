import ChatCore
import HTTPAPI
import ServerTestSupport
import Testing
import Transport

struct ConversationTests {
    static let team = #"{"id":"team","name":"Team","members":[{"userId":"ada","name":"Ada"},{"userId":"ben"}]}"#
    private static let teamJSON =
        #"{"createdAt":"2025-10-23T10:30:00.000Z","history":"all","id":"team","kind":"group","members":["#
        + #"{"aliases":[],"joinedAt":"2025-10-23T10:30:00.000Z","name":"Ada","userId":"ada"},"#
        + #"{"aliases":[],"joinedAt":"2025-10-23T10:30:00.000Z","name":"ben","userId":"ben"}],"#
        + #""name":"Team","updatedAt":"2025-10-23T10:30:00.000Z","visibility":"members"}"#

    @Test func makesAndShowsAConversation() async throws {
        let (made, again, shown) = try await withServer { server in
            (
                try await server.send("POST", "/v1/conversations", Self.team),
                try await server.send("POST", "/v1/conversations", Self.team),
                try await server.send("GET", "/v1/conversations/team")
            )
        }

        #expect(statuses(made, again, shown) == [201, 200, 200])
        #expect(made.text == Self.teamJSON)
        let place = #","history":"all","id":"team""#
        let embedding = #","embedding":"default","history":"all","id":"team","isEmbedded":true"#
        #expect(shown.text == Self.teamJSON.replacing(place, with: embedding))
    }

    @Test func aConversationIsExcludedFromEmbeddingAndIncludedAgain() async throws {
        let (excluded, shown, included, bad, missing, foreign) = try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", Self.team)
            _ = try await server.send("POST", "/v1/conversations", #"{"id":"x","members":[{"userId":"ben"}]}"#)
            let path = "/v1/conversations/team"
            return (
                try await server.send("PATCH", path, #"{"embedding":"excluded"}"#),
                try await server.send("GET", path),
                try await server.send("PATCH", path, #"{"embedding":"included"}"#),
                try await server.send("PATCH", path, #"{"embedding":"never"}"#),
                try await server.send("PATCH", path, "{}"),
                try await server.send("PATCH", "/v1/conversations/x", #"{"embedding":"excluded"}"#)
            )
        }

        #expect(statuses(excluded, shown, included, bad, missing, foreign) == [200, 200, 200, 400, 400, 403])
        #expect(excluded.text.contains(#""embedding":"excluded","history":"all","id":"team","isEmbedded":false"#))
        #expect(shown.text == excluded.text)
        #expect(included.text.contains(#""embedding":"included","history":"all","id":"team","isEmbedded":true"#))
        #expect(bad.field("detail") == "embedding must be one of default, included, excluded")
        #expect(missing.field("detail") == "embedding is missing")
    }

    @Test func readsEveryFieldOfAConversation() async throws {
        let body = #"""
            {"kind":"direct","visibility":"everyone","timeZone":"Asia/Tokyo","createdAt":"2025-01-01T00:00:00Z",
             "members":[{"userId":"ada","name":"Ada","aliases":["A."],"joinedAt":0,"leftAt":"2025-02-01T00:00:00Z"}]}
            """#

        let reply = try await withServer { try await $0.send("POST", "/v1/conversations", body) }

        #expect(reply.status == 201)
        #expect(
            reply.text
                == #"{"createdAt":"2025-01-01T00:00:00.000Z","history":"all","id":"id-2","kind":"direct","members":["#
                + #"{"aliases":["A."],"joinedAt":"1970-01-01T00:00:00.000Z","leftAt":"2025-02-01T00:00:00.000Z","#
                + #""name":"Ada","userId":"ada"}],"timeZone":"Asia/Tokyo","#
                + #""updatedAt":"2025-10-23T10:30:00.000Z","visibility":"everyone"}"#)
    }

    @Test func refusesTheSameIDWithOtherContent() async throws {
        let reply = try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", Self.team)
            return try await server.send(
                "POST", "/v1/conversations", #"{"id":"team","name":"Other","members":[{"userId":"ada"}]}"#)
        }

        #expect(reply.status == 409)
        #expect(reply.field("code") == "conflict")
    }

    @Test(arguments: [
        ("{}", "members must name one member or more"),
        (#"{"members":[{}]}"#, "members[0].userId is missing"),
        (#"{"members":["ada"]}"#, "members[0] must be an object, not a string"),
        (#"{"kind":"room","members":[{"userId":"ada"}]}"#, "kind must be one of direct, group"),
        (#"{"name":"","members":[{"userId":"ada"}]}"#, "name must have 1 to 256 characters"),
        (#"{"timeZone":"x","members":[]}"#, "timeZone must be the IANA name of a zone, as Europe/Berlin"),
        (
            "{\"id\":\"a\\u0000\",\"members\":[{\"userId\":\"ada\"}]}",
            "id must have 1 to 256 bytes and no control characters"
        ),
    ])
    func refusesBadConversations(body: String, detail: String) async throws {
        let reply = try await withServer { try await $0.send("POST", "/v1/conversations", body) }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == detail)
    }

    @Test func listsConversationsPageByPage() async throws {
        let (first, second, bad) = try await withServer { server in
            for id in ["c", "a", "b"] {
                _ = try await server.send(
                    "POST", "/v1/conversations", #"{"id":"\#(id)","members":[{"userId":"ada"}]}"#)
            }
            _ = try await server.send("POST", "/v1/conversations", #"{"id":"x","members":[{"userId":"ben"}]}"#)
            return (
                try await server.send("GET", "/v1/conversations?limit=2"),
                try await server.send("GET", "/v1/conversations?limit=2&after=b"),
                try await server.send("GET", "/v1/conversations?limit=201")
            )
        }

        #expect(Self.ids(first.text) == ["a", "b"])
        #expect(first.field("next") == "b")
        #expect(Self.ids(second.text) == ["c"])
        #expect(second.field("next") == nil)
        #expect(bad.status == 400)
        #expect(bad.field("detail") == "limit must lie in 1...200")
    }

    @Test func listsMembersPageByPage() async throws {
        let (first, second, end, bad) = try await withServer { server in
            let members = ["ada", "cy", "ben", "dan"].map { #"{"userId":"\#($0)"}"# }.joined(separator: ",")
            _ = try await server.send("POST", "/v1/conversations", #"{"id":"team","members":[\#(members)]}"#)
            let path = "/v1/conversations/team/members"
            return (
                try await server.send("GET", path + "?limit=2"),
                try await server.send("GET", path + "?limit=2&after=ben"),
                try await server.send("GET", path + "?after=dan"), try await server.send("GET", path + "?limit=0")
            )
        }

        func users(_ reply: Reply) -> [Substring] {
            reply.text.split(separator: #""userId":""#).dropFirst().compactMap { $0.split(separator: "\"").first }
        }
        #expect(users(first) == ["ada", "ben"])
        #expect(first.field("next") == "ben")
        #expect(users(second) == ["cy", "dan"])
        #expect(second.field("next") == nil)
        #expect(end.text == #"{"members":[]}"#)
        #expect(bad.field("detail") == "limit must lie in 1...200")
    }

    private static func ids(_ text: String) -> [String] {
        text.split(separator: #""id":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    @Test func setsShowsAndRemovesMembers() async throws {
        let (set, one, removed, all, missing) = try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", Self.team)
            let path = "/v1/conversations/team/members"
            return (
                try await server.send("PUT", path + "/c%2Fy", #"{"name":"Cy","aliases":["C"]}"#),
                try await server.send("GET", path + "/c%2Fy"), try await server.send("DELETE", path + "/ben"),
                try await server.send("GET", path), try await server.send("GET", path + "/dan")
            )
        }

        let time = "2025-10-23T10:30:00.000Z"
        let cy = #"{"aliases":["C"],"joinedAt":"\#(time)","name":"Cy","userId":"c/y"}"#
        #expect(statuses(set, one, removed, missing) == [200, 200, 204, 404])
        #expect(set.text == cy)
        #expect(one.text == cy)
        #expect(
            all.text == #"{"members":[{"aliases":[],"joinedAt":"\#(time)","name":"Ada","userId":"ada"},"#
                + #"{"aliases":[],"joinedAt":"\#(time)","leftAt":"\#(time)","name":"ben","userId":"ben"},"# + cy + "]}")
        #expect(missing.field("code") == "member_not_found")
    }
}
