import ChatCore

/// The fields of messages, conversations and members that a person may set; the rest needs a key with the role ingest.
///
/// A time from a person is checked, so that a bad one is refused, and then replaced by the server's time.
enum PersonFields {
    /// Fields of a message that a person may send, and that the server replaces.
    static let replaced = ["senderName", "timestamp"]

    /// Returns a message with only the fields that a person may set.
    ///
    /// - Parameters:
    ///   - item: The message.
    ///   - person: The sender.
    /// - Returns: The message without the sender's name and the time.
    /// - Throws: ``Failure/fieldForbidden(_:)`` for a kind other than `text`, for a link and for others' reactions;
    ///   ``FieldError``.
    static func message(_ item: JSONField, by person: UserID) throws -> JSONField {
        guard case .object(var fields) = item.value else { return item }
        let kind: Message.Kind? = try item["kind"].optionalWord()
        guard kind ?? .text == .text else { throw Failure.fieldForbidden(item["kind"]) }
        // Refused because answers show the link in the name of this server.
        guard try item["url"].optionalString() == nil else { throw Failure.fieldForbidden(item["url"]) }
        for reaction in try item["reactions"].optionalArray() ?? [] {
            for user in try reaction["userIds"].optionalArray() ?? [] {
                guard case .string(let id) = user.value, UserID(rawValue: id) != person else { continue }
                throw Failure.fieldForbidden(user)
            }
        }
        _ = try item["timestamp"].optionalTimestamp()
        for name in replaced { fields[name] = nil }
        return JSONField(.object(fields), at: item.path)
    }

    /// Checks the fields of a member that a person sent; the server sets the times.
    ///
    /// - Parameters:
    ///   - item: The member.
    ///   - names: The member's names, from the token or from conversations that the person may see.
    /// - Returns: The name; nil if there is none.
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
    /// For a field that only a key with the role ingest may set.
    static func fieldForbidden(_ field: JSONField) -> Failure {
        Failure(
            403, "field_forbidden",
            "\(field.path) cannot be set by a person: leave it out, or use a key with the role ingest",
            .permissionDenied, field: field.path.description)
    }

    static let addingForbidden = Failure(
        403, "adding_forbidden", "people may not add others on this server (permissions.add-members)",
        .permissionDenied)
}
