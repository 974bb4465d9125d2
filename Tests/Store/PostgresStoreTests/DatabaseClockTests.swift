import ChatCore
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// Nodes have the time from the database.
@Suite(.hangGuard) struct DatabaseClockTests {
    private static let start = ContinuousClock.now

    @Test func aMeasurementGoesOnWithTime() {
        let clock = DatabaseClock()
        clock.learn(.second(100), askedAt: Self.start, answeredAt: Self.start + .seconds(2))

        #expect(clock.now(Self.start + .seconds(1)) == .second(100))
        #expect(clock.now(Self.start + .seconds(61)) == .second(160))
    }

    @Test func aWorseMeasurementCountsOnlyWhenTheLastIsOld() {
        let clock = DatabaseClock()
        clock.learn(.second(100), askedAt: Self.start, answeredAt: Self.start)
        let late = Self.start + .seconds(10)
        clock.learn(.second(500), askedAt: late, answeredAt: late + .seconds(2))
        #expect(clock.now(late) == .second(110))

        let later = Self.start + .seconds(2_000)
        clock.learn(.second(2_500), askedAt: later, answeredAt: later + .seconds(2))
        #expect(clock.now(later + .seconds(1)) == .second(2_500))

        let latest = Self.start + .seconds(2_010)
        clock.learn(.second(2_600), askedAt: latest, answeredAt: latest)
        #expect(clock.now(latest) == .second(2_600))
    }

    @Test func withoutAMeasurementThisMachineDecides() {
        let (before, time, after) = (Timestamp.systemNow(), DatabaseClock().now(), Timestamp.systemNow())
        #expect(before <= time && time <= after)
    }

    /// The database's clock is hours ahead of ours.
    @Test func aStoreHasTheTimeOfItsDatabase() async throws {
        try await PostgresServer.shared().withDatabase { address in
            let connection = try LibpqConnection(address)
            try connection.run(
                """
                CREATE SCHEMA ahead;
                CREATE FUNCTION ahead.clock_timestamp() RETURNS timestamptz LANGUAGE sql
                    AS $f$ SELECT pg_catalog.clock_timestamp() + interval '10 hours' $f$;
                DO $$ BEGIN EXECUTE format(
                    'ALTER DATABASE %I SET search_path = ahead, pg_catalog', current_database()); END $$
                """)
            connection.close()
            try await PostgresServer.shared().withNode(at: address) { store in
                let ahead = store.services.clock()
                #expect(ahead > .systemNow() + .seconds(9 * 3_600))
                #expect(ahead < .systemNow() + .seconds(11 * 3_600))
            }
        }
    }
}
