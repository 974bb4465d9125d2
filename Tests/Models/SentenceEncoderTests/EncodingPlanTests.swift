import SentenceEncoder
import Testing

@Suite struct EncodingPlanTests {
    @Test func noTextsMakeNoBatch() {
        #expect(EncodingPlan(tokenCounts: [], threadCount: 2, tokenLimit: 512).batches.isEmpty)
    }

    @Test func fewTokensStayTogether() {
        #expect(EncodingPlan(tokenCounts: [5, 9, 7], threadCount: 2, tokenLimit: 512).batches == [[1, 2, 0]])
    }

    @Test func everyThreadGetsAnEqualShare() {
        let plan = EncodingPlan(tokenCounts: Array(repeating: 20, count: 32), threadCount: 2, tokenLimit: 512)
        #expect(plan.batches.map(\.count) == [16, 16])
        #expect(plan.largestTokenCount == 320)
    }

    @Test(arguments: [1, 2, 3, 8], [1, 100, 512])
    func everyTextIsInOneBatchOfBoundedSize(threadCount: Int, tokenLimit: Int) {
        let counts = (0..<300).map { 2 + $0 * 7_919 % 255 }

        let plan = EncodingPlan(tokenCounts: counts, threadCount: threadCount, tokenLimit: tokenLimit)

        #expect(plan.batches.flatMap { $0 }.sorted() == Array(counts.indices))
        let sizes = plan.batches.map { $0.reduce(0) { $0 + counts[$1] } }
        #expect(sizes.max() == plan.largestTokenCount)
        #expect(plan.largestTokenCount <= tokenLimit + 256)
        #expect(!sizes.contains(0))
    }
}
