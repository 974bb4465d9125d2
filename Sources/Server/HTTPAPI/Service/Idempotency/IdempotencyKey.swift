import ChatCore
import Crypto
import UseCases

/// The identity that a repeated request shares with the first one.
///
/// Each part is a separate field: joined into one text, two different callers could be made equal.
package struct IdempotencyKey: Hashable, Sendable {
    let caller: Caller
    /// The user that the header `X-Nexus-User` names.
    let named: String?
    let method: String
    /// Path and query.
    let target: String
    /// The client's own key.
    let key: String

    package init(caller: Caller, named: String?, method: String, target: String, key: String) {
        self.caller = caller
        self.named = named
        self.method = method
        self.target = target
        self.key = key
    }

    /// A digest, from which no text can be read; different keys have different ones.
    package var digest: [UInt8] {
        var hash = SHA256()
        for part in caller.parts + [named, method, target, key] {
            guard let part else {
                hash.update(data: [0])
                continue
            }
            let bytes = Array(part.utf8)
            hash.update(data: [1] + (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) })
            hash.update(data: bytes)
        }
        return Array(hash.finalize())
    }
}

extension Caller {
    /// What distinguishes it from other callers; as many parts for each.
    fileprivate var parts: [String?] {
        switch self {
        case .stranger: ["stranger", nil, nil]
        case .person(let person, let role): ["person", person.id.rawValue, role.rawValue]
        case .assistant(let person, let rights): ["assistant", person.id.rawValue, rights.session.rawValue]
        case .key(let id, let role): ["key", id.rawValue, role.rawValue]
        case .trusted(let user): ["trusted", user?.rawValue, nil]
        case .operator: ["operator", nil, nil]
        }
    }
}
