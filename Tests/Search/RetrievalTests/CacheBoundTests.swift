import ChatCore
import Retrieval
import Testing

/// Every memory of a search stays below its limit, whatever it is filled with.
@Suite struct CacheBoundTests {
    private let first = GenerationNumber(rawValue: 1)

    @Test func questionsAreBoundedInBytes() {
        let cache = QueryCache(byteLimit: 100_000)
        for number in 0..<200 {
            cache.keep([1, 2], of: "\(number)" + String(repeating: "x", count: 5_000), in: first)
            #expect(cache.byteCount <= 100_000)
        }
        cache.keep([3], of: String(repeating: "y", count: 90_000), in: first)

        #expect(cache.byteCount <= 100_000)
        #expect(cache.byteCount > 20_000)
        #expect(cache.vector(of: "199" + String(repeating: "x", count: 5_000), in: first) == [1, 2])
    }

    @Test func namesAreBoundedInBytes() {
        let names = NameMemory(byteLimit: 200_000)
        for number in 0..<200 {
            let people = (0..<20).map { Person(userID: UserID(rawValue: "u\($0)"), names: ["Ada \(number)"]) }
            let scope = SearchScope(asker: "ada", conversations: .only([ConversationID(rawValue: "c\(number)")]))
            _ = names.names(of: people, in: scope)
            #expect(names.kept.byteCount <= 200_000)
        }

        #expect(names.kept.count > 0)
    }

    @Test func wordsAreBoundedInBytes() {
        var words = KnownWords(byteLimit: 50_000)
        for number in 0..<2_000 {
            words.learn(word: "word\(number)", name: "name\(number)")
            #expect(words.byteCount <= 3 * 50_000)
        }
        let before = words.byteCount
        words.learn(word: String(repeating: "x", count: 1_000_000), name: String(repeating: "y", count: 1_000_000))

        #expect(words.byteCount == before)
    }
}
