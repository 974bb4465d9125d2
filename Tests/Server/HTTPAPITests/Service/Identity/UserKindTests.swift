import ChatCore
import Foundation
import HTTPAPI
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Kinds of users over HTTP: who states them, and what guests do not see.
struct UserKindTests {
    private static let open = #"{"id":"open","visibility":"everyone","members":[{"userId":"ada"}]}"#

    @Test func aGuestSeesAndJoinsNothingThatIsOpen() async throws {
        let forge = try TokenForge()
        let replies = try await withServer(ServerParts(try forge.settings([.ec]))) { server in
            let ingest = try await server.key(.ingest)
            let gus = try await forge.bearer("gus")
            _ = try await server.send("POST", "/v1/conversations", Self.open, headers: ingest)
            _ = try await server.send(
                "POST", "/v1/conversations/open/messages", #"{"id":"m","senderId":"ada","text":"x"}"#, headers: ingest)
            let before = try await server.send("GET", "/v1/conversations/open", headers: gus)
            let stated = try await server.send("PUT", "/v1/users/gus", #"{"kind":"guest"}"#, headers: ingest)
            let shown = try await server.send("GET", "/v1/users/gus", headers: try await server.key(.admin))
            let hidden = try await server.send("GET", "/v1/conversations/open", headers: gus)
            let list = try await server.send("GET", "/v1/conversations", headers: gus)
            let messages = try await server.send("GET", "/v1/conversations/open/messages", headers: gus)
            let joined = try await server.send(
                "PUT", "/v1/conversations/open/members/gus", #"{"name":"Gus"}"#, headers: gus)
            return [before, stated, shown, hidden, list, messages, joined]
        }

        #expect(replies.map(\.status) == [200, 200, 200, 403, 200, 403, 403])
        #expect(replies[2].text == #"{"kind":"guest","userId":"gus"}"#)
        #expect(!replies[4].text.contains("open"))
    }

    @Test func unknownKindsAreRefusedAndPersonsStateNone() async throws {
        let forge = try TokenForge()
        let replies = try await withServer(ServerParts(try forge.settings([.ec]))) { server in
            let ingest = try await server.key(.ingest)
            let gus = try await forge.bearer("gus")
            return [
                try await server.send("PUT", "/v1/users/gus", #"{"kind":"owner"}"#, headers: ingest),
                try await server.send("PUT", "/v1/users/gus", "{}", headers: ingest),
                try await server.send("PUT", "/v1/users/gus", #"{"kind":"member"}"#, headers: gus),
                try await server.send("GET", "/v1/users/gus", headers: gus),
            ]
        }

        #expect(replies.map(\.status) == [400, 400, 403, 403])
    }

    @Test func aTokenSaysWhatKindOfUserItIsAtEachRequest() async throws {
        let forge = try TokenForge()
        var settings = try forge.settings([.ec])
        settings.tokens?.kindClaim = "nexus_kind"
        func bearer(_ kind: Any?) async throws -> [(name: String, value: String)] {
            let claims = kind.map { TokenForge.claims("gus", changing: ["nexus_kind": $0]) } ?? TokenForge.claims("gus")
            return TokenForge.bearer(try await forge.token(claims, by: .ec))
        }
        let headers = [
            try await bearer(nil), try await bearer("guest"), try await bearer(nil), try await bearer("member"),
            try await bearer("owner"), try await bearer(5),
        ]
        let replies = try await withServer(ServerParts(settings)) { server in
            _ = try await server.send(
                "POST", "/v1/conversations", Self.open, headers: try await server.key(.ingest))
            var replies: [Reply] = []
            for header in headers {
                replies.append(try await server.send("GET", "/v1/conversations/open", headers: header))
            }
            return replies
        }

        #expect(replies.map(\.status) == [200, 403, 403, 200, 401, 401])
    }
}
