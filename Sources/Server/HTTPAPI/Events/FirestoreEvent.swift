import ChatCore
import Foundation

/// Turns events about Firestore documents into changes of messages and conversations.
struct FirestoreEvent {
    private static let typePrefix = "google.cloud.firestore.document.v1."

    private enum Action: String {
        case created
        case updated
        case deleted
        case written
    }

    let settings: FirestoreSettings
    let moment: Timestamp

    /// Reads an event.
    ///
    /// - Parameter event: The event.
    /// - Returns: The change; nil for a document that is neither a message nor a conversation.
    /// - Throws: ``FieldError``.
    func sourceEvent(_ event: CloudEvent) throws -> SourceEvent? {
        guard let action = Self.action(event.type), let document = try document(event) else { return nil }
        let value = event.data["value"]
        // A deletion comes without a value, or with one that is empty.
        let isDeleted = action == .deleted || !(value["name"].isPresent || value["fields"].isPresent)
        let updated = isDeleted ? event.time : value["updateTime"]
        let stateTime = try updated.optionalTimestamp() ?? event.time.optionalTimestamp()
        guard let stateTime else { throw updated.missing }
        let fields = FirestoreFields(value["fields"])
        let createdAt = try value["createTime"].optionalTimestamp() ?? stateTime
        let subject: SourceEvent.Subject
        switch document {
        case .message(let conversation, let message):
            let key = MessageKey(
                conversationID: ConversationID(rawValue: conversation), messageID: MessageID(rawValue: message))
            subject = .message(key, isDeleted ? nil : try self.message(key, fields, createdAt: createdAt))
        case .conversation(let id):
            let id = ConversationID(rawValue: id)
            subject = .conversation(id, isDeleted ? nil : try roster(id, fields, createdAt: createdAt))
        }
        return SourceEvent(id: event.id, source: event.source, stateTime: stateTime, subject: subject)
    }

    private static func action(_ type: String) -> Action? {
        guard type.hasPrefix(typePrefix) else { return nil }
        return Action(rawValue: String(type.dropFirst(typePrefix.count).prefix { $0 != "." }))
    }

    /// Prefers the document's own name, because the subject may have been encoded on its way.
    private func document(_ event: CloudEvent) throws -> FirestoreDocument? {
        let names = [event.data["value"]["name"], event.data["oldValue"]["name"]]
        for name in names {
            guard let name = try name.optionalString(), let start = name.range(of: "/documents/") else { continue }
            return FirestoreDocument(path: String(name[start.upperBound...]), messagePath: settings.messagePath)
        }
        guard let subject = event.subject, subject.hasPrefix("documents/") else { return nil }
        return FirestoreDocument(
            path: String(subject.dropFirst("documents/".count)), messagePath: settings.messagePath)
    }

    private func message(_ key: MessageKey, _ fields: FirestoreFields, createdAt: Timestamp) throws -> Message {
        let names = settings.fields
        let sender = try fields[names.senderID]
        return Message(
            key: key, senderID: try sender.identifier(),
            senderName: TextLimit.name.cut(try fields[names.senderName].optionalString() ?? ""),
            text: try fields[names.text].optionalString() ?? "",
            timestamp: try fields[names.timestamp].optionalTimestamp() ?? createdAt)
    }

    /// Reads `name` and `participants` or `members`: ids, or maps with `id` (or `userId`, `uid`) and `name`.
    private func roster(
        _ id: ConversationID, _ fields: FirestoreFields, createdAt: Timestamp
    ) throws -> ConversationRoster {
        let name = try fields["name"].optionalString().flatMap { $0.isEmpty ? nil : TextLimit.name.cut($0) }
        let participants = try fields["participants"]
        let list = participants.isPresent ? participants : try fields["members"]
        var members: [Member] = []
        for item in try list.optionalArray() ?? [] { members.append(try member(item, joinedAt: createdAt)) }
        let isDirect = name == nil && members.count <= 2
        return ConversationRoster(
            conversation: Conversation(
                id: id, kind: isDirect ? .direct : .group, name: name, createdAt: createdAt, updatedAt: moment),
            members: members)
    }

    private func member(_ item: JSONField, joinedAt: Timestamp) throws -> Member {
        guard case .object = item.value else {
            return Member(userID: try item.identifier(), displayName: "", joinedAt: joinedAt)
        }
        let id = ["id", "userId", "uid"].map { item[$0] }.first { $0.isPresent } ?? item["id"]
        return Member(
            userID: try id.identifier(), displayName: TextLimit.name.cut(try item["name"].optionalString() ?? ""),
            joinedAt: joinedAt)
    }
}

/// The fields of a document, with plain instead of typed values.
struct FirestoreFields {
    private let fields: JSONField

    init(_ fields: JSONField) {
        self.fields = fields
    }

    /// Returns a field; a dot leads into a map.
    subscript(name: String) -> JSONField {
        get throws(FieldError) {
            var field = fields
            var isTyped = false
            for part in name.split(separator: ".").map(String.init) {
                field = isTyped ? field["mapValue"]["fields"][part] : field[part]
                isTyped = true
            }
            return JSONField(try Self.plain(field), at: FieldPath(name))
        }
    }

    /// Returns the plain form of a typed value; nil for null and for types that are not used here.
    static func plain(_ field: JSONField) throws(FieldError) -> JSONValue? {
        guard case .object(let typed) = field.value else {
            if field.isPresent { throw field.error("must be a typed value, as {\"stringValue\": …}") }
            return nil
        }
        guard let (kind, value) = typed.first, typed.count == 1 else {
            throw field.error("must have one key, its type")
        }
        switch kind {
        case "stringValue", "timestampValue", "booleanValue", "doubleValue": return value
        case "integerValue":
            guard case .string(let text) = value else { return value }
            guard let number = Int64(text) else { throw field.error("must be a whole number") }
            return .integer(number)
        case "referenceValue":
            guard case .string(let path) = value else { throw field.error("must be a path") }
            return path.split(separator: "/").last.map { .string(String($0)) }
        case "arrayValue":
            var values: [JSONValue] = []
            for item in try field["arrayValue"]["values"].optionalArray() ?? [] {
                values.append(try plain(item) ?? .null)
            }
            return .array(values)
        case "mapValue":
            guard case .object(let fields) = field["mapValue"]["fields"].value else { return .object([:]) }
            var values: [String: JSONValue] = [:]
            for key in fields.keys { values[key] = try plain(field["mapValue"]["fields"][key]) }
            return .object(values)
        default: return nil
        }
    }
}
