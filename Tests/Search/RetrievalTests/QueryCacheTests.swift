import ChatCore
import Retrieval
import Testing

struct QueryCacheTests {
    private let first = GenerationNumber(rawValue: 1)
    private let second = GenerationNumber(rawValue: 2)

    @Test func aQuestionIsKnownInItsGeneration() {
        let cache = QueryCache()

        cache.keep([1, 2], of: "when?", in: first)

        #expect(cache.vector(of: "when?", in: first) == [1, 2])
        #expect(cache.vector(of: "when?", in: second) == nil)
        #expect(cache.vector(of: "who?", in: first) == nil)
    }

    @Test func whatIsAskedAgainStaysAndTheRestGoes() {
        let cache = QueryCache(capacity: 4)
        for number in 0..<10 {
            cache.keep([Float(number)], of: "\(number)", in: first)
            cache.keep([-1], of: "often", in: first)
        }

        let known = (0..<10).filter { cache.vector(of: "\($0)", in: first) != nil }

        #expect(cache.vector(of: "often", in: first) == [-1])
        #expect(known.count <= 4)
        #expect(known.contains(9))
    }
}
