import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

/// Joining people with accounts by verified mail addresses.
@Suite struct AddressLinkTests {
    private static func invite(_ id: UserID, _ world: some ConnectorWorld) async throws {
        _ = try await world.store.acceptAccount(
            Account(userID: id, createdAt: world.clock.now()), at: world.clock.now())
    }

    private static func links(_ world: some ConnectorWorld) async throws -> [String] {
        try await world.store.links(of: nil).map { "\($0.authorID)=\($0.userID.rawValue) \($0.way.rawValue)" }
    }

    private static func set(
        _ email: String?, from origin: EmailOrigin = .service, of id: UserID, _ world: some ConnectorWorld
    ) async throws {
        #expect(try await world.store.setEmail(email, from: origin, of: id, at: world.clock.now()))
    }

    private static func isReader(_ id: UserID, _ world: some ConnectorWorld) async throws -> Bool {
        let scope = SearchScope(asker: id, conversations: .all)
        return try await !world.store.permitted(scope, at: world.clock.now()).isEmpty
    }

    private static func confirm(_ email: String, of person: String, _ world: SlackWorld) {
        world.home.change(person) { ($0.email, $0.isEmailConfirmed) = (email, true) }
    }

    /// A channel of Ada and Bob, and the account `ada`.
    private static func withChannel(
        inPostgres: Bool, _ body: (SlackWorld) async throws -> Void
    ) async throws {
        try await SlackWorld.with(inPostgres: inPostgres) { world in
            try await invite("ada", world)
            world.makeRoom()
            world.say("line", by: SlackWorld.ada)
            try await body(world)
        }
    }

