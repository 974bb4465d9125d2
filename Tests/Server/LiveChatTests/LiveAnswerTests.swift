import ChatCore
import LiveChat
import Synchronization
import TestSupport
import Testing

/// Answers as they are made, people who are forgotten, and watches that end.
@Suite(.hangGuard) struct LiveAnswerTests {
    private final class Asked: Sendable {
        private let state = Mutex<(companions: [UserID: Set<UserID>], asked: [UserID])>(([:], []))

        init(_ companions: [UserID: Set<UserID>]) { state.withLock { $0.companions = companions } }

        func asked(_ user: UserID) -> Bool { state.withLock { $0.asked.contains(user) } }
        func companions(of user: UserID) -> Set<UserID> { state.withLock { $0.companions[user] ?? [] } }
        func ask(_ user: UserID) -> Set<UserID> {
            state.withLock { state in
                state.asked.append(user)
                return state.companions[user] ?? []
            }
        }
        func part() { state.withLock { $0.companions = [:] } }
    }

    private func withPeople(
        _ asked: Asked = Asked([:]), now: @escaping @Sendable () -> Timestamp = { at(0) },
        mayRead: @escaping LivePeople.ReadPermission = { _, _ in true }, _ body: (LivePeople) async throws -> Void
    ) async throws {
        let people = LivePeople(now: now)
        let running = Task { await people.run(mayRead: mayRead) { asked.ask($0) } }
        try await body(people)
        running.cancel()
        await running.value
    }

    /// Whether no event waits for a connection.
    private func isQuiet(_ connection: LiveConnection) throws -> Bool { try connection.take().isEmpty }

    @Test func piecesAreMergedAndReachTheAskersConnectionsOnly() async throws {
        try await withPeople { people in
            let phone = people.connect("ada", device: "phone")
            let desk = people.connect("ada", device: "desk")
            let bob = people.connect("bob", device: nil)
            let answer = people.beginAnswer("a1", in: .thread("t"), for: "ada")
            for number in 0..<500 { answer.take("\(number % 10)ü") }
            answer.end(.done("turn"))
            answer.end(.failed)
            answer.take("too late")

            for connection in [phone, desk] {
                var pieces: [AnswerPiece] = []
                while pieces.last?.ending == nil {
                    for case .answer(let piece) in try await connection.events() { pieces.append(piece) }
                }
                #expect(pieces.map(\.text).joined() == (0..<500).map { "\($0 % 10)ü" }.joined())
                #expect(pieces.count < 100)
                var start = 0
                for piece in pieces {
                    #expect(piece.start == start && piece.answerID == "a1" && piece.place == .thread("t"))
                    start += piece.text.unicodeScalars.count
                }
                #expect(pieces.last?.ending == .done("turn"))
                #expect(try isQuiet(connection))
            }
            #expect(try isQuiet(bob))
            for connection in [phone, desk, bob] { connection.close(isClean: true) }
        }
    }

    /// Returns the next piece that a connection gets.
    private func piece(_ connection: LiveConnection) async throws -> AnswerPiece {
        while true {
            for case .answer(let piece) in try await connection.events() { return piece }
        }
    }

    @Test(arguments: [
        AnswerPiece.Place.conversation("c"), .message(MessageKey(conversationID: "c", messageID: "m")),
    ])
    func whoLeavesTheConversationGetsNothingMoreOfTheAnswer(place: AnswerPiece.Place) async throws {
        let refusals = Mutex<(hasLeft: Bool, count: Int)>((false, 0))
        let mayRead: LivePeople.ReadPermission = { id, user in
            #expect(id == "c" && user == "ada")
            return refusals.withLock { state in
                state.count += state.hasLeft ? 1 : 0
                return !state.hasLeft
            }
        }
        try await withPeople(mayRead: mayRead) { people in
            let ada = people.connect("ada", device: nil)
            let answer = people.beginAnswer("a1", in: place, for: "ada")
            answer.take("before")
            let before = try await piece(ada)
            #expect(before.text == "before")

            refusals.withLock { $0.hasLeft = true }
            answer.take("after")
            while refusals.withLock({ $0.count }) == 0 { await shortPause() }
            answer.take("later")
            answer.end(.done("turn"))
            // Pieces are sent in one loop, so what was held before is over.
            let other = people.beginAnswer("a2", in: .thread("t"), for: "ada")
            other.take("own")

            let after = try await piece(ada)
            #expect(after.text == "own")
            #expect(try isQuiet(ada))
            ada.close(isClean: true)
        }
    }

