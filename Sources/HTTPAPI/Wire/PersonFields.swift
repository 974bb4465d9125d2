import ChatCore

/// What a person may say of messages, conversations and members; the rest is for keys that ingest.
///
/// A time that a person gives is read, so that a bad one is refused, and left out: the server's counts.
enum PersonFields {
    /// Returns a message as far as it is for a person to say.
    ///
    /// - Parameters:
    ///   - item: The message as it came.
    ///   - person: Who sends it.
    /// - Returns: The message without the sender's name and the time.
    /// - Throws: ``Failure/fieldForbidden(_:)`` for a kind other than `text`, for a link and for others' reactions;
    ///   ``FieldError``.
    static func message(_ item: JSONField, by person: UserID) throws -> JSONField {
        guard case .object(var fields) = item.value else { return item }
        let kind: Message.Kind? = try item["kind"].optionalWord()
        guard kind ?? .text == .text else { throw Failure.fieldForbidden(item["kind"]) }
        // Answers lead readers to it in the name of this server.
        guard try item["url"].optionalString() == nil else { throw Failure.fieldForbidden(item["url"]) }
        for reaction in try item["reactions"].optionalArray() ?? [] {
            for user in try reaction["userIds"].optionalArray() ?? [] {
                if case .string(let id) = user.value, id != person.rawValue { throw Failure.fieldForbidden(user) }
            }
        }
        _ = try item["timestamp"].optionalTimestamp()
        fields["timestamp"] = nil
        fields["senderName"] = nil
        return JSONField(.object(fields), at: item.path)
    }

    /// Checks what a person says of a member; times are left to the server.
    ///
    /// - Parameters:
    ///   - item: The member as it came.
    ///   - names: What this member is called, by the token or where the person may see it.
    /// - Returns: The name; nil when none is said.
    /// - Throws: ``Failure/fieldForbidden(_:)`` for another name, for aliases and for the time of leaving.
    static func name(ofMember item: JSONField, names: [String]) throws -> String? {
        _ = try item["joinedAt"].optionalTimestamp()
        guard try item["aliases"].optionalArray()?.isEmpty != false else {
            throw Failure.fieldForbidden(item["aliases"])
        }
        guard try item["leftAt"].optionalTimestamp() == nil else { throw Failure.fieldForbidden(item["leftAt"]) }
        guard let name = try item["name"].optionalString() else { return nil }
        guard names.contains(name) else { throw Failure.fieldForbidden(item["name"]) }
        return name
    }
}

extension Failure {
    /// Of what a person says that only a key that ingests may say.
    static func fieldForbidden(_ field: JSONField) -> Failure {
        Failure(
            403, "field_forbidden",
            "\(field.path) is not for a person to say: leave it out, or use a key with the role ingest",
            .permissionDenied, field: field.path.description)
    }

    static let addingForbidden = Failure(
        403, "adding_forbidden", "people may not add others here: see the setting permissions.add-members",
        .permissionDenied)
}
