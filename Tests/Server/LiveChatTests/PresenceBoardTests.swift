import ChatCore
import LiveChat
import Testing

/// Leases, devices and last seen.
///
/// Connection 1 is Ann's, and connection 2 is Bob's.
@Suite struct PresenceBoardTests {
    private var board = PresenceBoard()

    private func status(of user: UserID) -> PresenceStatus { board.presence(of: user).status }

    /// The presence of Bob in the only frame of an answer, which is for Ann.
    private func bob(_ answer: [Delivery<PresenceFrame>]) throws -> Presence {
        let delivery = try #require(answer.first)
        #expect(answer.count == 1)
        #expect(delivery.connection == 1)
        #expect(delivery.event.presences.count == 1)
        return try #require(delivery.event.presences.first)
    }

    /// Ann connects, and watches Bob, who is offline.
    private mutating func begin() throws {
        #expect(board.connect(1, user: "ann", device: "a", at: at(0)).isEmpty)
        let answer = try board.watch(["bob"], by: 1, at: at(0)) { _ in true }
        #expect(try bob(answer) == Presence(user: "bob", status: .offline))
    }

    @Test mutating func aPersonIsOnlineWithAConnection() throws {
        try begin()

        let answer = board.connect(2, user: "bob", device: "b", at: at(5))

        #expect(try bob(answer) == Presence(user: "bob", status: .online, lastBeat: at(5)))
        #expect(answer.first?.event.time == at(5))
    }

    @Test mutating func heartbeatsKeepALeaseAliveAndSendNothing() throws {
        try begin()
        _ = board.connect(2, user: "bob", device: "b", at: at(5))

        for beat in 1...10 {
            #expect(board.beat(1, at: at(Double(30 * beat))).isEmpty)
            #expect(board.beat(2, at: at(Double(30 * beat + 5))).isEmpty)
        }

        #expect(board.presence(of: "bob") == Presence(user: "bob", status: .online, lastBeat: at(305)))
        #expect(board.nextDue == at(360))
    }

    @Test mutating func aLeaseEndsSixtySecondsAfterItsLastHeartbeat() throws {
        try begin()
        _ = board.connect(2, user: "bob", device: "b", at: at(5))
        _ = board.beat(1, at: at(30))
        _ = board.beat(2, at: at(35))
        _ = board.beat(1, at: at(60))

        #expect(board.nextDue == at(95))
        #expect(board.advance(to: at(94.999_999)).isEmpty)
        #expect(status(of: "bob") == .online)
        let answer = board.advance(to: at(95))

        #expect(try bob(answer) == Presence(user: "bob", status: .offline, lastSeen: at(35)))
        #expect(board.nextDue == at(120))
    }

    @Test mutating func aCleanCloseEndsTheLeaseAtOnce() throws {
        try begin()
        _ = board.connect(2, user: "bob", device: "b", at: at(5))

        let answer = board.close(2, at: at(7.5))

        #expect(try bob(answer) == Presence(user: "bob", status: .offline, lastSeen: at(7.5)))
    }

    @Test mutating func aSilentConnectionComesBackWithItsNextHeartbeat() throws {
        try begin()
        _ = board.connect(2, user: "bob", device: "b", at: at(1))
        _ = board.beat(1, at: at(50))
        _ = try bob(board.advance(to: at(61)))

        let answer = board.beat(2, at: at(90))

        #expect(try bob(answer).status == .online)
        #expect(board.nextDue == at(110))
    }

    @Test mutating func theTimeOfACloseIsNotLastSeenWhenTheLeaseHadEnded() throws {
        _ = board.connect(2, user: "bob", device: "b", at: at(0))
        _ = board.advance(to: at(70))

        _ = board.close(2, at: at(100))

        #expect(board.presence(of: "bob").lastSeen == at(0))
    }

