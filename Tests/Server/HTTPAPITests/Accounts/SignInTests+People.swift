import ChatCore
import HTTPAPI
import NexusModel
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Whom people of a server with accounts find, and whom they can write to.
extension SignInTests {
    private func found(_ server: RunningServer, _ text: String, by bearer: Headers) async throws -> String {
        try await server.send("GET", "/v1/people?q=\(text)", headers: bearer).text
    }

    @Test func peopleFindEachOtherByName() async throws {
        try await withServer { server, parts in
            let ada = try await join(server)
            for (id, name) in [("ben", "Benedikt Möller"), ("cy", "Cyra Bend"), ("dan", "Dan Off")] {
                let account = Account(userID: UserID(rawValue: id), name: name, createdAt: Sample.now)
                _ = try await parts.accounts.acceptAccount(account, at: Sample.now)
            }
            _ = try await parts.accounts.changeAccount("dan", role: nil, isDisabled: true)

            let ben = #"{"name":"Benedikt Möller","userId":"ben"}"#
            let cyra = #"{"name":"Cyra Bend","userId":"cy"}"#
            #expect(try await found(server, "BEN", by: ada.bearer) == #"{"people":[\#(ben),\#(cyra)]}"#)
            #expect(try await found(server, "moller", by: ada.bearer) == #"{"people":[\#(ben)]}"#)
            #expect(try await found(server, "", by: ada.bearer) == #"{"people":[\#(ben),\#(cyra)]}"#)
            for text in ["dan", "off", "ada", "edikt"] {
                #expect(try await found(server, text, by: ada.bearer) == #"{"people":[]}"#, "\(text)")
            }
            let one = try await server.send("GET", "/v1/people?limit=1", headers: ada.bearer)
            #expect(one.text == #"{"people":[\#(ben)]}"#)
            #expect(try await server.send("GET", "/v1/people?limit=51", headers: ada.bearer).status == 400)
            #expect(try await server.send("GET", "/v1/people").status == 401)
        }
    }

    @Test func guestsFindNobody() async throws {
        try await withServer { server, parts in
            let ada = try await join(server)
            _ = try await join(server, "ben")
            try await parts.store.setKind(.guest, of: "ada")
            #expect(try await found(server, "", by: ada.bearer) == #"{"people":[]}"#)
            let refused = try await server.send("POST", "/v1/direct", #"{"with":"ben"}"#, headers: ada.bearer)
            #expect(refused.field("code") == "user_unknown")
        }
    }

    @Test func unknownUsersAreRefused() async throws {
        try await withServer { server, parts in
            let ada = try await join(server)
            _ = try await join(server, "ben")
            try await parts.store.setKind(.bot, of: "helper")

            let direct = try await server.send("POST", "/v1/direct", #"{"with":"nobodyhere"}"#, headers: ada.bearer)
            #expect(direct.status == 404 && direct.field("code") == "user_unknown" && direct.field("field") == "with")
            func group(_ id: String) -> String { #"{"name":"Team","members":[{"userId":"ada"},{"userId":"\#(id)"}]}"# }
            let made = try await server.send("POST", "/v1/conversations", group("nobodyhere"), headers: ada.bearer)
            #expect(made.status == 404 && made.field("field") == "members")
            for known in ["ben", "helper"] {
                let reply = try await server.send("POST", "/v1/conversations", group(known), headers: ada.bearer)
                #expect(reply.status == 201, "\(known)")
                let path = "/v1/conversations/\(reply.field("id") ?? "")/members/"
                let added = try await server.send("PUT", path + "nobodyhere", "{}", headers: ada.bearer)
                #expect(added.status == 404 && added.field("code") == "user_unknown")
            }
        }
    }

    @Test func withATokenOfTheIssuerAnybodyMayComeLater() async throws {
        let forge = try TokenForge()
        try await ServerTestSupport.withServer(ServerParts(try forge.settings())) { server in
            let bearer = TokenForge.bearer(try await forge.token(TokenForge.claims("ada"), by: .ec))
            let body = #"{"name":"Team","members":[{"userId":"ada"},{"userId":"later"}]}"#
            #expect(try await server.send("POST", "/v1/conversations", body, headers: bearer).status == 201)
        }
    }
}
