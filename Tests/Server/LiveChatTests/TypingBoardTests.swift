import ChatCore
import LiveChat
import Testing

/// Connections 1 and 2 are Ann's and Bob's; both have the conversation "c" open.
@Suite struct TypingBoardTests {
    private var board = TypingBoard()

    private init() {
        _ = board.open("c", on: 1, user: "ann", at: at(0))
        _ = board.open("c", on: 2, user: "bob", at: at(0))
    }

    private mutating func annTypes(at second: Double, memberCount: Int = 2) -> [Delivery<TypingEvent>] {
        board.signal("ann", in: "c", memberCount: memberCount, at: at(second))
    }

    private func delivery(
        to connection: ConnectionID, of user: UserID = "ann", for seconds: Double
    ) -> Delivery<TypingEvent> {
        Delivery(
            connection: connection, event: TypingEvent(conversation: "c", user: user, remaining: .seconds(seconds)))
    }

    @Test mutating func aSignalGoesToTheOthersWhoHaveTheConversationOpen() {
        _ = board.open("c", on: 3, user: "ann", at: at(0))
        _ = board.open("other", on: 4, user: "cid", at: at(0))
        _ = board.open("c", on: 5, user: "bob", at: at(0))

        #expect(annTypes(at: 1) == [delivery(to: 2, for: 6), delivery(to: 5, for: 6)])
    }

    @Test mutating func oneSignalEveryThreeSecondsIsPassedOn() {
        #expect(annTypes(at: 1).count == 1)
        #expect(annTypes(at: 1.5).isEmpty)
        #expect(annTypes(at: 3.999).isEmpty)
        #expect(annTypes(at: 4).count == 1)
    }

    @Test mutating func everyPersonAndConversationHasItsOwnInterval() {
        _ = board.open("d", on: 3, user: "bob", at: at(0))

        #expect(annTypes(at: 1).count == 1)
        #expect(board.signal("ann", in: "d", memberCount: 2, at: at(1)).map(\.connection) == [3])
        #expect(board.signal("bob", in: "c", memberCount: 2, at: at(1)).map(\.connection) == [1])
    }

    @Test mutating func stoppingIsToldOnce() {
        _ = annTypes(at: 1)

        #expect(board.stop("ann", in: "c", at: at(2)) == [delivery(to: 2, for: 0)])
        #expect(board.stop("ann", in: "c", at: at(2.5)).isEmpty)
        #expect(board.stop("bob", in: "c", at: at(2.5)).isEmpty)
    }

    @Test mutating func stoppingDoesNotShortenTheInterval() {
        _ = annTypes(at: 1)
        _ = board.stop("ann", in: "c", at: at(2))

        #expect(annTypes(at: 3.9).isEmpty)
        #expect(annTypes(at: 4) == [delivery(to: 2, for: 6)])
    }

    @Test mutating func aSignalEndsByItself() {
        _ = annTypes(at: 1)

        #expect(board.stop("ann", in: "c", at: at(7)).isEmpty)
        #expect(board.sizes.signals == 0)
    }

    @Test mutating func opensWithThoseWhoTypeNow() {
        _ = annTypes(at: 1)
        _ = board.signal("bob", in: "c", memberCount: 3, at: at(3))
        _ = board.signal("cid", in: "c", memberCount: 3, at: at(3))
        _ = board.stop("cid", in: "c", at: at(4))

        #expect(
            board.open("c", on: 6, user: "cid", at: at(5)) == [
                delivery(to: 6, for: 2), delivery(to: 6, of: "bob", for: 4),
            ])
        #expect(board.open("c", on: 7, user: "ann", at: at(5)) == [delivery(to: 7, of: "bob", for: 4)])
    }

    @Test mutating func aConnectionShowsOneConversation() {
        _ = board.open("d", on: 2, user: "bob", at: at(0))

        #expect(annTypes(at: 1).isEmpty)
        #expect(board.signal("ann", in: "d", memberCount: 2, at: at(1)).map(\.connection) == [2])
    }

    @Test mutating func aClosedConnectionGetsNothing() {
        board.close(2)
        board.close(2)

        #expect(annTypes(at: 1).isEmpty)
        #expect(board.sizes.views == 1)
    }

    @Test(arguments: [(500, 1), (501, 0)])
    mutating func typingIsOffInLargeConversations(memberCount: Int, deliveryCount: Int) {
        #expect(annTypes(at: 1, memberCount: memberCount).count == deliveryCount)
    }

    @Test mutating func aPersonWhoLeavesStopsAndSeesNothingMore() {
        _ = annTypes(at: 1)

        #expect(board.leave("ann", "c", at: at(2)) == [delivery(to: 2, for: 0)])
        #expect(board.signal("bob", in: "c", memberCount: 2, at: at(3)).isEmpty)
    }

    @Test mutating func aClockThatIsSetBackDoesNotSilenceAnybody() {
        _ = board.signal("ann", in: "c", memberCount: 2, at: at(7_200))

        #expect(annTypes(at: 100).isEmpty)
        #expect(annTypes(at: 103).count == 1)
    }
}