    @Test mutating func aClientSaysWhetherItIsAway() throws {
        try begin()
        _ = board.connect(2, user: "bob", device: "b", at: at(5))

        let away = board.beat(2, activity: .away, at: at(10))
        let active = board.beat(2, activity: .active, at: at(20))

        #expect(try bob(away) == Presence(user: "bob", status: .away, lastBeat: at(10)))
        #expect(try bob(active) == Presence(user: "bob", status: .online, lastBeat: at(20)))
    }

    @Test mutating func anActivityLastsUntilTheClientChangesIt() {
        _ = board.connect(2, user: "bob", device: "b", activity: .away, at: at(0))
        _ = board.beat(2, at: at(30))
        #expect(status(of: "bob") == .away)

        _ = board.advance(to: at(100))
        _ = board.beat(2, at: at(101))

        #expect(status(of: "bob") == .away)
    }

    @Test mutating func devicesMerge() {
        _ = board.connect(2, user: "bob", device: "phone", at: at(0))
        _ = board.connect(3, user: "bob", device: "laptop", activity: .away, at: at(1))
        #expect(status(of: "bob") == .online)

        _ = board.beat(2, activity: .away, at: at(2))
        #expect(status(of: "bob") == .away)

        _ = board.beat(3, activity: .active, at: at(3))
        #expect(status(of: "bob") == .online)

        _ = board.close(3, at: at(4))
        #expect(board.presence(of: "bob") == Presence(user: "bob", status: .away, lastBeat: at(2)))

        _ = board.close(2, at: at(5))
        #expect(board.presence(of: "bob") == Presence(user: "bob", status: .offline, lastSeen: at(5)))
    }

    @Test mutating func lastSeenIsTheLatestOfAllDevices() {
        _ = board.connect(2, user: "bob", device: "phone", at: at(0))
        _ = board.connect(3, user: "bob", device: "laptop", at: at(10))
        _ = board.close(3, at: at(20))

        _ = board.advance(to: at(60))

        #expect(board.presence(of: "bob") == Presence(user: "bob", status: .offline, lastSeen: at(20)))
    }

    @Test mutating func twoTabsOfOneDeviceHoldItTogether() {
        _ = board.connect(2, user: "bob", device: "browser", at: at(0))
        _ = board.connect(3, user: "bob", device: "browser", activity: .away, at: at(1))

        _ = board.close(2, at: at(2))
        #expect(status(of: "bob") == .away)

        _ = board.close(3, at: at(3))
        #expect(status(of: "bob") == .offline)
    }
}

/// Connections that break, and clocks that jump.
@Suite struct PresenceRecoveryTests {
    private var board = PresenceBoard()

    /// Ann watches Bob, who is online with his phone as connection 2.
    private mutating func begin() throws {
        _ = board.connect(1, user: "ann", device: "a", at: at(0))
        _ = board.connect(2, user: "bob", device: "phone", at: at(0))
        _ = try board.watch(["bob"], by: 1, at: at(0)) { _ in true }
        _ = board.beat(1, at: at(20))
    }

    @Test mutating func aDeviceThatComesBackInTimeWasNeverOffline() throws {
        try begin()

        #expect(board.drop(2, at: at(25)).isEmpty)
        #expect(board.presence(of: "bob").status == .online)
        #expect(board.connect(3, user: "bob", device: "phone", at: at(59)).isEmpty)
        #expect(board.advance(to: at(61)).isEmpty)

        #expect(board.presence(of: "bob") == Presence(user: "bob", status: .online, lastBeat: at(59)))
        #expect(board.sizes.links == 2)
    }

    @Test mutating func aDeviceThatComesBackBeforeItsOldConnectionIsGoneStays() throws {
        try begin()

        #expect(board.connect(3, user: "bob", device: "phone", at: at(25)).isEmpty)
        #expect(board.drop(2, at: at(26)).isEmpty)
        #expect(board.sizes.links == 2)
        let answer = board.close(3, at: at(27))

        #expect(answer.first?.event.presences == [Presence(user: "bob", status: .offline, lastSeen: at(27))])
    }

