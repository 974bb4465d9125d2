import ChatCore
import Foundation
import Histories
import MessageStore

/// An author that is known by a name only, and where this name is.
struct NamePlaces: Codable, Sendable {
    /// The author's id in the source.
    var author: String
    /// The name.
    var name: String
    /// The conversations.
    var places: [AuthorPlace]
}

extension Workspace {
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
    func map(
        _ wanted: Identity, in conversation: ConversationID?, isConfirmed: Bool
    ) async throws -> OperatorOutcome {
        let authors = Self.authors(wanted, among: try await store.identities())
        if let conversation { return try await map(wanted, as: authors, in: conversation) }
        let names = try await namePlaces(of: authors)
        let places = Set(names.flatMap(\.places).map(\.id))
        guard isConfirmed || places.count <= 1 else { return .mappingUnconfirmed(names) }
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
    ) async throws -> OperatorOutcome {
        let name = wanted.externalID
        for author in authors {
            let places = try await store.places(of: author.externalID, source: author.source)
            guard places.contains(where: { $0.id == conversation }) else { continue }
            guard NamedAuthor.name(of: author) != nil || places.count == 1 else {
                throw OperatorFailure(
                    message: "\(name) is an id, so it is one person in all conversations: leave out --conversation")
            }
            let id = places.count == 1 ? author.externalID : NamedAuthor.id(of: author, in: conversation)
            let count = try await store.map(
                Identity(source: author.source, externalID: author.externalID, userID: wanted.userID),
                in: conversation, as: id, at: now())
            return .mapped(messageCount: count, conversationCount: 1)
        }
        throw OperatorFailure(
            message: "no author \(name) of the source \(wanted.source) in \(conversation.rawValue): "
                + "see nexus conversations show")
    }

    /// Maps authors to users, all of them or none.
    ///
    /// - Throws: ``OperatorFailure`` that names each line with an unknown author.
    func map(_ lines: [UserMapping], isConfirmed: Bool) async throws -> OperatorOutcome {
        let identities = try await identities(of: lines)
        if !isConfirmed {
            let names = try await namePlaces(of: identities).filter { $0.places.count > 1 }
            guard names.isEmpty else { return .mappingUnconfirmed(names) }
        }
        return .mappedUsers(lines, messageCount: try await store.map(identities, at: now()))
    }

    private func identities(of lines: [UserMapping]) async throws -> [Identity] {
        let known = try await store.identities()
        var authors: [Identity] = []
        var users: [String: Set<UserID>] = [:]
        var faults: [String] = []
        for line in lines {
            let found = known.filter { line.names($0) }
            if found.isEmpty { faults.append("\(line.place): no author \(line.author)") }
            for var author in found {
                users["\(author.source) \(author.externalID)", default: []].insert(line.userID)
                author.userID = line.userID
                authors.append(author)
            }
        }
        for (author, mapped) in users.sorted(by: { $0.key < $1.key }) where mapped.count > 1 {
            faults.append("\(author) is mapped to several users")
        }
        guard faults.isEmpty else {
            throw OperatorFailure(message: (["nothing was mapped"] + faults).joined(separator: "\n  "))
        }
        return authors
    }

    func mapByEmail(source: String?) async throws -> OperatorOutcome {
        try await map(try await mappingsByEmail(source: source), isConfirmed: false)
    }
}
