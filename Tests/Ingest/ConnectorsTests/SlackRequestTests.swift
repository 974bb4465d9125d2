import ChatCore
import Connectors
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing
import Transport

private typealias World = SlackRequestWorld

/// Slack's Events API over HTTP: signatures, repeats, and replies in time.
@Suite(.hangGuard) struct SlackRequestTests {
    /// Brings Nexus into the room, and forgets the events of that.
    private func connect(_ world: SlackRequestWorld) async throws {
        world.makeRoom()
        try await world.connect()
        _ = try await world.store.inspect("DELETE FROM connector_inbox WHERE body IS NULL RETURNING number")
    }

    private func inbox(_ world: SlackRequestWorld) async throws -> [String] {
        try await world.store.inspect("SELECT COALESCE(body, 'taken') FROM connector_inbox ORDER BY number")
    }

    /// The example of Slack's documentation "Verifying requests from Slack".
    @Test func theSignatureIsThatOfSlacksDocumentation() {
        let body =
            "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
            + "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
            + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F"
            + "96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
        #expect(
            World.signature(of: Array(body.utf8), at: "1531420618", secret: World.secret)
                == "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503")
    }

    @Test(arguments: [0, 299, -299, 301, -301]) func timesMayDifferByFiveMinutes(age: Int64) async throws {
        try await World.with { world in
            let reply = await world.connector.take(
                world.request(#"{"type":"url_verification","challenge":"3eZ \u00fc"}"#, age: age))
            let isNear = abs(age) < 300
            #expect(reply.status == (isNear ? 200 : 401))
            #expect(reply.body == (isNear ? #"{"challenge":"3eZ ü"}"# : #"{"error":"invalid request"}"#))
        }
    }

    @Test func whatIsNotSignedIsRefusedAndNotKept() async throws {
        try await World.with { world in
            try await connect(world)
            world.say("secret plans", by: World.ada)
            let body = try #require(world.home.takeRequests().first)
            let right = world.request(body)
            var wrong: [SlackRequest] = [world.request(body, secret: "another secret")]
            for change: (inout SlackRequest) -> Void in [
                { $0.signature = nil }, { $0.timestamp = nil }, { $0.signature = "" }, { $0.body.append(0x20) },
                { $0.signature = $0.signature.map { String($0.dropLast()) } }, { $0.timestamp = "now" },
                { $0.timestamp = $0.timestamp.map { "0\($0)" } }, { $0.timestamp = "99999999999999999999" },
                { $0.signature = $0.signature.map { "v1\($0.dropFirst(2))" } },
            ] {
                var request = right
                change(&request)
                wrong.append(request)
            }
            for request in wrong { #expect(await world.connector.take(request).status == 401) }
            #expect(try await inbox(world).isEmpty)
            #expect(await world.connector.take(right).status == 200)
            #expect(try await inbox(world).count == 1)
        }
    }

    @Test func anEventIsInTheStoreBeforeItIsAcknowledged() async throws {
        try await World.with { world in
            try await connect(world)
            world.say("one", by: World.ada)
            for body in world.home.takeRequests() {
                #expect(await world.connector.take(world.request(body)).status == 200)
            }
            let kept = try await inbox(world)
            #expect(kept.contains { $0.contains("one") })
            // Slack's former proof of origin is a secret.
            #expect(!kept.contains { $0.contains("proof of origin") })

            try world.restart()
            let calls = world.home.callCount("conversations.history")
            _ = try await world.connector.takeWaiting()
            #expect(try await world.texts(for: World.ada) == ["one"])
            #expect(world.home.callCount("conversations.history") == calls)
            #expect(try await Set(inbox(world)) == ["taken"])
        }
    }

    @Test func repeatsAreKnownByTheirId() async throws {
        try await World.with { world in
            try await connect(world)
            world.say("one", by: World.ada)
            let body = try #require(world.home.takeRequests().first)
            for retry in [nil, 1, 2] {
                #expect(await world.connector.take(world.request(body, retry: retry)).status == 200)
            }
            #expect(try await inbox(world).count == 1)
            _ = try await world.connector.takeWaiting()
            // It comes again after it was taken, and to another node.
            try world.restart()
            #expect(await world.connector.take(world.request(body, retry: 2)).status == 200)
            #expect(try await inbox(world) == ["taken"])
            #expect(try await world.texts(for: World.ada) == ["one"])

            // Ids are forgotten after a day.
            world.clock.advance(by: .seconds(90_000))
            world.say("two", by: World.ada)
            try await world.follow()
            #expect(try await inbox(world).count == 1)
            #expect(try await world.texts(for: World.ada) == ["one", "two"])
        }
    }

    @Test func whenEventsMayBeLostEverythingIsCompared() async throws {
        try await World.with { world in
            try await connect(world)
            try await world.compare()
            world.say("lost", by: World.ada)
            world.home.loseDeliveries()
            world.home.sendOverHTTP()
            try await world.compare()
            #expect(try await world.texts(for: World.ada) == [])

            let limited = #"{"type":"app_rate_limited","team_id":"T","minute_rate_limited":1518467820}"#
            #expect(await world.connector.take(world.request(limited)).status == 200)
            _ = try await world.connector.takeWaiting()
            try await world.read()
            #expect(try await world.texts(for: World.ada) == ["lost"])

            world.say("lost, too", by: World.ada)
            world.home.loseDeliveries()
            world.home.sendOverHTTP()
            world.say("given up", by: World.ada)
            let body = try #require(world.home.takeRequests().first)
            #expect(await world.connector.take(world.request(body, retry: 3)).status == 200)
            _ = try await world.connector.takeWaiting()
            try await world.read()
            #expect(try await world.texts(for: World.ada) == ["lost", "lost, too", "given up"])
        }
    }

    @Test func theReplyComesInTimeWhateverTheStoreDoes() async throws {
        try await PostgresServer.shared().withStore { store, address in
            let world = try World(store)
            try await connect(world)
            let connector = try World.connector(
                world.home, store, try CurlTransport(), world.clock, signingSecret: World.secret,
                replyLimit: .milliseconds(300))
            world.say("one", by: World.ada)
            let body = try #require(world.home.takeRequests().first)
            let other = try LibpqConnection(address)
            defer { other.close() }
            try other.run("BEGIN")
            try other.run("LOCK TABLE connector_inbox IN ACCESS EXCLUSIVE MODE")
            let start = ContinuousClock.now
            #expect(await connector.take(world.request(body)).status == 503)
            #expect(ContinuousClock.now - start < .seconds(3))
            try other.run("ROLLBACK")

            // Slack sends it again, although the first write is done meanwhile.
            var reply = await connector.take(world.request(body, retry: 1))
            while reply.status != 200 { reply = await connector.take(world.request(body, retry: 1)) }
            #expect(try await inbox(world).count == 1)
            _ = try await connector.takeWaiting()
            #expect(try await world.texts(for: World.ada) == ["one"])
        }
    }

    @Test(arguments: [false, true]) func waitingEventsGoWithWhatIsErased(ofPerson: Bool) async throws {
        try await World.with { world in
            try await connect(world)
            world.say("a secret that waits", by: World.bob)
            for body in world.home.takeRequests() { _ = await world.connector.take(world.request(body)) }
            let subject: ErasureSubject =
                ofPerson ? .user(World.user(World.bob)) : .conversation(World.conversation)
            _ = try await world.store.erase(subject, at: world.clock.now())
            #expect(try await !inbox(world).contains { $0.contains("secret") })
            // The connector compares instead.
            world.say("later", by: World.ada)
            try await world.deliver()
            let later = try await world.texts(for: World.ada)
            #expect(ofPerson ? later?.suffix(1) == ["later"] : later == nil)
        }
    }

    @Test func aPausedConnectionKeepsNothing() async throws {
        try await World.with { world in
            try await connect(world)
            try await world.store.setConnection(to: World.source, isActive: false, at: world.clock.now())
            world.say("meanwhile", by: World.ada)
            for body in world.home.takeRequests() {
                #expect(await world.connector.take(world.request(body)).status == 200)
            }
            #expect(try await inbox(world).isEmpty)
        }
    }

    @Test func eventsOfAnotherWorkspaceAreDropped() async throws {
        try await World.with { world in
            try await connect(world)
            world.home.send(
                [
                    "type": .string("message"), "channel": .string(World.room), "user": .string(World.ada),
                    "ts": .string("1760000900.000100"), "text": .string("foreign"),
                ], authorizedFor: ["T0OTHER"])
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == [])
        }
    }

    @Test func theReportSaysWhetherEventsCame() async throws {
        try await World.with { world in
            try await connect(world)
            try world.restart()
            try await world.read()
            #expect(try await world.connector.report()[0].contains("no event came over HTTP"))
            #expect(try await world.connector.test().map(\.isWorking) == [true, false])
            world.say("one", by: World.ada)
            try await world.follow()
            #expect(try await !world.connector.report()[0].contains("no event came over HTTP"))
            #expect(try await world.connector.test().map(\.isWorking) == [true, true])
        }
    }
}
