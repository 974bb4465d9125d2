import Accounts
import ChatCore
import Hummingbird
import NexusModel
import UseCases

/// The people of this server, for those who look for somebody to write to.
extension API {
    /// The allowed numbers of people that are found.
    static let peopleRange = 1...50
    /// The default number of people that are found.
    static let peopleCount = 20

    var peopleRoutes: [Route] {
        [
            Route(
                .get, "v1/people", .user, id: "findPeople",
                "Finds people of this server by the beginning of a word of the name or of the id."
            ) { incoming, caller in
                let asker = try incoming.asker(caller)
                let limit = try incoming.limit(in: Self.peopleRange, default: Self.peopleCount)
                let query = incoming.query("q") ?? ""
                if let fault = TextLimit.name.fault(of: query) { throw Failure.invalid(field: "q", fault) }
                let found = try await useCases.lists.withPlace(for: asker.rawValue) {
                    PersonSearch.best(of: try await people(for: asker), matching: query, limit: limit)
                }
                return try reply(
                    ChatPeople(
                        people: found.map { ChatPerson(userId: $0.id.rawValue, name: $0.name ?? $0.id.rawValue) }))
            }
        ]
    }

    /// Returns the people whom an asker may find: accounts that are not disabled.
    ///
    /// Guests find nobody: they see only the members of their conversations.
    private func people(for asker: UserID) async throws -> [IdentifiedPerson] {
        guard try await services.store.kind(of: asker) != .guest else { return [] }
        guard identification != nil else { return try await services.knownPeople(nil, Self.pickedUserLimit) }
        return try await services.accounts?.accounts().filter { !$0.isDisabled && $0.userID != asker }
            .map { IdentifiedPerson(id: $0.userID, name: $0.name) } ?? []
    }

    /// Refuses users whom nobody knows, for people of a server with accounts: a message to one would reach nobody.
    ///
    /// Known are accounts, present members of conversations, and users whose kind was set; to guests only whom they
    /// meet in their conversations. Where tokens of an issuer identify people, anybody may come later.
    func refuseUnknown(_ users: [UserID], of caller: Caller, field: String?) async throws {
        guard case .person(let person, _) = caller, let identification, identification.tokens == nil,
            let accounts = services.accounts
        else { return }
        let others = Set(users).subtracting([person.id])
        guard try await services.store.kind(of: person.id) != .guest else {
            let scope = SearchScope(asker: person.id, conversations: .all)
            let names = try await services.store.names(of: others, in: scope, at: services.now())
            guard others.isSubset(of: names.keys) else { throw Failure.unknownUser(field: field) }
            return
        }
        let known = Set(try await accounts.accounts().map(\.userID))
        for user in others.subtracting(known) {
            if try await !services.knownPeople(user, 1).isEmpty { continue }
            guard try await services.store.kind(of: user) != .member else { throw Failure.unknownUser(field: field) }
        }
    }
}
