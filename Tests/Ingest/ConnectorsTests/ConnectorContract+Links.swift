import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

/// Joining somebody of the source with an account, by a code that is written there.
extension ConnectorContract {
    private static var lines: [String] { (1...9).map { "line \($0)" } }
    private static var code: String { "7KQX-M2PD" }

    private static func fill(_ world: World) async throws -> [String] {
        world.makeRoom()
        let ids = (1...9).map { world.say("line \($0)", by: World.ada) }
        try await world.connect()
        return ids
    }

    /// Gives an account a code, as the page does.
    private static func keep(_ code: String, of user: UserID, _ world: World) async throws {
        let digest = LinkCode.digest(try #require(LinkCode.normalized(code)))
        let isKept = try await world.store.keepLinkCode(
            digest, of: user, until: world.clock.now() + LinkCode.lifetime, at: world.clock.now())
        #expect(isKept)
    }

    /// Lets somebody write to Nexus; returns what becomes of it.
    private static func write(_ text: String, by person: String, _ world: World) async throws -> LinkOutcome? {
        let before = try await outcomes(world).count
        world.say("@nexus \(text)", by: person)
        try await world.deliver()
        let after = try await outcomes(world)
        return after.count > before ? after.last.flatMap { LinkOutcome(rawValue: $0) } : nil
    }

    private static func outcomes(_ world: World) async throws -> [String] {
        try await world.store.inspect("SELECT outcome FROM link_outcomes ORDER BY message")
    }

    /// The texts that an account reads in the room; nil if it does not see it.
    private static func texts(for account: UserID, _ world: World) async throws -> [String]? {
        do {
            return try await world.store.page(
                of: World.conversation, asker: account, before: nil, limit: 1_000, at: world.clock.now()
            ).reversed().map(\.text)
        } catch RepositoryError.noSuchConversation {
            return nil
        }
    }

    private static func accounts(_ world: World) async throws -> [String] {
        try await world.store.links(of: nil).map { "\($0.authorID)=\($0.userID.rawValue)" }
    }

    private static func author(_ person: String) -> String { World.user(person).rawValue }

    static var links: [ConnectorContract] {
        [
            ConnectorContract("a code that somebody writes gives the account what that person reads, until it ends") {
                world in
                _ = try await fill(world)
                try await keep(code, of: "account", world)
                #expect(try await texts(for: "account", world) == nil)
                #expect(try await write("link \(code)", by: World.ada, world) == .joined)
                #expect(try await texts(for: "account", world) == lines + ["@nexus \(LinkCommand.hiddenCode)"])
                #expect(try await accounts(world) == ["\(author(World.ada))=account"])
                let link = try #require(try await world.store.links(of: "account").first)
                #expect(link.way == .code && link.source == World.source && link.name == "Ada")
                // The room still has two people, and the code is nowhere.
                #expect(try await world.store.roster(of: World.conversation).members.count == 2)
                for query in [
                    "SELECT text FROM messages", "SELECT COALESCE(body, '') FROM connector_inbox",
                    "SELECT user_id FROM link_codes",
                ] {
                    let found = try await world.store.inspect(query)
                    #expect(!found.contains { $0.contains("M2PD") } && (!query.contains("codes") || found.isEmpty))
                }

                // What comes later arrives, and survives everything that is read again.
                world.say("later", by: World.bob)
                try world.restart()
                try await world.compare()
                #expect(try await texts(for: "account", world)?.last == "later")
                #expect(try await accounts(world).count == 1)

                // Who leaves in the source reads nothing here.
                world.leave(World.ada)
                try await world.deliver()
                #expect(try await texts(for: "account", world) == nil)
                world.join(World.ada)
                try await world.deliver()
                #expect(try await texts(for: "account", world)?.count == 11)

                let ended = try await world.store.endLink(
                    of: nil, in: World.source, user: "account", at: world.clock.now())
                #expect(ended?.authorID == author(World.ada))
                #expect(try await texts(for: "account", world) == nil)
                #expect(try await world.texts(for: World.ada)?.count == 11)
                #expect(
                    try await world.store.inspect("SELECT DISTINCT sender_id FROM messages ORDER BY sender_id")
                        == [author(World.ada), author(World.bob)].sorted())
                try world.restart()
                try await world.compare()
                #expect(try await texts(for: "account", world) == nil)
                #expect(try await accounts(world).isEmpty)
            },
            ConnectorContract("a code works once, and only for one person") { world in
                _ = try await fill(world)
                try await keep(code, of: "account", world)
                #expect(try await write("link \(code)", by: World.bob, world) == .joined)
                #expect(try await write("link \(code)", by: World.ada, world) == .wrongCode)
                #expect(try await accounts(world) == ["\(author(World.bob))=account"])
                // The account has somebody here already, and Bob has an account.
                try await keep("7KQX-M2PE", of: "account", world)
                #expect(try await write("link 7KQX-M2PE", by: World.ada, world) == .accountTaken)
                try await keep("7KQX-M2PF", of: "other", world)
                #expect(try await write("link 7KQX-M2PF", by: World.bob, world) == .authorTaken)
                #expect(try await accounts(world) == ["\(author(World.bob))=account"])
                #expect(try await world.store.inspect("SELECT user_id FROM link_codes").isEmpty)

                // Two accounts cannot have the same code.
                try await keep("7KQX-M2PG", of: "one", world)
                let digest = LinkCode.digest("7KQXM2PG")
                #expect(
                    try await world.store.keepLinkCode(
                        digest, of: "two", until: world.clock.now() + .seconds(600), at: world.clock.now()) == false)
            },
            ConnectorContract("a code ends after ten minutes, and with the next one") { world in
                _ = try await fill(world)
                try await keep(code, of: "account", world)
                try await keep("7KQX-M2PE", of: "account", world)
                #expect(try await write("link \(code)", by: World.ada, world) == .wrongCode)
                world.clock.advance(by: LinkCode.lifetime)
                #expect(try await write("link 7KQX-M2PE", by: World.ada, world) == .wrongCode)
                #expect(try await accounts(world).isEmpty)
            },
            ConnectorContract("who guesses codes has to wait") { world in
                _ = try await fill(world)
                try await keep(code, of: "account", world)
                for number in 2...6 {
                    #expect(try await write("link 7KQX-M2P\(number)", by: World.bob, world) == .wrongCode)
                }
                try world.restart()
                #expect(try await write("link \(code)", by: World.bob, world) == .tooManyAttempts)
                #expect(try await accounts(world).isEmpty)
                // Nobody else waits for that.
                #expect(try await write("link \(code)", by: World.ada, world) == .joined)
                world.clock.advance(by: LinkCode.attemptWindow)
                try await keep("7KQX-M2PE", of: "other", world)
                #expect(try await write("link 7KQX-M2PE", by: World.bob, world) == .joined)
            },
            ConnectorContract("an edited message joins nobody, and shows no code") { world in
                let ids = try await fill(world)
                try await keep(code, of: "account", world)
                world.edit(ids[0], "@nexus link \(code)", by: World.ada)
                try await world.deliver()
                try await world.compare()
                #expect(try await accounts(world).isEmpty)
                #expect(try await !world.store.inspect("SELECT text FROM messages").contains { $0.contains("M2PD") })
            },
            ConnectorContract("somebody ends the own link in the source, which an old message does not do again") {
                world in
                _ = try await fill(world)
                #expect(try await write("unlink", by: World.ada, world) == .noLink)
                try await keep(code, of: "account", world)
                #expect(try await write("link \(code)", by: World.ada, world) == .joined)
                #expect(try await write("unlink", by: World.bob, world) == .noLink)
                #expect(try await accounts(world).count == 1)
                #expect(try await write("unlink", by: World.ada, world) == .ended)
                #expect(try await texts(for: "account", world) == nil)
                try await keep("7KQX-M2PE", of: "account", world)
                #expect(try await write("link 7KQX-M2PE", by: World.ada, world) == .joined)
                // The room is read again from its beginning.
                try await world.store.setConnection(to: World.source, isActive: false, at: world.clock.now())
                try await world.store.setConnection(to: World.source, isActive: true, at: world.clock.now())
                world.connected.forget()
                world.removeNexus()
                try await world.deliver()
                try await world.connect()
                #expect(try await accounts(world).count == 1)
                #expect(try await texts(for: "account", world)?.count == 14)
            },
            ConnectorContract("a link gives the source nothing of the account") { world in
                _ = try await fill(world)
                let moment = world.clock.now()
                var open = ConversationRoster.of("open", [])
                open.conversation.visibility = .everyone
                _ = try await world.store.store(
                    [ConversationRoster.of("board", ["account"]), open], source: "api", mode: .posting, at: moment)
                try await keep(code, of: "account", world)
                #expect(try await write("link \(code)", by: World.ada, world) == .joined)
                // In Nexus the account reads both; asked in the source it gets what the source gives.
                let own = try await world.store.permitted(
                    SearchScope(asker: "account", conversations: .all), at: world.clock.now())
                #expect(Set(own.map(\.id)) == ["board", "open", World.conversation])
                let inSource = try await world.store.audience(
                    of: World.conversation, asker: "account", at: world.clock.now())
                #expect(inSource == [World.conversation, "open"])
                let bob = try await world.store.audience(
                    of: World.conversation, asker: World.user(World.bob), at: world.clock.now())
                #expect(bob == [World.conversation, "open"])
                let here = try await world.store.audience(of: "board", asker: "account", at: world.clock.now())
                #expect(here == [World.conversation, "board", "open"])
                // The account stays what it is.
                #expect(try await world.store.kind(of: "account") == .member)
            },
            ConnectorContract("disconnecting and erasing end links") { world in
                _ = try await fill(world)
                try await keep(code, of: "account", world)
                #expect(try await write("link \(code)", by: World.ada, world) == .joined)
                _ = try await world.store.beginDisconnecting(World.source, at: world.clock.now())
                #expect(try await accounts(world).isEmpty)
                #expect(try await texts(for: "account", world) == nil)
                #expect(try await world.texts(for: World.ada)?.count == 10)
            },
            ConnectorContract("an erased person has no link") { world in
                _ = try await fill(world)
                try await keep(code, of: "account", world)
                #expect(try await write("link \(code)", by: World.ada, world) == .joined)
                #expect(try await write("link AAAA-AAA2", by: World.ada, world) == .wrongCode)
                _ = try await world.store.erase(.user("account"), at: world.clock.now())
                #expect(try await world.store.finishErasing(.user("account"), at: .second(1_000)))
                for table in ["person_links", "link_attempts", "link_outcomes", "source_addresses", "link_codes"] {
                    #expect(try await world.store.inspect("SELECT COUNT(*) FROM \(table)") == ["0"], "\(table)")
                }
            },
            ConnectorContract("an administrator's mapping ends a link, and a code changes no mapping") { world in
                _ = try await fill(world)
                let mapping = Identity(source: World.source, externalID: author(World.ada), userID: "mapped")
                _ = try await world.store.map(mapping, at: world.clock.now())
                try await keep(code, of: "account", world)
                #expect(try await write("link \(code)", by: World.ada, world) == .authorTaken)
                #expect(try await texts(for: "account", world) == nil)
                try await keep("7KQX-M2PE", of: "account", world)
                #expect(try await write("link 7KQX-M2PE", by: World.bob, world) == .joined)
                _ = try await world.store.map(
                    Identity(source: World.source, externalID: author(World.bob), userID: "mapped2"),
                    at: world.clock.now())
                #expect(try await accounts(world).isEmpty)
                #expect(try await texts(for: "account", world) == nil)
            },
        ]
    }
}

