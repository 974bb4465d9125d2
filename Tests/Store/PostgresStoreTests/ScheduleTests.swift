import ChatCore
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// Questions and digests that the assistant repeats, in PostgreSQL.
@Suite(.hangGuard) struct ScheduleTests {
    private static let contract: [@Sendable (any ScheduleContract.ScheduleStore) async throws -> Void] = [
        ScheduleContract.schedulesBelongToAPerson, ScheduleContract.aTimeIsDeliveredOnce,
        ScheduleContract.aChangeEndsTheRun, ScheduleContract.nobodyAsksWithoutRights,
        ScheduleContract.theBasisIsCheckedAgain, ScheduleContract.deletedMessagesTakeTheirLinesAlong,
        ScheduleContract.answersFollowTheirMessages,
    ]

    @Test(arguments: contract.indices) func keepsTheContract(_ place: Int) async throws {
        try await PostgresServer.shared().withStore { store, _ in try await Self.contract[place](store) }
    }

    @Test(arguments: [ErasureSubject.user("ada"), .conversation("c")])
    func erasureLeavesNoRow(_ subject: ErasureSubject) async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await ScheduleContract.fill(store)

            _ = try await store.erase(subject, at: .second(600))
            #expect(try await store.finishErasing(subject, at: .second(1_000)))

            let isPerson = subject == .user("ada")
            #expect(try await store.schedules(of: "ada").count == (isPerson ? 0 : 2))
            #expect(
                try await store.inspect("SELECT COUNT(*)::text FROM digest_lines") == [isPerson ? "0" : "1"])
            // The answer that is gone leaves its mark.
            #expect(
                try await store.inspect("SELECT COUNT(*)::text FROM schedule_posts") == [isPerson ? "0" : "2"])
        }
    }

    /// Of two nodes that look at the same moment one gets the run, and its message is there once.
    @Test func oneOfTwoNodesRunsATime() async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                try await ScheduleContract.fill(first)

                async let one = first.claimSchedule(until: .second(700), at: .second(500))
                async let other = second.claimSchedule(until: .second(700), at: .second(500))

                let claims = try await [one, other].compactMap(\.self)
                #expect(claims.map(\.schedule.id) == ["s3"])
                let claim = try #require(claims.first)
                let delivery = ScheduleDelivery(
                    text: "once", extra: nil, messageID: "once", senderName: "Nexus", sources: [.of("c", "c1")])
                let run = Schedule.Run(occurrence: .second(100), outcome: .delivered)
                async let own = first.deliver(delivery, of: claim, run: run, next: .second(900), at: .second(501))
                async let others = second.deliver(delivery, of: claim, run: run, next: .second(900), at: .second(501))

                #expect(Set(try await [own, others]) == [.delivered, .outdated])
                #expect(try await second.posts(for: "ada").count { $0.text == "once" } == 1)
            }
        }
    }
}
