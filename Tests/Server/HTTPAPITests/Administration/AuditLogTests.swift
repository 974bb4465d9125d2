import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import MessageStore
import NexusModel
import SQLiteStore
import ServerTestSupport
import TestSupport
import Testing

/// What administrators did, over HTTP.
@Suite(.hangGuard) struct AuditLogTests {
    private typealias Headers = [(name: String, value: String)]

    private static func entries(
        _ server: RunningServer, _ query: String = "", _ headers: Headers = []
    ) async throws -> AuditLogPage {
        let reply = try await server.send("GET", "/v1/administration/audit-log" + query, headers: headers)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(AuditLogPage.self, from: Data(reply.text.utf8))
    }

    /// A request to each route that writes its own entries, and the action of the entry; in this order.
    private static let requests: [(id: String, method: String, path: String, body: String, action: AuditAction)] = [
        ("inviteAccount", "POST", "/v1/accounts", #"{"userId":"ben"}"#, .accountInvited),
        ("changeAccount", "PATCH", "/v1/accounts/ben", #"{"role":"administrator"}"#, .accountRoleChanged),
        ("resetAccount", "POST", "/v1/accounts/ben/reset", "{}", .accountLinkMade),
        (
            "turnSignInOn", "POST", "/v1/session/first", #"{"userId":"ada","password":"correct horse"}"#,
            .signInTurnedOn
        ),
    ]

    /// A new route of administrators fails here until it has a request above, or is among those that leave no entry.
    @Test func noRouteOfAdministratorsForgetsItsEntry() async throws {
        var parts = ServerParts()
        parts.canTurnSignInOn = true
        let services = try parts.services(store: InMemoryStore()) { _ in }
        let routes = HTTPAPIServer(settings: parts.settings, services: services).routes
        var (withEntries, ofCommands, without): ([String], Set<String>, Set<String>) = ([], [], [])
        for route in routes where route.access == .admin && route.method != .get {
            switch try #require(route.audit, "\(route.operationID)") {
            case .entries: withEntries.append(route.operationID)
            case .ofCommands: ofCommands.insert(route.operationID)
            case .none(let reason):
                #expect(!reason.isEmpty)
                without.insert(route.operationID)
            }
        }
        #expect(Set(withEntries) == Set(Self.requests.map(\.id)))
        #expect(ofCommands == ["administer", "importHistory"])
        #expect(without == ["testModels"])
        // Whoever may use these as an administrator only reads.
        #expect(routes.filter { $0.access == .userOrAdmin }.allSatisfy { $0.method == .get })

        try await withServer(parts) { server in
            for (place, request) in Self.requests.enumerated() {
                let reply = try await server.send(request.method, request.path, request.body)
                #expect((200..<300).contains(reply.status), "\(request.id): \(reply.text)")

                let stored = try await server.store.auditEntries(AuditQuery(limit: 99))
                #expect(stored.count == place + 1, "\(request.id)")
                #expect(stored.first?.action == request.action.rawValue && stored.first?.result == .done)
                #expect(stored.first?.actor == .anyone && stored.first?.origin == .api)
            }
        }
    }

    private static func withAccounts(_ body: (StoredServer, SQLStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        try await withStoredServer(on: store, authentication: AuthenticationSettings()) { world in
            try await body(world, store)
        }
        await store.close()
    }

    /// Invites a person and accepts the link; returns how the person is identified.
    private static func join(_ server: RunningServer, _ user: String, _ role: String) async throws -> Headers {
        let admin = try await server.key(.admin)
        let invited = try await server.send(
            "POST", "/v1/accounts", #"{"userId":"\#(user)","name":"The \#(user)","role":"\#(role)"}"#, headers: admin)
        let code = try #require(invited.field("link")?.split(separator: "/").last, "\(invited.text)")
        let reply = try await server.send("POST", "/v1/invitations/\(code)", #"{"password":"correct horse"}"#)
        return [("Authorization", "Bearer \(reply.field("accessToken") ?? "")")]
    }

    @Test func entriesSayWhoDidWhatAndOnlyAdministratorsReadThem() async throws {
        try await Self.withAccounts { world, _ in
            let server = world.server
            let ada = try await Self.join(server, "ada", "administrator")
            let ben = try await Self.join(server, "ben", "member")
            let change = #"{"isDisabled":true}"#
            for headers: Headers in [[("Sec-Fetch-Site", "same-origin")], []] {
                let reply = try await server.send("PATCH", "/v1/accounts/ben", change, headers: ada + headers)
                #expect(reply.status == 200, "\(reply.text)")
                let other = try await server.send(
                    "PATCH", "/v1/accounts/ben", #"{"isDisabled":false,"role":"member"}"#, headers: ada)
                #expect(other.status == 200, "\(other.text)")
            }
            let own = try await server.send("PATCH", "/v1/accounts/ada", change, headers: ada)
            #expect(own.status == 409)
            let bad = try await server.send("PATCH", "/v1/accounts/ben", #"{"isDisabled":"x"}"#, headers: ada)
            #expect(bad.status == 400)

            let all = try await Self.entries(server, "", ada).entries
            #expect(
                all.map(\.action) == [
                    "account.disabled", "account.enabled", "account.role-changed", "account.disabled",
                    "account.enabled", "account.role-changed", "account.disabled", "account.invited",
                    "account.invited",
                ])
            #expect(all.map(\.origin).firstIndex(of: "page") == 6 && all.filter { $0.origin == "page" }.count == 1)
            #expect(all.map(\.result) == ["failed"] + Array(repeating: "done", count: 8))
            #expect(all.first?.actor == "account" && all.first?.actorId == "ada" && all.first?.actorName == "The ada")
            #expect(all.first?.subject == "user" && all.first?.subjectId == "ada")
            #expect(all.last?.actor == "key" && all.last?.subjectId == "ada" && all.last?.detail == "administrator")

            #expect(try await Self.entries(server, "?person=ben", ada).entries.count == 7)
            #expect(try await Self.entries(server, "?action=account.invited", ada).entries.count == 2)
            #expect(try await Self.entries(server, "?to=2001-01-01T00:00:00Z", ada).entries.isEmpty)
            var (read, before): ([String], String?) = ([], nil)
            repeat {
                let page = try await Self.entries(server, "?limit=4" + (before.map { "&before=\($0)" } ?? ""), ada)
                read += page.entries.map(\.id)
                before = page.next
            } while before != nil
            #expect(read == all.map(\.id))

            for query in ["?action=none", "?before=x", "?limit=0", "?from=soon", "?person="] {
                let reply = try await server.send("GET", "/v1/administration/audit-log" + query, headers: ada)
                #expect(reply.status == 400, "\(query): \(reply.text)")
            }
            for headers: Headers in [ben, try await server.key(.ingest), try await server.key(.readAsUser)] {
                let reply = try await server.send("GET", "/v1/administration/audit-log", headers: headers)
                #expect([401, 403].contains(reply.status))
            }
        }
    }

    /// The link is a secret, and what is erased has no name.
    @Test func noEntryHoldsASecretOrAnErasedName() async throws {
        try await Self.withAccounts { world, store in
            let ada = try await Self.join(world.server, "ada", "administrator")
            let reset = try await world.server.send("POST", "/v1/accounts/ada/reset", "{}", headers: ada)
            let code = try #require(reset.field("link")?.split(separator: "/").last)
            let text = try await world.server.send("GET", "/v1/administration/audit-log", headers: ada).text
            #expect(!text.contains(code) && text.contains("account.link-made"))

            _ = try await store.erase(.user("ada"), at: world.clock.now())

            let key = try await world.server.key(.admin)
            let after = try await world.server.send("GET", "/v1/administration/audit-log", headers: key).text
            #expect(after.contains("account.link-made") && !after.contains("ada"), "\(after)")
        }
    }
}
