import ChatCore
import HTTPAPI
import Testing
import UseCases

struct IdempotencyKeyTests {
    private static func digest(
        _ caller: Caller, named: String? = nil, method: String = "POST", target: String = "/v1/ask", key: String = "k1"
    ) -> [UInt8] {
        IdempotencyKey(caller: caller, named: named, method: method, target: target, key: key).digest
    }

    @Test func theSameRequestHasTheSameDigest() {
        let ada = Caller.person(IdentifiedPerson(id: "ada"))

        #expect(Self.digest(ada) == Self.digest(ada))
        #expect(Self.digest(ada).count == 32)
    }

    @Test func anotherCallerRouteOrKeyIsAnotherRequest() {
        let ada = Caller.person(IdentifiedPerson(id: "ada"))
        let digests = [
            Self.digest(ada), Self.digest(.person(IdentifiedPerson(id: "ben"))),
            Self.digest(.person(IdentifiedPerson(id: "ada"), role: .administrator)),
            Self.digest(.trusted(defaultUser: "ada")), Self.digest(ada, named: "ada"), Self.digest(ada, named: ""),
            Self.digest(ada, method: "PUT"), Self.digest(ada, target: "/v1/search"), Self.digest(ada, key: "k2"),
            Self.digest(ada, target: "/v1/as", key: "kk1"),
        ]

        #expect(Set(digests).count == digests.count)
    }

    /// Whatever a caller's id and the named user consist of, another caller's pair is another pair.
    @Test func differentCallersAreNeverOne() {
        let callers: [(Caller, String?)] = [
            (.stranger, nil), (.operator, nil), (.trusted(defaultUser: nil), nil),
            (.trusted(defaultUser: nil), "eve"), (.trusted(defaultUser: "eve"), nil),
            (.person(IdentifiedPerson(id: "eve")), nil),
            (.person(IdentifiedPerson(id: #"a")) x"#)), "b"), (.person(IdentifiedPerson(id: "a")), #"b")) x"#),
            (.person(IdentifiedPerson(id: "a b")), nil), (.person(IdentifiedPerson(id: "a")), "b"),
            (.person(IdentifiedPerson(id: "a ")), "b"), (.person(IdentifiedPerson(id: "a")), " b"),
            (.key("a", .ingest), "b"),
            (.key("a b", .ingest), nil),
            (.key("a", .readAsUser), "b"),
        ]

        #expect(Set(callers.map { Self.digest($0, named: $1) }).count == callers.count)
    }
}