    @Test(arguments: [false, true])
    func accountIsJoinedWithThePersonWhoHasItsAddress(inPostgres: Bool) async throws {
        try await Self.withChannel(inPostgres: inPostgres) { world in
            Self.confirm("Ada@Example.org ", of: SlackWorld.ada, world)
            try await world.connect()
            #expect(try await !Self.isReader("ada", world))
            try await Self.set(" aDA@example.org", of: "ada", world)
            #expect(try await Self.links(world) == ["slack-U0ADA=ada email"])
            #expect(try await Self.isReader("ada", world))

            // Another name changes nothing, and an event without the address neither.
            world.home.change(SlackWorld.ada, hiding: { ($0.email, $0.isEmailConfirmed) = (nil, nil) }) {
                $0.name = "Adele"
            }
            try await world.deliver()
            world.home.change(SlackWorld.ada, hiding: { $0.isEmailConfirmed = nil }) { $0.name = "Ada L" }
            try await world.deliver()
            try world.restart()
            try await world.compare()
            #expect(try await Self.links(world) == ["slack-U0ADA=ada email"])

            // Another address ends the link at once, and the same one joins again.
            Self.confirm("lovelace@example.org", of: SlackWorld.ada, world)
            try await world.deliver()
            #expect(try await Self.links(world).isEmpty)
            #expect(try await !Self.isReader("ada", world))
            Self.confirm("ada@example.org", of: SlackWorld.ada, world)
            try await world.deliver()
            #expect(try await Self.links(world) == ["slack-U0ADA=ada email"])

            // An address that is not confirmed any more joins nobody.
            world.home.change(SlackWorld.ada) { $0.isEmailConfirmed = false }
            try await world.deliver()
            #expect(try await Self.links(world).isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func personIsJoinedWhenTheAccountIsThereFirst(inPostgres: Bool) async throws {
        try await Self.withChannel(inPostgres: inPostgres) { world in
            try await Self.set("ada@example.org", from: .administrator, of: "ada", world)
            Self.confirm("ada@example.org", of: SlackWorld.ada, world)
            try await world.connect()
            #expect(try await Self.links(world) == ["slack-U0ADA=ada email"])
            // What a service says later does not replace what an administrator set.
            try await Self.set("other@example.org", from: .service, of: "ada", world)
            #expect(try await Self.links(world).count == 1)
            try await Self.set("other@example.org", from: .administrator, of: "ada", world)
            #expect(try await Self.links(world).isEmpty)
            try await Self.set("ada@example.org", from: .administrator, of: "ada", world)
            #expect(try await Self.links(world).count == 1)
            try await Self.set(nil, from: .administrator, of: "ada", world)
            #expect(try await Self.links(world).isEmpty)
            #expect(try await world.texts(for: SlackWorld.ada) == ["line"])
        }
    }

    @Test(arguments: [false, true])
    func addressThatChangesHandsJoinsNobody(inPostgres: Bool) async throws {
        try await Self.withChannel(inPostgres: inPostgres) { world in
            try await Self.set("ada@example.org", of: "ada", world)
            Self.confirm("ada@example.org", of: SlackWorld.ada, world)
            try await world.connect()
            #expect(try await Self.links(world).count == 1)
            world.home.deactivate(SlackWorld.ada)
            try await world.deliver()
            #expect(try await Self.links(world).isEmpty)
            // Somebody new gets the address.
            Self.confirm("ada@example.org", of: SlackWorld.eve, world)
            world.join(SlackWorld.eve)
            try await world.deliver()
            try world.restart()
            try await world.compare()
            #expect(try await Self.links(world).isEmpty)
            #expect(try await !Self.isReader("ada", world))
            try await Self.set(nil, of: "ada", world)
            try await Self.set("ada@example.org", of: "ada", world)
            #expect(try await Self.links(world).isEmpty)
        }
    }

    /// Both at the same time, and also if the connector reads the two in one list.
    @Test(arguments: [false, true])
    func addressOfTwoPeopleOrTwoAccountsJoinsNobody(inPostgres: Bool) async throws {
        try await Self.withChannel(inPostgres: inPostgres) { world in
            try await Self.set("ada@example.org", of: "ada", world)
            for person in [SlackWorld.ada, SlackWorld.bob] { Self.confirm("ada@example.org", of: person, world) }
            try await world.connect()
            #expect(try await Self.links(world).isEmpty)

            try await Self.invite("bob", world)
            try await Self.invite("bob2", world)
            Self.confirm("bob@example.org", of: SlackWorld.bob, world)
            try await world.deliver()
            try await Self.set("bob@example.org", of: "bob", world)
            #expect(try await Self.links(world) == ["slack-U0BOB=bob email"])
            try await Self.set("bob@example.org", of: "bob2", world)
            #expect(try await Self.links(world).isEmpty)
            await #expect(throws: RepositoryError.self) {
                try await world.store.setEmail(
                    "bob@example.org", from: .administrator, of: "ada", at: world.clock.now())
            }
            #expect(
                try await world.store.setEmail("x@example.org", from: .service, of: "nobody", at: world.clock.now())
                    == false)
        }
    }

    @Test(arguments: [false, true])
    func guestsBotsStrangersAndUnconfirmedAddressesAreNotJoined(inPostgres: Bool) async throws {
        try await Self.withChannel(inPostgres: inPostgres) { world in
            try await Self.set("ada@example.org", of: "ada", world)
            let changes: [@Sendable (inout StubSlack.User) -> Void] = [
                { $0.isRestricted = true }, { $0.isBot = true }, { $0.team = "T0OTHER" },
                { $0.isEmailConfirmed = false }, { $0.isEmailConfirmed = nil }, { $0.email = "ada@exаmple.org" },
                { $0.email = "ada" },
            ]
            try await world.connect()
            for change in changes {
                world.home.change(SlackWorld.ada) {
                    $0 = StubSlack.User(id: $0.id, name: "Ada", email: "ada@example.org", isEmailConfirmed: true)
                    change(&$0)
                }
                try await world.deliver()
                try await world.compare()
                #expect(try await Self.links(world).isEmpty)
            }
            // The name joins nobody either.
            Self.confirm("other@example.org", of: SlackWorld.ada, world)
            world.home.change(SlackWorld.ada) { $0.name = "ada" }
            try await world.deliver()
            #expect(try await Self.links(world).isEmpty)
            Self.confirm("ada@example.org", of: SlackWorld.ada, world)
            try await world.deliver()
            #expect(try await Self.links(world).count == 1)
            // A person who becomes a guest is not joined any more.
            world.home.change(SlackWorld.ada) { $0.isRestricted = true }
            try await world.deliver()
            #expect(try await Self.links(world).isEmpty)
            #expect(try await world.store.kind(of: "ada") == .member)
        }
    }

    @Test(arguments: [false, true])
    func endedLinkDoesNotComeBackByTheAddress(inPostgres: Bool) async throws {
        try await Self.withChannel(inPostgres: inPostgres) { world in
            try await Self.set("ada@example.org", of: "ada", world)
            Self.confirm("ada@example.org", of: SlackWorld.ada, world)
            try await world.connect()
            _ = try await world.store.endLink(of: nil, in: "slack", user: "ada", at: world.clock.now())
            try world.restart()
            try await world.compare()
            try await Self.set(nil, of: "ada", world)
            try await Self.set("ada@example.org", of: "ada", world)
            #expect(try await Self.links(world).isEmpty)
        }
    }

    @Test func linkByCodeOutlastsTheAddress() async throws {
        try await Self.withChannel(inPostgres: false) { world in
            try await world.connect()
            _ = try await world.store.keepLinkCode(
                digest("7KQXM2PD"), of: "ada", until: world.clock.now() + .seconds(600), at: world.clock.now())
            world.say("@nexus link 7kqx-m2pd", by: SlackWorld.ada)
            try await world.deliver()
            Self.confirm("ada@example.org", of: SlackWorld.ada, world)
            try await world.deliver()
            Self.confirm("lovelace@example.org", of: SlackWorld.ada, world)
            try await world.deliver()
            #expect(try await Self.links(world) == ["slack-U0ADA=ada code"])
        }
    }

    /// A program that posts in the name of a person, and one that has the person's name.
    @Test func programsUseNoCodes() async throws {
        try await Self.withChannel(inPostgres: false) { world in
            try await world.connect()
            _ = try await world.store.keepLinkCode(
                digest("7KQXM2PD"), of: "ada", until: world.clock.now() + .seconds(600), at: world.clock.now())
            world.home.addUser("U0BOT", name: "Ada", isBot: true)
            world.home.addMember("U0BOT", to: SlackWorld.room)
            for person in ["U0BOT"] { world.say("@nexus link 7KQX-M2PD", by: person) }
            try await world.deliver()
            try await world.compare()
            #expect(try await Self.links(world).isEmpty)
            #expect(try await !world.store.inspect("SELECT text FROM messages").contains { $0.contains("M2PD") })
        }
    }

    @Test(arguments: [false, true])
    func mattermostJoinsByVerifiedAddressesOnly(inPostgres: Bool) async throws {
        try await MattermostWorld.with(inPostgres: inPostgres) { world in
            try await Self.invite("ada", world)
            try await Self.set("ada@example.org", of: "ada", world)
            world.makeRoom()
            world.home.setEmail("ada@example.org", isVerified: false, of: MattermostWorld.ada)
            try await world.connect()
            #expect(try await Self.links(world).isEmpty)
            world.home.setEmail("ada@example.org", of: MattermostWorld.ada)
            try await world.compare()
            #expect(try await Self.links(world).map { $0.hasSuffix("=ada email") } == [true])
            #expect(try await Self.isReader("ada", world))
            world.home.setEmail("lovelace@example.org", of: MattermostWorld.ada)
            try await world.compare()
            #expect(try await Self.links(world).isEmpty)
        }
    }

    private func digest(_ code: String) -> [UInt8] { LinkCode.digest(code) }
}
