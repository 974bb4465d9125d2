package import ChatCore
import Histories

/// What was mapped, or why nothing was.
package enum MappingOutcome: Sendable {
    /// An author, with the number of messages, and that of conversations if a name was mapped.
    case mapped(messageCount: Int, conversationCount: Int?)
    /// Several authors, with the number of messages.
    case mappedAll([UserMapping], messageCount: Int)
    /// Nothing, because the names may be those of several people.
    case unconfirmed([NamePlaces])
}

/// Maps authors of imported histories to users, who get their memberships and messages.
package struct UserMappings: Sendable {
    /// The part of a store that mappings need.
    package typealias Store = ConversationRepository & ImportedChatRepository

    let store: any Store
    let now: @Sendable () -> Timestamp

    package init(store: any Store, now: @escaping @Sendable () -> Timestamp) {
        (self.store, self.now) = (store, now)
    }

    /// Maps an author to a user, or all authors of a name.
    ///
    /// A name may be that of several people, who would read each other's conversations: more than one conversation
    /// needs a confirmation.
    ///
    /// - Parameters:
    ///   - wanted: The source, the author's id or name, and the user.
    ///   - conversation: The only conversation in which the author is mapped; nil for all.
    ///   - isConfirmed: Whether the operator knows that the name is one person.
    /// - Returns: How much was mapped, or the conversations of the names.
    /// - Throws: ``OperatorFailure``, ``RepositoryError``.
    package func map(
        _ wanted: Identity, in conversation: ConversationID?, isConfirmed: Bool
    ) async throws -> MappingOutcome {
        let authors = Self.authors(wanted, among: try await store.identities())
        if let conversation { return try await map(wanted, as: authors, in: conversation) }
        let names = try await namePlaces(of: authors)
        let places = Set(names.flatMap(\.places).map(\.id))
        guard isConfirmed || places.count <= 1 else { return .unconfirmed(names) }
        let externalIDs = authors.isEmpty ? [wanted.externalID] : authors.map(\.externalID)
        let count = try await store.map(
            externalIDs.map { Identity(source: wanted.source, externalID: $0, userID: wanted.userID) }, at: now())
        return .mapped(messageCount: count, conversationCount: names.isEmpty ? nil : places.count)
    }

    /// The author with an id, or else all authors of a name.
    private static func authors(_ wanted: Identity, among known: [Identity]) -> [Identity] {
        let ofSource = known.filter { $0.source == wanted.source }
        if let author = ofSource.first(where: { $0.externalID == wanted.externalID }) { return [author] }
        return ofSource.filter { author in
            guard let name = NamedAuthor.name(of: author) else { return false }
            return [name, author.name, "\(author.source)-\(name)"].contains(wanted.externalID)
        }
    }

    /// The conversations of those authors that are known by a name only.
    private func namePlaces(of authors: [Identity]) async throws -> [NamePlaces] {
        var found: [NamePlaces] = []
        for author in authors {
            guard let name = NamedAuthor.name(of: author) else { continue }
            found.append(
                NamePlaces(
                    author: author.externalID, name: author.name ?? name,
                    places: try await store.places(of: author.externalID, source: author.source)))
        }
        return found
    }

    private func map(
        _ wanted: Identity, as authors: [Identity], in conversation: ConversationID
    ) async throws -> MappingOutcome {
        let assignment = try await assignment(of: wanted, as: authors, in: conversation)
        return .mapped(messageCount: try await perform([assignment]), conversationCount: 1)
    }

    /// An author of all conversations, or of one, with the user.
    private struct Assignment {
        var identity: Identity
        /// The conversation in which the author becomes another one, with the id of this one.
        var separation: (conversation: ConversationID, id: String)?
    }

    /// Finds the author that a name means in a conversation.
    private func assignment(
        of wanted: Identity, as authors: [Identity], in conversation: ConversationID
    ) async throws -> Assignment {
        let name = wanted.externalID
        for author in authors {
            let places = try await store.places(of: author.externalID, source: author.source)
            guard places.contains(where: { $0.id == conversation }) else { continue }
            let identity = Identity(source: author.source, externalID: author.externalID, userID: wanted.userID)
            guard places.count > 1 else { return Assignment(identity: identity) }
            guard NamedAuthor.name(of: author) != nil else {
                throw OperatorFailure(
                    message: "\(name) is an id, so it is one person in all conversations: leave out the conversation")
            }
            return Assignment(
                identity: identity, separation: (conversation, NamedAuthor.id(of: author, in: conversation)))
        }
        throw OperatorFailure(
            message: "no author \(name) of the source \(wanted.source) in \(conversation.rawValue): "
                + "see nexus conversations show")
    }

    /// Performs assignments: first those that make an author of a conversation, then all others together.
    private func perform(_ assignments: [Assignment]) async throws -> Int {
        var count = 0
        for assignment in assignments {
            guard let (conversation, id) = assignment.separation else { continue }
            count += try await store.map(assignment.identity, in: conversation, as: id, at: now())
        }
        let others = assignments.filter { $0.separation == nil }.map(\.identity)
        return others.isEmpty ? count : count + (try await store.map(others, at: now()))
    }

    /// Maps authors to users, all of them or none.
    ///
    /// - Throws: ``OperatorFailure`` that names each line with an unknown author.
    package func map(_ lines: [UserMapping], isConfirmed: Bool) async throws -> MappingOutcome {
        let (assignments, names) = try await assignments(of: lines)
        guard isConfirmed || names.isEmpty else { return .unconfirmed(names) }
        return .mappedAll(lines, messageCount: try await perform(assignments))
    }

    /// Returns what lines assign, and the names that are in several conversations.
    private func assignments(of lines: [UserMapping]) async throws -> ([Assignment], [NamePlaces]) {
        let known = try await store.identities()
        var assignments: [Assignment] = []
        var unsure: [NamePlaces] = []
        var users: [String: Set<UserID>] = [:]
        var faults: [String] = []
        for line in lines {
            let found: [Assignment]
            do {
                let authors = try Self.authors(line, among: known)
                found = try await self.assignments(of: line, as: authors)
                let names = line.conversation == nil ? try await namePlaces(of: authors) : []
                if Set(names.flatMap(\.places).map(\.id)).count > 1 { unsure += names }
            } catch let failure as OperatorFailure {
                faults.append("\(line.place): \(failure.message)")
                continue
            }
            for assignment in found {
                let id = assignment.separation?.id ?? assignment.identity.externalID
                users["\(assignment.identity.source) \(id)", default: []].insert(line.userID)
            }
            assignments += found
        }
        for (author, mapped) in users.sorted(by: { $0.key < $1.key }) where mapped.count > 1 {
            faults.append("\(author) is mapped to several users")
        }
        guard faults.isEmpty else {
            throw OperatorFailure(message: (["nothing was mapped"] + faults).joined(separator: "\n  "))
        }
        return (assignments, unsure)
    }

    /// The authors that a line means.
    private static func authors(_ line: UserMapping, among known: [Identity]) throws -> [Identity] {
        var found: [Identity]
        if let email = line.email?.lowercased() {
            found = known.filter { $0.email?.lowercased() == email }
        } else {
            found = authors(
                Identity(source: line.source ?? "", externalID: line.externalID ?? "", userID: line.userID),
                among: known)
        }
        for index in found.indices { found[index].userID = line.userID }
        guard !found.isEmpty else { throw OperatorFailure(message: "no author \(line.author)") }
        return found
    }

    private func assignments(of line: UserMapping, as authors: [Identity]) async throws -> [Assignment] {
        guard let conversation = line.conversation else { return authors.map { Assignment(identity: $0) } }
        let wanted = Identity(source: line.source ?? "", externalID: line.externalID ?? "", userID: line.userID)
        return [try await assignment(of: wanted, as: authors, in: conversation)]
    }

    /// Maps imported authors to users whose ids are their mail addresses.
    ///
    /// Authors that were mapped by hand are unchanged; programs are left out.
    package func mapByEmail(source: String?) async throws -> MappingOutcome {
        try await map(try await mappingsByEmail(source: source), isConfirmed: false)
    }

    private func mappingsByEmail(source: String?) async throws -> [UserMapping] {
        try await store.identities().compactMap { author in
            guard author.source != "api", source.map({ $0 == author.source }) ?? true, !author.isBot,
                author.userID.rawValue == author.externalID,
                let email = author.email?.trimmingWhitespace().lowercased(), email.contains("@"),
                let user = UserID(validating: email)
            else { return nil }
            return UserMapping(
                place: "", source: author.source, externalID: author.externalID, userID: user)
        }
    }
}
