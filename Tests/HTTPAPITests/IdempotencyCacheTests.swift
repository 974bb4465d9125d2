import ChatCore
import HTTPAPI
import Synchronization
import Testing
import UseCases

struct IdempotencyCacheTests {
    private let key = Self.key(.person(IdentifiedPerson(id: "ada")))

    private static func key(
        _ caller: Caller, named: String? = nil, method: String = "POST", target: String = "/v1/ask", key: String = "k1"
    ) -> IdempotencyKey {
        IdempotencyKey(caller: caller, named: named, method: method, target: target, key: key)
    }

    /// What a decision is, in a word.
    private func word(_ decision: IdempotencyCache<String>.Decision) -> String {
        switch decision {
        case .proceed: "proceed"
        case .replay(let text): "replay \(text)"
        case .inWork: "in work"
        case .reused: "reused"
        }
    }

    @Test func theSameRequestIsCarriedOutOnce() {
        let cache = IdempotencyCache<String>()

        #expect(word(cache.begin(key, bodyHash: [1])) == "proceed")
        #expect(word(cache.begin(key, bodyHash: [1])) == "in work")
        #expect(word(cache.begin(key, bodyHash: [2])) == "reused")
        cache.finish(key, with: "done", byteCount: 4)
        #expect(word(cache.begin(key, bodyHash: [1])) == "replay done")
        #expect(word(cache.begin(key, bodyHash: [2])) == "reused")
        #expect(cache.kept == (1, 4))
    }

    @Test(arguments: [
        key(.person(IdentifiedPerson(id: "ben"))), key(.trusted(defaultUser: "ada")),
        key(.person(IdentifiedPerson(id: "ada")), named: "ada"),
        key(.person(IdentifiedPerson(id: "ada")), method: "PUT"),
        key(.person(IdentifiedPerson(id: "ada")), target: "/v1/search"),
        key(.person(IdentifiedPerson(id: "ada")), key: "k2"),
    ])
    func anotherCallerRouteOrKeyIsAnotherRequest(other: IdempotencyKey) {
        let cache = IdempotencyCache<String>()
        _ = cache.begin(key, bodyHash: [1])
        cache.finish(key, with: "done")

        #expect(word(cache.begin(other, bodyHash: [1])) == "proceed")
    }

    /// Whatever a caller's id and the named user consist of, another caller's pair is another pair.
    @Test func differentCallersAreNeverOne() {
        let callers: [(Caller, String?)] = [
            (.trusted(defaultUser: nil), "eve"), (.trusted(defaultUser: "eve"), nil),
            (.person(IdentifiedPerson(id: "eve")), nil),
            (.person(IdentifiedPerson(id: #"a")) x"#)), "b"), (.person(IdentifiedPerson(id: "a")), #"b")) x"#),
            (.person(IdentifiedPerson(id: "a b")), nil), (.person(IdentifiedPerson(id: "a")), "b"),
            (.person(IdentifiedPerson(id: "a ")), "b"), (.person(IdentifiedPerson(id: "a")), " b"),
            (.key("a", .ingest), "b"),
            (.key("a b", .ingest), nil),
            (.key("a", .readAsUser), "b"),
        ]
        let cache = IdempotencyCache<String>()

        for (caller, named) in callers {
            #expect(word(cache.begin(Self.key(caller, named: named), bodyHash: [1])) == "proceed")
        }
    }

    @Test func aFailureLeavesTheKeyFree() {
        let cache = IdempotencyCache<String>()
        _ = cache.begin(key, bodyHash: [1])

        cache.finish(key, with: nil)

        #expect(word(cache.begin(key, bodyHash: [2])) == "proceed")
    }

    @Test func whatWasForgottenIsCarriedOutAgain() {
        let cache = IdempotencyCache<String>()
        _ = cache.begin(key, bodyHash: [1])
        cache.finish(key, with: "done", byteCount: 4)

        cache.forget(key)

        #expect(cache.kept == (0, 0))
        #expect(word(cache.begin(key, bodyHash: [1])) == "proceed")
    }

    @Test func answersAreKeptForATime() {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let cache = IdempotencyCache<String>(limits: IdempotencyLimits(lifetime: .seconds(60))) {
            start + passed.withLock { $0 }
        }
        _ = cache.begin(key, bodyHash: [1])
        cache.finish(key, with: "done", byteCount: 4)

        passed.withLock { $0 = .seconds(59) }
        #expect(word(cache.begin(key, bodyHash: [1])) == "replay done")
        passed.withLock { $0 = .seconds(60) }
        #expect(word(cache.begin(key, bodyHash: [1])) == "proceed")
        #expect(cache.kept == (0, 0))
    }

    @Test(arguments: [IdempotencyLimits(count: 2), IdempotencyLimits(byteCount: 11)])
    func theOldestGoFirst(limits: IdempotencyLimits) {
        let cache = IdempotencyCache<String>(limits: limits)
        let keys = (1...3).map { Self.key(.person(IdentifiedPerson(id: "ada")), key: "k\($0)") }
        for key in keys {
            _ = cache.begin(key, bodyHash: [1])
            cache.finish(key, with: "done", byteCount: 4)
        }

        #expect(cache.kept == (2, 8))
        #expect(keys.map { word(cache.begin($0, bodyHash: [1])) } == ["proceed", "replay done", "replay done"])
    }

    @Test func anAnswerThatIsTooLargeIsNotKept() {
        let cache = IdempotencyCache<String>(limits: IdempotencyLimits(byteCount: 3))
        _ = cache.begin(key, bodyHash: [1])

        cache.finish(key, with: "done", byteCount: 4)

        #expect(cache.kept == (0, 0))
        #expect(word(cache.begin(key, bodyHash: [1])) == "proceed")
    }

    @Test func keysAreBoundedInBytesToo() {
        let cache = IdempotencyCache<String>(limits: IdempotencyLimits(keyByteCount: 200_000))
        for number in 0..<100 {
            let path = "POST /v1/conversations/" + String(repeating: "c", count: 30_000)
            let key = Self.key(.person(IdentifiedPerson(id: "ada")), target: path, key: "k\(number)")
            _ = cache.begin(key, bodyHash: [1])
            cache.finish(key, with: "")
            #expect(cache.keyByteCount <= 200_000)
        }

        #expect(cache.kept.count == 3)
    }
}
