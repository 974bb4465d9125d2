import ChatCore
import LiveChat
import Testing

/// Who gets which frame, and when.
///
/// Connection 1 is Ann's.
@Suite struct PresenceWatchingTests {
    private var board = PresenceBoard()

    private init() {
        _ = board.connect(1, user: "ann", device: "a", at: at(0))
    }

    private func users(_ answer: [Delivery<PresenceFrame>]) -> [UserID] {
        answer.flatMap { $0.inOrder.event.presences.map(\.user) }
    }

    @Test mutating func aNewWatchGetsThePresenceOfAllInOneFrame() throws {
        _ = board.connect(2, user: "bob", device: "b", at: at(0))

        let answer = try board.watch(["cid", "bob"], by: 1, at: at(1)) { _ in true }

        #expect(answer.map(\.connection) == [1])
        #expect(
            answer.first?.event
                == PresenceFrame(
                    time: at(1),
                    presences: [
                        Presence(user: "bob", status: .online, lastBeat: at(0)),
                        Presence(user: "cid", status: .offline),
                    ]))
    }

    @Test mutating func changesWithinASecondComeInOneFrameWithTheNewestState() throws {
        _ = try board.watch(["bob", "cid"], by: 1, at: at(1)) { _ in true }

        #expect(board.connect(2, user: "bob", device: "b", at: at(1.2)).isEmpty)
        #expect(board.connect(3, user: "cid", device: "c", at: at(1.4)).isEmpty)
        #expect(board.beat(2, activity: .away, at: at(1.6)).isEmpty)
        #expect(board.nextDue == at(2))
        #expect(board.advance(to: at(1.999)).isEmpty)
        let answer = board.advance(to: at(2))

        #expect(
            answer.first?.inOrder.event.presences == [
                Presence(user: "bob", status: .away, lastBeat: at(1.6)),
                Presence(user: "cid", status: .online, lastBeat: at(1.4)),
            ])
        #expect(board.nextDue == at(60))
    }

    @Test mutating func aChangeThatIsTakenBackWithinASecondSendsNothing() throws {
        _ = board.connect(2, user: "bob", device: "b", at: at(0))
        _ = try board.watch(["bob"], by: 1, at: at(1)) { _ in true }

        _ = board.beat(2, activity: .away, at: at(1.1))
        _ = board.beat(2, activity: .active, at: at(1.2))
        #expect(board.advance(to: at(2)).isEmpty)
        let answer = board.beat(2, activity: .away, at: at(2.1))

        #expect(users(answer) == ["bob"])
    }

    @Test mutating func aConnectionGetsAtMostOneFrameASecond() throws {
        _ = try board.watch(["bob"], by: 1, at: at(0)) { _ in true }
        _ = board.connect(2, user: "bob", device: "b", at: at(0))
        var times: [Timestamp] = []

        for tenth in 1...100 {
            let activity: PresenceActivity = (tenth / 7).isMultiple(of: 2) ? .away : .active
            let answer = board.beat(2, activity: activity, at: at(Double(tenth) / 10))
            times += answer.map(\.event.time)
        }

        #expect(times.count > 5)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) })
    }

    @Test mutating func onlyWatchersGetFrames() throws {
        _ = board.connect(2, user: "cid", device: "c", at: at(0))
        _ = board.connect(3, user: "dan", device: "d", at: at(0))
        _ = try board.watch(["bob"], by: 1, at: at(1)) { _ in true }
        _ = try board.watch(["bob"], by: 2, at: at(1)) { _ in true }
        _ = try board.watch(["ann"], by: 3, at: at(1)) { _ in true }

        let answer = board.connect(4, user: "bob", device: "b", at: at(5))

        #expect(answer.map(\.connection) == [1, 2])
    }

    @Test mutating func aNewListReplacesTheOldOne() throws {
        _ = try board.watch(["bob", "cid"], by: 1, at: at(1)) { _ in true }

        let answer = try board.watch(["cid", "dan"], by: 1, at: at(3)) { _ in true }

        #expect(users(answer) == ["dan"])
        #expect(board.connect(2, user: "bob", device: "b", at: at(5)).isEmpty)
        #expect(users(board.connect(3, user: "cid", device: "c", at: at(5))) == ["cid"])
    }

    @Test mutating func aPersonThatIsWatchedNoMoreLeavesTheNextFrame() throws {
        _ = try board.watch(["bob"], by: 1, at: at(1)) { _ in true }
        _ = board.connect(2, user: "bob", device: "b", at: at(1.1))

        #expect(try board.watch([], by: 1, at: at(1.2)) { _ in true }.isEmpty)

        #expect(board.nextDue == at(60))
        #expect(board.advance(to: at(3)).isEmpty)
    }

    @Test mutating func peopleOfWhomNothingIsKnownTakeNoRoom() throws {
        for number in 0..<50 {
            let users: Set<UserID> = ["bob", UserID(rawValue: "u\(number)"), UserID(rawValue: "v\(number)")]
            let answer = try board.watch(users, by: 1, at: at(Double(number))) { _ in true }
            #expect(Set(self.users(answer)) == (number == 0 ? users : users.subtracting(["bob"])))
        }

        #expect(board.sizes == (links: 1, watched: 3, people: 4))
        #expect(users(board.connect(2, user: "v49", device: "v", at: at(55))) == ["v49"])
        #expect(board.connect(3, user: "v48", device: "v", at: at(57)).isEmpty)
    }

    @Test mutating func tooManyPeopleAreAnErrorThatChangesNothing() throws {
        let many = Set((0..<201).map { UserID(rawValue: "u\($0)") })
        _ = try board.watch(["bob"], by: 1, at: at(0)) { _ in true }

        #expect(throws: PresenceError.tooManyWatched(limit: 200, got: 201)) {
            try board.watch(many, by: 1, at: at(1)) { _ in false }
        }
        #expect(users(board.connect(2, user: "bob", device: "b", at: at(2))) == ["bob"])
        #expect(users(try board.watch(Set(many.sorted().dropFirst()), by: 1, at: at(4)) { _ in true }).count == 200)
    }

    @Test mutating func peopleThatMayNotBeWatchedAreLeftOut() throws {
        _ = board.connect(2, user: "bob", device: "b", at: at(0))
        _ = board.connect(3, user: "cid", device: "c", at: at(0))

        let answer = try board.watch(["bob", "cid"], by: 1, at: at(1)) { $0 == "cid" }

        #expect(users(answer) == ["cid"])
        #expect(board.close(2, at: at(5)).isEmpty)
    }

    @Test mutating func aPersonMayWatchThemselves() throws {
        let answer = try board.watch(["ann"], by: 1, at: at(1)) { _ in false }
        #expect(answer.first?.event.presences == [Presence(user: "ann", status: .online, lastBeat: at(0))])

        let away = board.beat(1, activity: .away, at: at(3))
        #expect(away.first?.event.presences == [Presence(user: "ann", status: .away, lastBeat: at(3))])

        #expect(board.close(1, at: at(5)).isEmpty)
        #expect(board.sizes == (links: 0, watched: 0, people: 1))
    }

    @Test mutating func aConnectionThatEndsWatchesNobody() throws {
        _ = board.connect(2, user: "ann", device: "other", at: at(0))
        _ = try board.watch(["bob"], by: 1, at: at(1)) { _ in true }
        _ = try board.watch(["bob"], by: 2, at: at(1)) { _ in true }

        _ = board.close(1, at: at(2))
        _ = board.drop(2, at: at(2))

        #expect(board.sizes.watched == 0)
        #expect(board.connect(3, user: "bob", device: "b", at: at(5)).isEmpty)
    }

    @Test mutating func losingAConversationEndsTheWatchesOnBothSides() throws {
        _ = board.connect(2, user: "bob", device: "b", at: at(0))
        _ = board.connect(3, user: "cid", device: "c", at: at(0))
        _ = try board.watch(["bob", "cid"], by: 1, at: at(1)) { _ in true }
        _ = try board.watch(["ann", "cid"], by: 2, at: at(1)) { _ in true }
        _ = try board.watch(["ann", "bob"], by: 3, at: at(1)) { _ in true }

        _ = board.recheck("bob", at: at(5)) { watcher, watched in [watcher, watched].sorted() == ["bob", "cid"] }

        #expect(board.beat(1, activity: .away, at: at(10)).map(\.connection) == [3])
        #expect(board.beat(2, activity: .away, at: at(20)).map(\.connection) == [3])
        #expect(board.beat(3, activity: .away, at: at(30)).map(\.connection) == [1, 2])
    }

    @Test mutating func sendsAllAgainAfterDroppedFrames() throws {
        _ = try board.watch(["bob", "cid"], by: 1, at: at(1)) { _ in true }

        let answer = board.resend(to: 1, at: at(1.5)) + board.advance(to: at(2))

        #expect(users(answer) == ["bob", "cid"])
        #expect(answer.first?.event.time == at(2))
    }

    @Test mutating func aHiddenLastSeenIsNotShown() throws {
        _ = board.connect(2, user: "bob", device: "b", hidesLastSeen: true, at: at(0))
        _ = try board.watch(["bob"], by: 1, at: at(1)) { _ in true }

        let answer = board.close(2, at: at(5))
        #expect(answer.first?.event.presences == [Presence(user: "bob", status: .offline)])

        let shown = board.setHidesLastSeen(false, of: "bob", at: at(10))
        #expect(shown.first?.event.presences == [Presence(user: "bob", status: .offline, lastSeen: at(5))])

        let hidden = board.setHidesLastSeen(true, of: "bob", at: at(20))
        #expect(hidden.first?.event.presences == [Presence(user: "bob", status: .offline)])
        #expect(board.setHidesLastSeen(true, of: "bob", at: at(30)).isEmpty)
    }
}
