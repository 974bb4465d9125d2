import ChatCore
import LiveChat
import Synchronization
import TestSupport
import Testing

@Suite(.hangGuard) struct LivePeopleTests {
    private func people() -> (people: LivePeople, clock: Clock) {
        let clock = Clock()
        return (LivePeople(now: { clock.now }), clock)
    }

    private final class Clock: Sendable {
        private let second = Mutex(0)
        var now: Timestamp { .second(second.withLock { $0 }) }
        func advance(by count: Int) { second.withLock { $0 += count } }
    }

    private static func typists(_ events: [LivePeople.Event]) -> [UserID] {
        events.compactMap { event in
            if case .typing(let event) = event, event.remaining > .zero { event.user } else { nil }
        }
    }

    @Test func typingReachesThoseWhoHaveTheConversationOpenAndNobodyElse() async throws {
        let (people, _) = people()
        let ada = people.connect("ada", device: nil)
        let bob = people.connect("bob", device: nil)
        let eve = people.connect("eve", device: nil)
        bob.show("c")
        eve.show("d")

        ada.type(true, in: "c", memberCount: 2)
        ada.type(true, in: "c", memberCount: 2)

        #expect(Self.typists(try await bob.events()) == ["ada"])
        eve.show("c")
        #expect(Self.typists(try await eve.events()) == ["ada"])
        for connection in [ada, bob, eve] { connection.close(isClean: true) }
    }

    @Test func presenceIsOnlineAfterAConnectionAndOfflineAfterACleanClose() async throws {
        let (people, clock) = people()
        let bob = people.connect("bob", device: nil)
        try await bob.watch(["ada", "stranger"]) { ["ada"] }
        let ada = people.connect("ada", device: "phone")
        clock.advance(by: 2)
        bob.beat()
        var statuses: [PresenceStatus] = []
        func collect(_ events: [LivePeople.Event]) {
            for case .presence(let frame) in events {
                statuses += frame.presences.filter { $0.user == "ada" }.map(\.status)
                #expect(frame.presences.allSatisfy { $0.user == "ada" })
            }
        }

        collect(try await bob.events())
        #expect(people.presence(of: "ada").status == .online)
        clock.advance(by: 2)
        ada.close(isClean: true)
        clock.advance(by: 2)
        bob.beat()
        collect(try await bob.events())

        #expect(statuses.last == .offline)
        #expect(people.presence(of: "ada").status == .offline)
        bob.close(isClean: true)
    }

    @Test(arguments: [true, false]) func whoHidesItIsNotShownWithTheLastTimeOnline(isLater: Bool) async throws {
        let (people, clock) = people()
        let ada = people.connect("ada", device: "phone", hidesLastSeen: !isLater)
        let eve = people.connect("eve", device: "phone")
        if isLater { people.setHidesLastSeen(true, of: "ada") }
        clock.advance(by: 5)
        for connection in [ada, eve] { connection.close(isClean: true) }

        #expect(people.presence(of: "ada") == Presence(user: "ada", status: .offline))
        #expect(people.presence(of: "eve") == Presence(user: "eve", status: .offline, lastSeen: .second(5)))
        people.setHidesLastSeen(false, of: "ada")
        #expect(people.presence(of: "ada").lastSeen == .second(5))
    }

    @Test func aSlowConnectionLosesTypingAndGetsThePresenceAgain() async throws {
        let (people, clock) = people()
        let bob = people.connect("bob", device: nil)
        bob.show("c")
        let typists = (0..<100).map { people.connect(UserID(rawValue: "user\($0)"), device: nil) }
        for typist in typists { typist.type(true, in: "c", memberCount: 101) }
        #expect(Self.typists(try await bob.events()).count == 64)

        for typist in typists { typist.type(false, in: "c", memberCount: 101) }
        clock.advance(by: 10)
        for typist in typists { typist.type(true, in: "c", memberCount: 101) }
        try await bob.watch(["user1"]) { ["user1"] }
        clock.advance(by: 2)
        bob.beat()
        _ = try await bob.events()
        clock.advance(by: 2)
        bob.beat()
        let events = try await bob.events()
        let isTold = events.contains { event in
            if case .presence(let frame) = event { frame.presences.contains { $0.user == "user1" } } else { false }
        }
        #expect(isTold, "\(events.count) events")
        for typist in typists { typist.close(isClean: false) }
        bob.close(isClean: true)
    }
}
