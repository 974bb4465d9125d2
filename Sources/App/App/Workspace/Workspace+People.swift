import ChatCore
import Foundation
import HTTPAPI
import Histories
import MessageStore

extension Workspace {
    /// Returns a conversation with its present and past members.
    func report(on id: ConversationID) async throws -> ConversationReport {
        let moment = now()
        guard let place = try await store.overviews(of: id, at: moment).first else {
            throw OperatorFailure(message: "no conversation \(id.rawValue); see nexus conversations list")
        }
        var people: [ConversationReport.Person] = []
        for member in try await store.roster(of: id).members {
            people.append(
                ConversationReport.Person(
                    userId: member.userID, name: member.displayName, kind: try await store.kind(of: member.userID),
                    joinedAt: member.joinedAt, leftAt: member.leftAt))
        }
        return ConversationReport(conversation: place, people: people)
    }

    func setKind(_ kind: UserKind?, of user: UserID) async throws -> OperatorOutcome {
        try await store.setKind(kind, of: user)
        return .userKind(try await store.kind(of: user))
    }

    /// Returns the mappings of imported authors to users whose ids are their mail addresses.
    ///
    /// Authors that were mapped by hand are unchanged; programs are left out.
    func mappingsByEmail(source: String?) async throws -> [UserMapping] {
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

    /// Returns the members that an import would add to conversations, or remove from them.
    func previewMembers(_ places: [HistorySummary.Place]) async throws -> [MembershipPreview] {
        let told = places.filter { $0.visibility != nil }
        return try await store.previewImport(
            told.map { (source: $0.source, roster: $0.roster) }, at: now())
    }
}

extension Workspace {
    private static let keyNameLimit = 256

    /// Makes a key.
    func createKey(_ request: KeyRequest) async throws -> CreatedKey {
        guard request.name.map({ (1...Self.keyNameLimit).contains($0.count) }) ?? true else {
            throw OperatorFailure(message: "the name must have 1 to \(Self.keyNameLimit) characters")
        }
        var generator = SystemRandomNumberGenerator()
        let secret = APIKeySecret(using: &generator)
        let key = APIKey(
            id: secret.id, role: request.role, name: request.name, createdAt: now(), expiresAt: request.expiresAt)
        try await store.addKey(StoredAPIKey(key: key, digest: secret.digest))
        return CreatedKey(key: key, secret: secret.text)
    }

    /// Revokes a key.
    func revokeKey(_ id: APIKey.ID) async throws -> APIKey {
        guard let key = try await store.revokeKey(id, at: now()) else {
            throw OperatorFailure(message: "no key has the id \(id)")
        }
        return key
    }
}