/// Answers that must go, and that a server does not let go.
extension ConnectorContract {
    static var refusedRemovals: [ConnectorContract] {
        [
            ConnectorContract("an answer that cannot be removed is shown as something to do until it is") { world in
                world.makeRoom()
                try await world.connect()
                let question = world.say("@nexus when?", by: World.ada)
                try await world.deliver()
                try await world.answer(question)
                try await deliver(world, until: true)
                #expect(try await note(world) == nil)
                world.delete(question, by: World.ada)
                try await world.deliver()
                for _ in 1...3 {
                    world.failRemoving()
                    try await deliver(world, until: false)
                }
                // It is in the store, so a restart does not hide it.
                try world.restart()
                let found = try #require(try await note(world))
                #expect(found.detail == "1" && found.text.hasPrefix("1 answer is still shown there that must go"))
                #expect(try await world.connected.report()[0].contains("let Nexus delete its messages"))
                try await deliver(world, until: true)
                #expect(try await note(world) == nil)
                #expect(world.shownAnswers().isEmpty)
            }
        ]
    }

    private static func note(_ world: World) async throws -> ConnectionOverview.Note? {
        try await world.connected.overview().notes.first { $0.code == .removals }
    }

    /// Delivers as ``MentionWebhook`` does.
    private static func deliver(_ world: World, until isDone: Bool) async throws {
        world.clock.advance(by: .seconds(3_600))
        let moment = world.clock.now()
        let delivery = try #require(try await world.store.claimDelivery(until: moment + .seconds(60), at: moment))
        #expect(try await world.connected.deliver(delivery.answer) == isDone)
        try await world.store.settle(delivery, retryAt: isDone ? nil : moment)
    }
}

extension ConnectorWorld {
    /// Answers a question as ``MentionService`` does.
    func answer(_ question: String) async throws {
        let start = try await store.beginMentions()
        let key = MessageKey(conversationID: Self.conversation, messageID: MessageID(rawValue: question))
        try await store.queueMentions([key], through: start, at: clock.now())
        let mention = try #require(
            try await store.claimMention(until: clock.now() + .seconds(60), at: clock.now()))
        let posted = try await store.post(
            answer("On Friday.", to: question, citing: question), to: key, attempt: mention.attempts, as: .answered,
            standingOn: [], isDelivered: true, at: clock.now())
        #expect(posted == .posted)
    }
}