    @Test mutating func theOldConnectionsCleanCloseDoesNotEndTheNewLease() throws {
        try begin()

        #expect(board.connect(3, user: "bob", device: "phone", at: at(25)).isEmpty)
        #expect(board.close(2, at: at(26)).isEmpty)

        #expect(board.presence(of: "bob").status == .online)
    }

    @Test mutating func aDeviceThatComesBackAtTheVeryEndSendsNothing() throws {
        try begin()
        _ = board.drop(2, at: at(25))

        #expect(board.connect(3, user: "bob", device: "phone", at: at(60)).isEmpty)
    }

    @Test mutating func aLostDeviceGoesOfflineWhenItsLeaseEnds() throws {
        try begin()
        _ = board.drop(2, at: at(25))

        let answer = board.advance(to: at(60))

        #expect(answer.first?.event.presences == [Presence(user: "bob", status: .offline, lastSeen: at(0))])
        #expect(board.sizes.links == 1)
    }

    @Test mutating func anotherDeviceDoesNotTakeALostLease() throws {
        try begin()
        _ = board.drop(2, at: at(25))

        _ = board.connect(3, user: "bob", device: "laptop", activity: .away, at: at(30))
        #expect(board.presence(of: "bob").status == .online)
        _ = board.advance(to: at(60))

        #expect(board.presence(of: "bob").status == .away)
    }

    @Test mutating func callsForAConnectionThatIsGoneDoNothing() throws {
        try begin()
        _ = board.close(1, at: at(21))
        _ = board.drop(2, at: at(22))

        #expect(board.beat(2, at: at(50)).isEmpty)
        #expect(board.close(2, at: at(51)).isEmpty)
        #expect(board.drop(2, at: at(51)).isEmpty)
        #expect(try board.watch(["bob"], by: 1, at: at(52)) { _ in true }.isEmpty)
        #expect(board.resend(to: 1, at: at(53)).isEmpty)
        #expect(board.nextDue == at(60))
        _ = board.advance(to: at(60))

        #expect(board.sizes == (links: 0, watched: 0, people: 2))
        #expect(board.nextDue == nil)
    }

    @Test mutating func aClockThatIsSetBackNeitherEndsNorProlongsALease() throws {
        let hour = 3_600.0
        _ = board.connect(1, user: "ann", device: "a", at: at(hour))
        _ = board.connect(2, user: "bob", device: "phone", at: at(hour))
        _ = try board.watch(["bob"], by: 1, at: at(hour)) { _ in true }
        _ = board.beat(1, at: at(hour + 40))

        _ = board.beat(1, at: at(0))
        #expect(board.nextDue == at(20))
        #expect(board.presence(of: "bob") == Presence(user: "bob", status: .online, lastBeat: at(-40)))
        let answer = board.advance(to: at(20))

        #expect(
            answer.first?.event
                == PresenceFrame(
                    time: at(20), presences: [Presence(user: "bob", status: .offline, lastSeen: at(-40))]))
    }

    @Test mutating func aCallThatComesLateChangesNoOrder() throws {
        try begin()
        _ = board.beat(2, at: at(30))

        _ = board.beat(2, at: at(29))

        #expect(board.presence(of: "bob").lastBeat == at(30))
    }

    @Test mutating func forgetsAnErasedPerson() throws {
        try begin()
        _ = try board.watch(["ann"], by: 2, at: at(20)) { _ in true }

        let answer = board.forget("bob", at: at(25))

        #expect(answer.first?.event.presences == [Presence(user: "bob", status: .offline)])
        #expect(board.sizes == (links: 1, watched: 1, people: 2))
        #expect(board.beat(2, at: at(26)).isEmpty)
        #expect(board.presence(of: "bob") == Presence(user: "bob", status: .offline))
        _ = try board.watch([], by: 1, at: at(27)) { _ in true }
        #expect(board.sizes == (links: 1, watched: 0, people: 1))
    }
}
