package import ChatCore

/// Who makes a request, as far as the server has made sure of it; every route is given one.
package enum Caller: Hashable, Sendable {
    /// Nobody in particular: only routes that are open to everyone are called so.
    case stranger
    /// A person, by a token.
    case person(TokenUser)
    /// A server or an administrator, by a key.
    case key(APIKey.ID, APIKey.Role)
    /// Whoever can reach the server at all, where nothing tells callers apart, or the owner of the data folder by its
    /// socket; asks as the user named in the request, else as this one.
    case trusted(defaultUser: UserID?)
}

/// For whom a caller writes.
enum Writer: Equatable, Sendable {
    /// For himself or herself alone, where this person may see.
    case person(TokenUser)
    /// For anybody, where this user may see: nobody was made sure of.
    case trusted(UserID)
    /// For anybody, anywhere; what is not said is said by this user.
    case server(defaultUser: UserID?)
}

extension Caller {
    /// The same caller, whatever name the token gives.
    var withoutName: Caller {
        if case .person(let person) = self { .person(TokenUser(id: person.id)) } else { self }
    }

    /// Whether the caller may call a route at all.
    func isAdmitted(by access: RouteAccess) -> Bool {
        switch (self, access) {
        case (_, .everyone), (_, .source), (.trusted, _): true
        case (.person, .user), (.person, .userOrAdmin), (.person, .writer): true
        case (.key(_, let role), .user): role == .readAsUser
        case (.key(_, let role), .userOrAdmin): role == .readAsUser || role == .admin
        case (.key(_, let role), .writer), (.key(_, let role), .ingest): role == .ingest
        case (.key(_, let role), .admin): role == .admin
        case (.stranger, _), (.person, _): false
        }
    }

    /// Decides who asks.
    ///
    /// - Parameter named: The user that the request names.
    /// - Returns: The asker: the person itself, or who is named where the caller is believed.
    /// - Throws: ``Failure/foreignUser``, ``Failure/userRequired``, ``Failure/userNotNamed``, ``Failure/roleRequired``.
    func asker(named: UserID?) throws(Failure) -> UserID {
        switch self {
        case .person(let person):
            guard named == nil || named == person.id else { throw .foreignUser }
            return person.id
        case .key(_, .readAsUser):
            guard let named else { throw .userNotNamed }
            return named
        case .trusted(let fallback):
            guard let asker = named ?? fallback else { throw .userRequired }
            return asker
        case .key, .stranger: throw .roleRequired
        }
    }

    /// Decides for whom the caller writes.
    ///
    /// - Parameters:
    ///   - named: The user that the request names.
    ///   - sender: Who wrote what the request brings; asks where nobody is named and nothing tells callers apart.
    /// - Returns: For whom.
    /// - Throws: As ``asker(named:)``.
    func writer(named: UserID?, sender: UserID? = nil) throws(Failure) -> Writer {
        switch self {
        case .person(let person): .person(TokenUser(id: try asker(named: named), name: person.name))
        case .trusted: .trusted(try asker(named: named ?? sender))
        case .key(_, .ingest): .server(defaultUser: named)
        case .key, .stranger: throw .roleRequired
        }
    }
}

extension Writer {
    /// Whether something by `user` may be written, changed or deleted.
    func mayWrite(for user: UserID) -> Bool {
        if case .person(let person) = self { return person.id == user }
        return true
    }

    /// Whether it is only told what became of what it wrote, and reads nothing.
    var isWriteOnly: Bool {
        if case .server = self { true } else { false }
    }

    /// For whom it writes, and who wrote what does not say it; nil where that is not said.
    var user: UserID? {
        switch self {
        case .person(let person): person.id
        case .trusted(let user): user
        case .server(let user): user
        }
    }
}
