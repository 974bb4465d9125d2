import ChatCore
import LiveChat
import Synchronization
import TestSupport
import Testing

/// The shared boards: order, errors and the service.
@Suite struct LiveTests {
    @Test func deliversTheFramesOfACall() throws {
        let frames = Mutex<[Delivery<PresenceFrame>]>([])
        let presence = LivePresence { deliveries in frames.withLock { $0 += deliveries } }

        presence.update { $0.connect(1, user: "ann", device: "a", at: at(0)) }
        try presence.update { try $0.watch(["bob"], by: 1, at: at(1)) { _ in true } }

        #expect(frames.withLock { $0.map(\.connection) } == [1])
        #expect(presence.presence(of: "ann").status == .online)
        #expect(presence.nextDue == at(60))
    }

    @Test func passesErrorsOn() {
        let presence = LivePresence(settings: PresenceSettings(watchLimit: 1)) { _ in }
        presence.update { $0.connect(1, user: "ann", device: "a", at: at(0)) }

        #expect(throws: PresenceError.tooManyWatched(limit: 1, got: 2)) {
            try presence.update { try $0.watch(["bob", "cid"], by: 1, at: at(1)) { _ in true } }
        }
    }

    @Test func theServiceDoesWhatIsDueAndWakesForEarlierWork() async throws {
        let time = ManualNow(at(0))
        let (frames, deliver) = AsyncStream.makeStream(of: Delivery<PresenceFrame>.self)
        let presence = LivePresence { for delivery in $0 { deliver.yield(delivery) } }
        let service = Task { await presence.run(now: time.now) }
        var next = frames.makeAsyncIterator()

        presence.update { $0.connect(1, user: "ann", device: "a", at: at(0)) }
        presence.update { $0.connect(2, user: "bob", device: "b", at: at(0)) }
        try presence.update { try $0.watch(["bob"], by: 1, at: at(0)) { _ in true } }
        #expect(await next.next()?.event.presences.map(\.status) == [.online])
        time.advance(by: .seconds(1))
        // The frame is due at 1, which is earlier than any lease: the service wakes, and finds that it is already 1.
        presence.update { $0.beat(2, activity: .away, at: at(0.5)) }
        #expect(await next.next()?.event.presences.map(\.status) == [.away])

        service.cancel()
        await service.value
    }

    @Test func aSharedBoardOfTypingDeliversToo() {
        let events = Mutex<[ConnectionID]>([])
        let typing = LiveTyping { deliveries in events.withLock { $0 += deliveries.map(\.connection) } }

        typing.update { $0.open("c", on: 1, user: "ann", at: at(0)) }
        typing.update { $0.signal("bob", in: "c", memberCount: 2, at: at(1)) }
        typing.close(1)
        typing.update { $0.stop("bob", in: "c", at: at(2)) }

        #expect(events.withLock { $0 } == [1])
    }
}