    @Test func aQuestionThatFailsBeforeThereIsTextShowsNothing() async throws {
        try await withPeople { people in
            let ada = people.connect("ada", device: nil)
            people.beginAnswer("a1", in: .conversation("c"), for: "ada").end(.failed)
            let broken = people.beginAnswer("a2", in: .conversation("c"), for: "ada")
            broken.take("Fri")
            let first = try await piece(ada)
            broken.end(.failed)
            let last = try await piece(ada)

            #expect(first.answerID == "a2" && last.ending == .failed)
            #expect(try isQuiet(ada))
            ada.close(isClean: true)
        }
    }

    @Test func aForgottenPersonsConnectionsEnd() async throws {
        try await withPeople { people in
            let ada = people.connect("ada", device: nil)
            let bob = people.connect("bob", device: nil)
            people.forget("ada")

            await #expect(throws: LivePeople.ForgottenError.self) { _ = try await ada.events() }
            let rest = try bob.take()
            #expect(rest.isEmpty)
            #expect(people.presence(of: "ada").status == .offline)
            #expect(people.presence(of: "ada").lastSeen == nil)
            #expect(people.presence(of: "bob").status == .online)
            ada.close(isClean: false)
            #expect(people.presence(of: "ada").lastSeen == nil)
            bob.close(isClean: true)
        }
    }

    @Test func aWatchEndsWhenNoConversationIsSharedAnyMore() async throws {
        let asked = Asked(["ada": ["bob"], "bob": ["ada"]])
        let clock = ManualNow(at(0))
        try await withPeople(asked, now: clock.now) { people in
            let bob = people.connect("bob", device: nil)
            let ada = people.connect("ada", device: nil)
            let zoe = people.connect("zoe", device: nil)
            try await bob.watch(["ada"]) { asked.companions(of: "bob") }
            clock.advance(by: .seconds(2))
            bob.beat()
            let first = try await bob.events()
            #expect(!first.isEmpty)

            asked.part()
            people.follow([
                Change(number: ChangeNumber(rawValue: 1), conversationID: "c", subject: .membership("ada"))
            ])
            while !asked.asked("ada") { await shortPause() }
            // People are checked one after another, so the check before this one is over.
            people.follow([
                Change(number: ChangeNumber(rawValue: 2), conversationID: "c", subject: .membership("zoe"))
            ])
            while !asked.asked("zoe") { await shortPause() }
            clock.advance(by: .seconds(2))
            ada.close(isClean: true)
            clock.advance(by: .seconds(2))
            bob.beat()

            #expect(people.presence(of: "ada").status == .offline)
            #expect(try isQuiet(bob))
            for connection in [bob, zoe] { connection.close(isClean: true) }
        }
    }

    /// Somebody leaves while the store says who may be watched.
    @Test func aWatchThatWasAskedForBeforeAChangeIsAskedForAgain() async throws {
        let clock = ManualNow(at(0))
        let asked = Asked([:])
        let count = Mutex(0)
        try await withPeople(asked, now: clock.now) { people in
            let bob = people.connect("bob", device: nil)
            let ada = people.connect("ada", device: nil)
            try await bob.watch(["ada"]) {
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                guard isFirst else { return [] }
                people.follow([
                    Change(number: ChangeNumber(rawValue: 1), conversationID: "c", subject: .membership("ada"))
                ])
                return ["ada"]
            }
            clock.advance(by: .seconds(2))
            bob.beat()

            #expect(count.withLock { $0 } == 2)
            #expect(try isQuiet(bob))
            for connection in [ada, bob] { connection.close(isClean: true) }
        }
    }
}
