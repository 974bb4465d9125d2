import ChatCore
import Hummingbird
import NexusModel
import UseCases

/// The audit log: what administrators did.
extension API {
    private static let auditRange = 1...500
    private static let auditCount = 100

    var auditLogRoutes: [Route] {
        [
            Route(
                .get, "v1/administration/audit-log", .admin, id: "listAuditLog",
                "Lists what administrators did, the latest first."
            ) { incoming, _ in
                let limit = try incoming.limit(in: Self.auditRange, default: Self.auditCount)
                var query = AuditQuery(
                    person: try incoming.cursor("person"), action: try Self.auditAction(incoming),
                    from: try incoming.time("from"), until: try incoming.time("to"), limit: limit + 1)
                query.before = try Self.auditNumber(incoming)
                let found = try await services.store.auditEntries(query)
                let page = found.prefix(limit)
                return try reply(
                    AuditLogPage(
                        entries: page.map { AuditLogEntry($0) },
                        next: found.count > limit ? page.last.map { String($0.number) } : nil))
            }
        ]
    }

    private static func auditAction(_ incoming: IncomingRequest) throws(FieldError) -> String? {
        guard let word = incoming.query("action") else { return nil }
        guard AuditAction(rawValue: word) != nil else {
            let words = AuditAction.allCases.map(\.rawValue).joined(separator: ", ")
            throw FieldError(FieldPath("action"), "must be one of \(words)")
        }
        return word
    }

    private static func auditNumber(_ incoming: IncomingRequest) throws(FieldError) -> Int64? {
        guard let text = incoming.query("before") else { return nil }
        guard let number = Int64(text), number > 0 else {
            throw FieldError(FieldPath("before"), "must be the next of a page; leave it out to begin again")
        }
        return number
    }

    /// The requests and responses of ``auditLogRoutes``.
    var auditLogDocuments: [String: RouteDocument] {
        [
            "listAuditLog": .json(
                .reply(AuditLogPage.self),
                query: [
                    .init(name: "before", schema: .string.described("`next` of the page before.")),
                    .init(
                        name: "limit", schema: .integer(Self.auditRange).standard(.integer(Int64(Self.auditCount)))),
                    .init(name: "person", schema: .identifier.described("Only entries by or about this person.")),
                    .init(name: "action", schema: .openWord(AuditAction.allCases.map(\.rawValue))),
                    .init(name: "from", schema: .time.described("Only entries of this time or later.")),
                    .init(name: "to", schema: .time.described("Only entries before this time.")),
                ])
        ]
    }
}

extension AuditLogEntry {
    init(_ entry: AuditEntry) {
        self.init(
            id: String(entry.number), startedAt: entry.startedAt.wireDate, actor: entry.actor.kind.rawValue,
            actorId: entry.actor.id, actorName: entry.actor.name, origin: entry.origin.rawValue, action: entry.action,
            subject: entry.subject?.kind, subjectId: entry.subject?.id, detail: entry.detail,
            result: entry.result.rawValue)
    }
}

extension AuditLogEntry: NotedReply {
    static let replyNotes = ReplyNotes(
        "AuditLogEntry",
        [
            "actor": .openWord(AuditActor.Kind.allCases.map(\.rawValue)),
            "actorId": .string.described("Of the account or the key; missing for an erased person."),
            "origin": .openWord(AuditOrigin.allCases.map(\.rawValue)),
            "action": .openWord(AuditAction.allCases.map(\.rawValue)),
            "subject": .openWord(AuditSubject.kinds),
            "subjectId": .string.described("Missing if the object was erased."),
            "result": .openWord(AuditResult.allCases.map(\.rawValue)),
        ])
}

extension AuditLogPage: NotedReply {
    static let replyNotes = ReplyNotes("AuditLogPage")
}
