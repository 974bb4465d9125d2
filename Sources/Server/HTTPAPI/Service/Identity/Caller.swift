package import ChatCore
import UseCases

/// The caller of a request, as far as the server has verified it; every route gets one.
package enum Caller: Hashable, Sendable {
    /// An unidentified caller, who may use only routes that are open to everyone.
    case stranger
    /// A person, identified by a token; the role is the one of the person's account.
    case person(IdentifiedPerson, role: AccountRole = .member)
    /// A program that a person connected: it acts as the person, only where assistants may.
    case assistant(IdentifiedPerson, AssistantRights)
    /// A server or an administrator, identified by a key.
    case key(APIKey.ID, APIKey.Role)
    /// Any caller of a server that does not identify callers; asks as the user named in the request, else as this one.
    case trusted(defaultUser: UserID?)
    /// The owner of the data folder, who came through its socket; asks as the user named in the request.
    case `operator`
}

/// What a token of an assistant allows.
package struct AssistantRights: Hashable, Sendable {
    let session: AccountSession.ID
    /// The name that the program gave itself.
    let name: String
    let scopes: Set<AssistantScope>
    /// The address of `/mcp` that the token was made for.
    let audience: String
}

extension Caller {
    /// The person whom a token names; nil for other callers.
    var person: IdentifiedPerson? {
        switch self {
        case .person(let person, _), .assistant(let person, _): person
        case .stranger, .key, .trusted, .operator: nil
        }
    }

    /// The rights of an assistant; nil for other callers.
    var assistant: AssistantRights? {
        if case .assistant(_, let rights) = self { rights } else { nil }
    }

    /// The same caller without the name from the token.
    var withoutName: Caller {
        if case .person(let person, let role) = self {
            .person(IdentifiedPerson(id: person.id), role: role)
        } else {
            self
        }
    }

    /// Whether it is the same caller with the same session or key; roles and names may have changed.
    func isSame(as other: Caller) -> Bool {
        switch (self, other) {
        case (.person(let person, _), .person(let former, _)): person.id == former.id
        case (.assistant(let person, let rights), .assistant(let former, let formerRights)):
            person.id == former.id && rights.session == formerRights.session
        case (.key(let id, _), .key(let former, _)): id == former
        default: self == other
        }
    }

    /// Whether the caller may call a route at all.
    func isAdmitted(by access: RouteAccess) -> Bool {
        switch (self, access) {
        case (_, .everyone), (_, .source), (.trusted, _), (.operator, _): true
        case (.person, .person), (.person, .user), (.person, .userOrAdmin), (.person, .writer): true
        case (.person, .tools), (.assistant, .tools): true
        case (.person(_, let role), .admin): role == .administrator
        case (.key(_, let role), .user), (.key(_, let role), .tools): role == .readAsUser
        case (.key(_, let role), .userOrAdmin): role == .readAsUser || role == .admin
        case (.key(_, let role), .writer), (.key(_, let role), .ingest): role == .ingest
        case (.key(_, let role), .admin): role == .admin
        case (.stranger, _), (.person, _), (.assistant, _), (.key, .person): false
        }
    }

    /// Returns the asker of a request.
    ///
    /// - Parameter named: The user that the request names.
    /// - Returns: The person, or the named user if the caller is trusted.
    /// - Throws: ``Failure/foreignUser``, ``Failure/userRequired``, ``Failure/userNotNamed``, ``Failure/roleRequired``.
    func asker(named: UserID?) throws(Failure) -> UserID {
        switch self {
        case .person(let person, _), .assistant(let person, _):
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

    /// Returns the writer of a request: the user for whom the caller writes.
    ///
    /// - Parameters:
    ///   - named: The user that the request names.
    ///   - sender: The author of the posted content; the writer if no user is named and callers are not identified.
    /// - Returns: The writer.
    /// - Throws: As ``asker(named:)``.
    func writer(named: UserID?, sender: UserID? = nil) throws(Failure) -> Writer {
        switch self {
        case .person(let person, _), .assistant(let person, _):
            .person(IdentifiedPerson(id: try asker(named: named), name: person.name))
        case .trusted, .operator: .trusted(try asker(named: named ?? sender))
        case .key(_, .ingest): .server(defaultUser: named)
        case .key, .stranger: throw .roleRequired
        }
    }
}
