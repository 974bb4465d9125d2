import ChatCore
import MessageStore
import TestSupport
import Testing

/// Questions and digests that the assistant repeats, in a data folder.
@Suite struct ScheduleTests {
    private func erase(_ subject: ErasureSubject, in store: SQLStore) async throws {
        _ = try await store.erase(subject, at: .second(600))
        #expect(try await store.finishErasing(subject, at: .second(1_000)))
        try await store.rewrite()
    }

    @Test func schedulesBelongToAPerson() async throws {
        try await DataFolder.with { _, store in try await ScheduleContract.schedulesBelongToAPerson(store) }
    }

    @Test func aTimeIsDeliveredOnce() async throws {
        try await DataFolder.with { _, store in try await ScheduleContract.aTimeIsDeliveredOnce(store) }
    }

    @Test func aChangeEndsTheRun() async throws {
        try await DataFolder.with { _, store in try await ScheduleContract.aChangeEndsTheRun(store) }
    }

    @Test func nobodyAsksWithoutRights() async throws {
        try await DataFolder.with { _, store in try await ScheduleContract.nobodyAsksWithoutRights(store) }
    }

    @Test func theBasisIsCheckedAgain() async throws {
        try await DataFolder.with { _, store in try await ScheduleContract.theBasisIsCheckedAgain(store) }
    }

    @Test func deletedMessagesTakeTheirLinesAlong() async throws {
        try await DataFolder.with { _, store in try await ScheduleContract.deletedMessagesTakeTheirLinesAlong(store) }
    }

    @Test func answersFollowTheirMessages() async throws {
        try await DataFolder.with { _, store in try await ScheduleContract.answersFollowTheirMessages(store) }
    }

    /// The work of a process that was killed after its claim is done by the next one, once.
    @Test func anotherProcessTakesOver() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        let first = try await folder.open()
        try await ScheduleContract.fill(first)
        let claim = try await first.claimSchedule(until: .second(9_999), at: .second(500))
        #expect(claim?.schedule.id == "s3")
        // What a crash would leave.
        let copy = try folder.copied()
        defer { copy.remove() }
        await first.close()

        let second = try await copy.open()
        #expect(try await second.claimSchedule(until: .second(9_999), at: .second(501)) == nil)
        try await second.beginSchedules()

        let again = try await second.claimSchedule(until: .second(9_999), at: .second(501))
        #expect(again?.schedule.id == "s3")
        #expect(again?.attempts == 2)
        await second.close()
    }

    /// The erased person leaves no row, and no text of what was delivered to the person.
    @Test func erasureOfThePersonLeavesNothing() async throws {
        try await DataFolder.with { folder, store in
            try await ScheduleContract.fill(store)

            try await erase(.user("ada"), in: store)

            for table in ScheduleContract.tables {
                #expect(try await store.inspect("SELECT COUNT(*) FROM \(table)") == ["0"], "\(table)")
            }
            #expect(try await store.checkIntegrity().isSound)
            for text in ["- line 1 [1]", "answer [1]", "where is the berth?"] {
                #expect(try !folder.holds(text), "\(text)")
            }
        }
    }

    /// The lines of an erased writer go, those of others stay.
    @Test func erasureOfAWriterTakesLines() async throws {
        try await DataFolder.with { folder, store in
            try await ScheduleContract.fill(store)

            try await erase(.user("bob"), in: store)

            #expect(try await store.posts(for: "ada").map(\.text) == ["Digest\n- line 3 [3]"])
            #expect(try await store.checkIntegrity().isSound)
            for text in ["- line 1 [1]", "answer [1]"] { #expect(try !folder.holds(text), "\(text)") }
        }
    }

    @Test func erasureOfAConversationTakesItsSchedules() async throws {
        try await DataFolder.with { _, store in
            try await ScheduleContract.fill(store)

            try await erase(.conversation("c"), in: store)

            #expect(try await store.schedules(of: "ada").map(\.id) == ["s1", "s2"])
            #expect(try await store.posts(for: "ada").map(\.text) == ["Digest\n- line 3 [3]"])
            #expect(try await store.checkIntegrity().isSound)
        }
    }
}
