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

/// A mapping of an author to a user, given by an operator.
struct UserMapping: Codable, Sendable, Equatable {
    /// The place in the input, for errors.
    var place: String
    /// Nil for every source; then the address identifies the author.
    var source: String?
    /// The id, or the name where there are no ids; nil if the address identifies the author.
    var externalID: String?
    var email: String?
    /// The only conversation in which the author is mapped; nil for all.
    var conversation: ConversationID?
    var userID: UserID

    init(
        place: String, source: String? = nil, externalID: String? = nil, email: String? = nil,
        conversation: ConversationID? = nil, userID: UserID
    ) {
        self.place = place
        self.source = source
        self.externalID = externalID
        self.email = email
        self.conversation = conversation
        self.userID = userID
    }

    /// The author in words.
    var author: String {
        let person = email.map { "with the address \($0)" } ?? "\(externalID ?? "") of the source \(source ?? "")"
        return person + (conversation.map { " in \($0.rawValue)" } ?? "")
    }
}

/// Reads mappings from lines of comma-separated values (RFC 4180), with a first line that names the columns:
/// `source,externalId,userId`, perhaps with `conversation`, or `email,userId`.
enum MappingFile {
    /// Reads a file's text.
    ///
    /// - Throws: ``OperatorFailure`` that names each wrong line.
    static func read(_ text: String) throws -> [UserMapping] {
        var rows = CommaSeparated.rows(text)
        guard let header = rows.first else { throw OperatorFailure(message: "the file is empty") }
        rows.removeFirst()
        let names = header.fields.map { $0.trimmingWhitespace().lowercased() }
        guard let needed = [["source", "externalid", "userid"], ["email", "userid"]].first(where: names.holdsAll) else {
            throw OperatorFailure(
                message: "line 1 must name the columns source,externalId,userId (and conversation) or email,userId")
        }
        var mappings: [UserMapping] = []
        var faults: [String] = []
        for row in rows {
            let place = "line \(row.line)"
            guard row.fields.count == names.count else {
                faults.append("\(place): \(row.fields.count) columns instead of \(names.count)")
                continue
            }
            let values = Dictionary(
                zip(names, row.fields.map { $0.trimmingWhitespace() }), uniquingKeysWith: { first, _ in first })
            if let mapping = mapping(values, needing: needed, at: place) {
                mappings.append(mapping)
            } else {
                faults.append("\(place): a value is empty or not a valid id")
            }
        }
        guard faults.isEmpty else {
            throw OperatorFailure(message: (["nothing was mapped"] + faults).joined(separator: "\n  "))
        }
        return mappings
    }

    /// Reads a line; nil if a value is missing or wrong.
    private static func mapping(_ values: [String: String], needing needed: [String], at place: String) -> UserMapping?
    {
        guard !needed.contains(where: { values[$0]?.isEmpty ?? true }),
            let user = values["userid"].flatMap({ UserID(validating: $0) })
        else { return nil }
        guard needed.contains("source") else {
            return UserMapping(place: place, email: values["email"], userID: user)
        }
        var mapping = UserMapping(
            place: place, source: values["source"], externalID: values["externalid"], userID: user)
        if let conversation = values["conversation"], !conversation.isEmpty {
            guard let id = ConversationID(validating: conversation) else { return nil }
            mapping.conversation = id
        }
        return mapping
    }
}

extension [String] {
    fileprivate func holdsAll(_ names: [String]) -> Bool { Set(self).isSuperset(of: names) }
}

/// Comma-separated values.
enum CommaSeparated {
    struct Row: Equatable {
        /// The number of its first line, from 1.
        var line: Int
        var fields: [String]
    }

    /// Returns the rows of a text; blank lines are ignored.
    static func rows(_ text: String) -> [Row] {
        var rows: [Row] = []
        var row = Row(line: 1, fields: [])
        var field = ""
        var isQuoted = false
        var line = 1
        func endRow() {
            row.fields.append(field)
            field = ""
            if row.fields != [""] { rows.append(row) }
            row = Row(line: line, fields: [])
        }
        var characters = Substring(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
        while let character = characters.popFirst() {
            if character.isNewline { line += 1 }
            switch character {
            case "\"" where isQuoted && characters.first == "\"":
                field.append("\"")
                characters.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.fields.append(field)
                field = ""
            case _ where character.isNewline && !isQuoted: endRow()
            default: field.append(character)
            }
        }
        endRow()
        return rows
    }
}

/// A request for a key.
struct KeyRequest: Codable, Sendable {
    var role: APIKey.Role
    var name: String?
    var expiresAt: Timestamp?
}

/// A new key with its secret.
struct CreatedKey: Codable, Sendable {
    var key: APIKey
    /// The bearer token of its owner.
    var secret: String
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
