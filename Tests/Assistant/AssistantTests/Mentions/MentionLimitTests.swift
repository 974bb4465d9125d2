import Assistant
import ChatCore
import Synchronization
import Testing

@Suite struct MentionLimitTests {
    @Test func thoseInWorkCountBeforeTheyArePosted() async throws {
        let limit = MentionLimit()
        var admitted = 0
        for _ in 0..<12 where try await limit.begin(in: "c", limit: 6, postedCount: { 2 }) { admitted += 1 }

        #expect(admitted == 4)
        #expect(try await limit.begin(in: "d", limit: 6, postedCount: { 0 }))
        limit.end(in: "c")
        #expect(try await limit.begin(in: "c", limit: 6, postedCount: { 2 }))
        #expect(try await !limit.begin(in: "c", limit: 6, postedCount: { 2 }))
    }

    @Test func oneThatIsPostedMeanwhileIsCountedOnce() async throws {
        let limit = MentionLimit()
        #expect(try await limit.begin(in: "c", limit: 2, postedCount: { 0 }))
        let asked = Mutex(0)
        // The first is posted and ends between the two counts.
        let isAdmitted = try await limit.begin(in: "c", limit: 2) {
            let count = asked.withLock { count in
                count += 1
                return count
            }
            if count == 1 { limit.end(in: "c") }
            return 1
        }
        #expect(isAdmitted)
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func aBurstAtOnceIsHeldToTheLimit() async throws {
        let limit = MentionLimit()
        let admitted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { try await limit.begin(in: "c", limit: 6, postedCount: { 0 }) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(admitted == 6)
    }
}
