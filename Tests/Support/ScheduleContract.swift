package import ChatCore

/// Questions and digests that the assistant repeats, in a store.
///
/// Ada and Bob are in "c", Ada alone is in "d"; the schedules are Ada's. Their first time is second 100.
package enum ScheduleContract {
    package typealias ScheduleStore = Store & LiveChatRepository & ScheduleRepository & AccountRepository

    /// The tables of schedules.
    package static let tables = ["schedules", "schedule_posts", "digest_lines"]

    /// Schedules belong to one person, who has at most as many as allowed.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func schedulesBelongToAPerson(_ store: any ScheduleStore) async throws {
        try await store.furnishSchedules()
        var question = Schedule.question("s1")
        var digest = Schedule.digest("s2")
        try demand(try await store.create(question, limit: 2), true)
        try demand(try await store.create(digest, limit: 2), true)
        try demand(try await store.create(.question("s3"), limit: 2), false)
        try demand(try await store.schedules(of: "ada"), [question, digest])
        try demand(try await store.schedules(of: "bob"), [])
        question.content = .question("who has the key?", "c")
        question.pause = .byPerson
        question.next = nil
        try await store.change(question)
        try demand(try await store.schedule("s1", of: "ada"), question)
        try demand(try await store.claimSchedule(until: .second(300), at: .second(200))?.schedule.id, "s2")
        digest.content = .digest([.missed, .decisions])
        digest.language = "de"
        try await store.change(digest)
        try demand(try await store.schedule("s2", of: "ada"), digest)
        try await demandFailure(.noSuchSchedule("s1")) { try await store.deleteSchedule("s1", of: "bob") }
        try await demandFailure(.noSuchSchedule("s1")) { _ = try await store.schedule("s1", of: "bob") }
        try await store.deleteSchedule("s1", of: "ada")
        try await demandFailure(.noSuchSchedule("s1")) { try await store.change(question) }
        try demand(try await store.schedules(of: "ada").map(\.id), ["s2"])
    }

    /// A time is delivered once, also if the first run was killed and comes back.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func aTimeIsDeliveredOnce(_ store: any ScheduleStore) async throws {
        try await store.furnishSchedules()
        _ = try await store.create(.question("s1"), limit: 9)
        try demand(try await store.nextScheduleDue(), .second(100))
        try demand(try await store.claimSchedule(until: .second(200), at: .second(99)), nil)
        let killed = try await store.claim(at: 100)
        try demand(killed.attempts, 1)
        try demand(killed.schedule.next, .second(100))
        try demand(try await store.claimSchedule(until: .second(300), at: .second(150)), nil)
        // The lease ended, or another process began.
        let again = try await store.claim(at: 200)
        try demand(again.attempts, 2)
        try await store.beginSchedules()
        let last = try await store.claim(at: 201)
        for claim in [killed, again] {
            try demand(try await store.deliver(.answer("a1"), of: claim, at: 202), .outdated)
            try await store.settle(claim, run: .init(occurrence: .second(100), outcome: .failed), next: .second(900))
            try await store.retry(claim, at: .second(203))
        }
        try demand(try await store.deliver(.answer("a1"), of: last, at: 203), .delivered)
        try demand(try await store.deliver(.answer("a1"), of: last, at: 204), .outdated)
        try demand(try await store.posts(for: "ada").map(\.text), ["answer [1]"])
        let schedule = try await store.schedule("s1", of: "ada")
        try demand(schedule.last, Schedule.Run(occurrence: .second(100), outcome: .delivered))
        try demand(schedule.next, .second(700))
        try demand(try await store.turns(of: "ada", in: nil, before: nil, limit: 9).map(\.answer), ["answer [1]"])
        // The next time has another message, and knows the basis of the last one.
        let next = try await store.claim(at: 700)
        try demand(next.lastBasis, "b")
        try demand(next.attempts, 1)
        try demand(try await store.deliver(.answer("a2"), of: next, at: 701), .delivered)
        try demand(try await store.posts(for: "ada").count, 2)
        // Only its person is in the conversation, and is notified of it as of messages of others.
        let conversation = try await store.assistantConversation(of: "ada")
        guard let conversation else { return try demand("no conversation", "a conversation") }
        let roster = try await store.roster(of: conversation, asker: "ada", at: .second(800))
        try demand(roster.members.map(\.userID), ["ada", "nexus"])
        try demand(roster.members.map(\.displayName), ["Name of ada", "Nexus"])
        let entry = try await store.inbox(of: "ada", matching: nil, at: .second(800)).entries
            .first { $0.conversation.id == conversation }
        try demand(entry?.unreadCount, 2)
        try demand(entry?.displayName, "Nexus")
    }

    /// A change of a schedule ends the run under way, and a message that was deleted is not posted again.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func aChangeEndsTheRun(_ store: any ScheduleStore) async throws {
        try await store.furnishSchedules()
        _ = try await store.create(.question("s1"), limit: 9)
        let claim = try await store.claim(at: 100)
        try await store.change(.question("s1"))
        try demand(try await store.deliver(.answer("a1"), of: claim, at: 101), .outdated)
        let other = try await store.claim(at: 102)
        try demand(other.attempts, 1)
        try await store.deleteSchedule("s1", of: "ada")
        try demand(try await store.deliver(.answer("a1"), of: other, at: 103), .outdated)
        try demand(try await store.assistantConversation(of: "ada"), nil)
    }

    /// Nothing is asked for somebody who may not ask any more.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func nobodyAsksWithoutRights(_ store: any ScheduleStore) async throws {
        try await store.furnishSchedules()
        _ = try await store.acceptAccount(Account(userID: "ada", createdAt: .second(0)), at: .second(0))
        _ = try await store.create(.question("s1", in: "c"), limit: 9)
        _ = try await store.create(.digest("s2"), limit: 9)
        // Between the claim and the delivery.
        let claim = try await store.claim(at: 100)
        try await store.removeMember("ada", from: "c", at: .second(101))
        try demand(try await store.deliver(.answer("a1"), of: claim, at: 102), .paused(.conversationLeft))
        try demand(try await store.schedule("s1", of: "ada").pause, .conversationLeft)
        // A digest is delivered as long as there is a conversation.
        let digest = try await store.claim(at: 103)
        try demand(digest.schedule.id, "s2")
        try demand(try await store.deliver(.lines("a2", [.of("d", "d1")]), of: digest, at: 104), .delivered)
        _ = try await store.changeAccount("ada", role: nil, isDisabled: true)
        try demand(try await store.claimSchedule(until: .second(900), at: .second(700)), nil)
        try demand(try await store.schedule("s2", of: "ada").pause, .accountDisabled)
        _ = try await store.changeAccount("ada", role: nil, isDisabled: false)
        try await store.change(.digest("s2"))
        // A guest who left all conversations still has the one with the assistant.
        try await store.removeMember("ada", from: "d", at: .second(701))
        try demand(try await store.claimSchedule(until: .second(900), at: .second(702)), nil)
        let paused = try await store.schedule("s2", of: "ada")
        try demand(paused.pause, .noConversations)
        try demand(paused.next, nil)
        try demand(try await store.nextScheduleDue(), nil)
    }

    /// What changed since the claim, or is not seen any more, is not delivered.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func theBasisIsCheckedAgain(_ store: any ScheduleStore) async throws {
        try await store.furnishSchedules()
        _ = try await store.create(.digest("s1"), limit: 9)
        let claim = try await store.claim(at: 100)
        _ = try await store.edit(.of("d", "d1"), text: "other", at: .second(101))
        let unseen = ScheduleDelivery.lines("a1", [.of("e", "e1")])
        try demand(try await store.deliver(unseen, of: claim, at: 102), .basisChanged)
        try demand(try await store.deliver(.lines("a1", [.of("d", "d1")]), of: claim, at: 102), .basisChanged)
        try demand(try await store.deliver(.lines("a1", [.of("d", "none")]), of: claim, at: 102), .basisChanged)
        try await store.delete(.of("c", "c2"), at: .second(103))
        try demand(try await store.deliver(.lines("a1", [.of("c", "c2")]), of: claim, at: 104), .basisChanged)
        try demand(try await store.assistantConversation(of: "ada"), nil)
        try await store.retry(claim, at: .second(105))
        let again = try await store.claim(at: 105)
        try demand(try await store.deliver(.lines("a1", [.of("d", "d1")]), of: again, at: 106), .delivered)
    }

    /// An answer goes with a message that it is based on, a digest loses lines.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func deletedMessagesTakeTheirLinesAlong(_ store: any ScheduleStore) async throws {
        try await store.furnishSchedules()
        try await store.fillWithPosts()
        func texts() async throws -> [String] { try await store.posts(for: "ada").map(\.text) }
        try demand(try await texts(), ["Digest\n- line 1 [1]\n- line 2 [2]\n- line 3 [3]", "answer [1]"])

        try await store.delete(.of("c", "c2"), at: .second(300))
        try demand(try await texts(), ["Digest\n- line 1 [1]\n- line 3 [3]", "answer [1]"])
        let digest = try await store.posts(for: "ada").first
        try demand(digest?.extra?.contains(#""c2""#), false)
        try demand(digest?.extra?.contains(#""d1""#), true)

        _ = try await store.edit(.of("d", "d1"), text: "other", at: .second(301))
        try demand(try await texts(), ["Digest\n- line 1 [1]", "answer [1]"])

        try await store.delete(.of("c", "c1"), at: .second(302))
        try demand(try await texts(), [])
        let turns = try await store.turns(of: "ada", in: nil, before: nil, limit: 9)
        try demand(turns.map(\.redaction), [.sourceDeleted])
        try demand(turns.map(\.question), [""])
    }

    /// An answer loses its text with that of a message that it is based on, and is not shown to somebody who left.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func answersFollowTheirMessages(_ store: any ScheduleStore) async throws {
        try await store.furnishSchedules()
        try await store.fillWithPosts()
        try await store.removeMember("ada", from: "c", at: .second(300))
        try demand(try await store.posts(for: "ada").map(\.text), [])
        try await store.setMember(
            Member(userID: "ada", displayName: "Ada", joinedAt: .second(301)), in: "c", source: "api", at: .second(301))
        try demand(try await store.posts(for: "ada").count, 2)
        _ = try await store.edit(.of("c", "c1"), text: "other", at: .second(302))
        try demand(try await store.posts(for: "ada").last?.text, MentionWithdrawal.text)
    }

    /// Stores schedules of Ada with a digest of three lines and an answer, all delivered, and one that asks in "c".
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func fill(_ store: any ScheduleStore) async throws {
        try await store.furnishSchedules()
        try await store.fillWithPosts()
        _ = try await store.create(.question("s3", in: "c"), limit: 9)
    }
}

extension ScheduleRepository where Self: Store & LiveChatRepository & AccountRepository {
    fileprivate func furnishSchedules() async throws {
        _ = try await store(
            [.of("c", ["ada", "bob"]), .of("d", ["ada"]), .of("e", ["bob"])], source: "api", mode: .posting,
            at: .second(0))
        try await post([
            .short("c", "c1", by: "bob", "the secret berth", at: 1), .short("c", "c2", by: "bob", "the crane", at: 2),
            .short("d", "d1", by: "eve", "the key", at: 3), .short("e", "e1", by: "bob", "hidden", at: 4),
        ])
    }

    fileprivate func fillWithPosts() async throws {
        _ = try await create(.digest("s1"), limit: 9)
        _ = try await create(.question("s2"), limit: 9)
        let keys = [MessageKey.of("c", "c1"), .of("c", "c2"), .of("d", "d1")]
        try demand(try await deliver(.lines("p1", keys), of: try await claim(at: 100), at: 101), .delivered)
        try demand(try await deliver(.answer("p2"), of: try await claim(at: 102), at: 103), .delivered)
    }

    fileprivate func claim(at second: Int) async throws -> ScheduleClaim {
        guard let claim = try await claimSchedule(until: .second(second + 100), at: .second(second)) else {
            throw ContractViolation(description: "nothing is due at \(second)")
        }
        return claim
    }

    fileprivate func deliver(
        _ delivery: ScheduleDelivery, of claim: ScheduleClaim, at second: Int
    ) async throws -> ScheduleDelivering {
        let occurrence = claim.schedule.next ?? .second(0)
        return try await deliver(
            delivery, of: claim, run: Schedule.Run(occurrence: occurrence, outcome: .delivered),
            next: occurrence + .seconds(600), at: .second(second))
    }

    /// The messages of a person's conversation with the assistant as the person sees them, oldest first.
    package func posts(for user: UserID) async throws -> [Message] {
        guard let conversation = try await assistantConversation(of: user) else { return [] }
        return try await page(of: conversation, asker: user, before: nil, limit: 99, at: .second(999)).reversed()
    }
}

extension Schedule {
    private static func of(_ id: ScheduleID, _ content: Content) -> Schedule {
        guard let times = ScheduleTimes(days: [.monday, .sunday], minute: 540, timeZone: "Europe/Berlin") else {
            preconditionFailure("a zone is missing")
        }
        return Schedule(
            id: id, ownerID: "ada", content: content, times: times, next: .second(100), createdAt: .second(0))
    }

    package static func question(_ id: ScheduleID, in conversation: ConversationID? = nil) -> Schedule {
        of(id, .question("where is the berth?", conversation))
    }

    package static func digest(_ id: ScheduleID) -> Schedule { of(id, .digest([.due])) }
}

extension ScheduleDelivery {
    /// An answer that is based on a message of Bob in "c".
    fileprivate static func answer(_ id: MessageID) -> ScheduleDelivery {
        let keys = [MessageKey.of("c", "c1")]
        return ScheduleDelivery(
            text: "answer [1]", extra: nil, messageID: id, senderName: "Nexus", sources: keys,
            turn: Turn(
                id: TurnID(rawValue: "turn-\(id)"), askerID: "ada", question: "where?", answer: "answer [1]",
                sourceKeys: keys, askedAt: .second(100)), basis: "b", isDelivered: true)
    }

    /// A digest with a line for each of these messages.
    fileprivate static func lines(_ id: MessageID, _ keys: [MessageKey]) -> ScheduleDelivery {
        let sources = keys.map { #"{"conversationId":"\#($0.conversationID)","messageId":"\#($0.messageID)"}"# }
        return ScheduleDelivery(
            text: (["Digest"] + keys.indices.map { "- line \($0 + 1) [\($0 + 1)]" }).joined(separator: "\n"),
            extra: #"{"nexus":{"sources":[\#(sources.joined(separator: ","))]}}"#, messageID: id, senderName: "Nexus",
            sources: keys, lines: keys.enumerated().map { Line(place: $0.offset + 1, sources: [$0.element]) })
    }
}
