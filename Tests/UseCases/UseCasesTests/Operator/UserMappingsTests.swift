import ChatCore
import TestSupport
import Testing
import UseCases

struct UserMappingsTests {
    private let store = InMemoryStore()

    private var mappings: UserMappings { UserMappings(store: store, now: { .second(1) }) }

    private func note(_ id: String, source: String = "slack", email: String?, isBot: Bool = false) async throws {
        try await store.storeAuthors([
            Identity(
                source: source, externalID: id, userID: UserID(rawValue: id), email: email, isBot: isBot)
        ])
    }

    @Test func authorsWithAnAddressBecomeTheUsersOfIt() async throws {
        try await note("slack-U1", email: "Ada@Example.org")
        try await note("slack-U2", email: nil)
        try await note("slack-B1", email: "bot@example.org", isBot: true)
        try await note("teams-U1", source: "teams", email: "eve@example.org")

        guard case .mappedAll(let lines, let count) = try await mappings.mapByEmail(source: "slack") else {
            Issue.record("nothing was mapped")
            return
        }
        #expect(lines.map(\.userID) == ["ada@example.org"])
        #expect(count == 0)
        let users = Dictionary(uniqueKeysWithValues: try await store.identities().map { ($0.externalID, $0.userID) })
        #expect(users["slack-U1"] == "ada@example.org")
        #expect(users["slack-U2"] == "slack-U2" && users["slack-B1"] == "slack-B1" && users["teams-U1"] == "teams-U1")
    }

    @Test func oneUnknownAuthorKeepsAllFromBeingMapped() async throws {
        try await note("slack-U1", email: nil)
        let lines = [
            UserMapping(place: "line 2", source: "slack", externalID: "slack-U1", userID: "ada"),
            UserMapping(place: "line 3", source: "slack", externalID: "slack-U9", userID: "eve"),
        ]

        await #expect(
            throws: OperatorFailure(
                message: "nothing was mapped\n  line 3: no author slack-U9 of the source slack")
        ) {
            _ = try await mappings.map(lines, isConfirmed: true)
        }
        #expect(try await store.identities().map(\.userID) == ["slack-U1"])
    }

    @Test func anAuthorIsNotMappedToTwoUsers() async throws {
        try await note("slack-U1", email: "ada@example.org")
        let lines = [
            UserMapping(place: "line 2", source: "slack", externalID: "slack-U1", userID: "ada"),
            UserMapping(place: "line 3", email: "ADA@example.org", userID: "bob"),
        ]

        await #expect(
            throws: OperatorFailure(message: "nothing was mapped\n  slack slack-U1 is mapped to several users")
        ) {
            _ = try await mappings.map(lines, isConfirmed: true)
        }
    }
}
