package import ChatCore
package import UseCases

/// Who makes a request, as far as the server has made sure of it; every route is given one.
package enum Caller: Hashable, Sendable {
    /// Nobody in particular: only routes that are open to everyone are called so.
    case stranger
    /// A person, by a token.
    case person(IdentifiedPerson)
    /// A server or an administrator, by a key.
    case key(APIKey.ID, APIKey.Role)
    /// Any caller of a server that does not identify callers; asks as the user named in the request, else as this one.
    case trusted(defaultUser: UserID?)
    /// The owner of the data folder, who came through its socket; asks as the user named in the request.
    case `operator`
}

extension Caller {
    /// The same caller, whatever name the token gives.
    var withoutName: Caller {
        if case .person(let person) = self { .person(IdentifiedPerson(id: person.id)) } else { self }
    }

    /// Whether the caller may call a route at all.
    func isAdmitted(by access: RouteAccess) -> Bool {
        switch (self, access) {
        case (_, .everyone), (_, .source), (.trusted, _), (.operator, _): true
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
        case .operator:
            guard let named else { throw .userRequired }
            return named
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
        case .person(let person): .person(IdentifiedPerson(id: try asker(named: named), name: person.name))
        case .trusted, .operator: .trusted(try asker(named: named ?? sender))
        case .key(_, .ingest): .server(defaultUser: named)
        case .key, .stranger: throw .roleRequired
        }
    }
}
