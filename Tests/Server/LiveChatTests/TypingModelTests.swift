import ChatCore
import LiveChat
import Testing

/// Does random things to the board, and computes everything again from a list of all signals.
@Suite struct TypingModelTests {
    @Test(arguments: Array(1...10) as [UInt64])
    func agreesWithANaiveModel(seed: UInt64) throws {
        var random = SeededNumbers(state: seed)
        var board = TypingBoard()
        var model = NaiveTyping()
        var eventCount = 0

        for step in 0..<4_000 {
            model.now += random.oneIn(4) ? 0 : Int.random(in: 1...900, using: &random)
            let operation = Int.random(in: 0..<12, using: &random)
            let user: UserID = ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)]
            let conversation: ConversationID = random.oneIn(2) ? "x" : "y"
            let connection = ConnectionID(rawValue: UInt64.random(in: 0..<8, using: &random))
            let memberCount = random.oneIn(6) ? 501 : 500
            var found: [Delivery<TypingEvent>] = []
            var wanted: [Delivery<TypingEvent>] = []
            switch operation {
            case 0...1:
                found = board.open(conversation, on: connection, user: user, at: model.moment)
                wanted = model.open(conversation, connection, user)
            case 2:
                board.close(connection)
                model.views[connection] = nil
            case 3...8:
                found = board.signal(user, in: conversation, memberCount: memberCount, at: model.moment)
                wanted = model.signal(user, conversation, memberCount)
            case 9...10:
                found = board.stop(user, in: conversation, at: model.moment)
                wanted = model.stop(user, conversation)
            default:
                found = board.leave(user, conversation, at: model.moment)
                wanted = model.leave(user, conversation)
            }
            try #require(found == wanted, "step \(step)")
            try #require(board.sizes.views == model.views.count)
            try #require(board.sizes.signals <= 8)
            eventCount += found.count
        }

        #expect(eventCount > 400)
    }
}

/// Keeps every signal that was passed on; times are milliseconds.
private struct NaiveTyping {
    struct Signal {
        let user: UserID
        let conversation: ConversationID
        let passedAt: Int
        var isStopped = false
    }

    var now = 0
    var views: [ConnectionID: (user: UserID, conversation: ConversationID)] = [:]
    private var signals: [Signal] = []

    var moment: Timestamp { at(Double(now) / 1_000) }

    /// The place of the newest signal.
    private func last(_ user: UserID, _ conversation: ConversationID) -> Int? {
        signals.lastIndex { $0.user == user && $0.conversation == conversation }
    }

    /// The place of a signal that is shown.
    private func shown(_ user: UserID, _ conversation: ConversationID) -> Int? {
        last(user, conversation).flatMap { place in
            !signals[place].isStopped && now < signals[place].passedAt + 6_000 ? place : nil
        }
    }

    private func deliveries(
        _ user: UserID, _ conversation: ConversationID, _ remaining: Duration
    ) -> [Delivery<TypingEvent>] {
        views.filter { $0.value.conversation == conversation && $0.value.user != user }.keys.sorted().map {
            Delivery(
                connection: $0, event: TypingEvent(conversation: conversation, user: user, remaining: remaining))
        }
    }

    mutating func open(
        _ conversation: ConversationID, _ connection: ConnectionID, _ user: UserID
    ) -> [Delivery<TypingEvent>] {
        views[connection] = (user, conversation)
        return (["a", "b", "c", "d"] as [UserID]).compactMap { typist in
            guard typist != user, let place = shown(typist, conversation) else { return nil }
            let remaining = Duration.milliseconds(signals[place].passedAt + 6_000 - now)
            return Delivery(
                connection: connection,
                event: TypingEvent(conversation: conversation, user: typist, remaining: remaining))
        }
    }

    mutating func signal(
        _ user: UserID, _ conversation: ConversationID, _ memberCount: Int
    ) -> [Delivery<TypingEvent>] {
        if memberCount > 500 { return [] }
        if let place = last(user, conversation), now < signals[place].passedAt + 3_000 { return [] }
        signals.append(Signal(user: user, conversation: conversation, passedAt: now))
        return deliveries(user, conversation, .seconds(6))
    }

    mutating func stop(_ user: UserID, _ conversation: ConversationID) -> [Delivery<TypingEvent>] {
        guard let place = shown(user, conversation) else { return [] }
        signals[place].isStopped = true
        return deliveries(user, conversation, .zero)
    }

    mutating func leave(_ user: UserID, _ conversation: ConversationID) -> [Delivery<TypingEvent>] {
        views = views.filter { $0.value.user != user || $0.value.conversation != conversation }
        return stop(user, conversation)
    }
}
