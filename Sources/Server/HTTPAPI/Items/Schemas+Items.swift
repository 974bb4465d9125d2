import Assistant
import ChatCore
import NexusModel

/// Requests and responses about extracted items.
extension JSONSchema {
    private static func nullable(_ schema: JSONSchema) -> JSONSchema { anyOf(schema, null) }

    /// Fields with the names of a kind, and null for what is not known: a type with fixed fields cannot say this.
    private static let place: [Property] = [
        .always("id", identifier), .always("conversationId", identifier), .always("messageId", identifier),
        .always("quote", string.described("The words of the message that say it.")), .always("extractedAt", time),
        .always("sentAt", time.described("When the message was sent.")),
        .always("text", string.described("The item's text; the same as the field of its kind.")),
        .always("person", nullable(string).described("The item's person; the same as the field of its kind.")),
        .always("personId", nullable(identifier)),
    ]
    private static let dueFields: [Property] = [
        .always("due", nullable(time).described("The due time; the same as the field of its kind.")),
        .always("allDay", flag.described("Whether it is due on a day, without a time: `due` is the end of that day.")),
    ]
    private static let itemChange: [Property] = [
        .maybe("text", string), .maybe("person", nullable(string).described("A member's name or alias.")),
        .maybe("personId", nullable(identifier)), .maybe("userId", identifier),
    ]
    private static let dueChange: [Property] = [
        .maybe("due", nullable(given)),
        .maybe("allDay", flag.described("True: `due` is a date. False: `due` is a time.")), .maybe("timeZone", zone),
    ]
    private static let status = word(ExtractedItem.Status.self)

    private static let successor = Property.always(
        "supersededBy",
        nullable(identifier).described(
            "The later item that replaced it; lists of action items and deadlines leave replaced ones out."))

    static let actionItem = closed(
        .always("task", string), .always("assignee", nullable(string)), .always("assigneeId", nullable(identifier)),
        .always("deadline", nullable(time)), .always("priority", word(ExtractedItem.Priority.self)),
        .always("status", status), successor
    ).adding(place + dueFields).named("ActionItem")

    static let decision = closed(
        .always("decision", string), .always("decidedBy", nullable(string)),
        .always("decidedById", nullable(identifier)), .always("decidedAt", time),
        successor
    ).adding(place).named("Decision")

    static let deadline = closed(
        .always("what", string), .always("when", time), .always("whose", nullable(string)),
        .always("whoseId", nullable(identifier)), .always("status", status), successor
    ).adding(place + dueFields).named("Deadline")

    static func page(of item: JSONSchema, named name: String) -> JSONSchema {
        reply(ChatItemPage.self, notes: ReplyNotes(name, ["items": array(of: item), "next": nextAfter]))
    }

    static func extraction(of item: JSONSchema, named name: String) -> JSONSchema {
        reply(
            ChatExtraction.self,
            notes: ReplyNotes(
                name,
                [
                    "items": array(of: item).described("All items of the conversation."),
                    "messageCount": integer.described("New or changed messages that were read."),
                    "isComplete": flag.described("False: the next extraction continues after this one."),
                    "faults": map(of: integer).described("The numbers of errors in the model's replies, by kind."),
                ], always: ["faults"]))
    }

    private static let zone = text(1...64).described("The IANA name of a time zone, such as Europe/Berlin.")
    private static let given = text(10...64).described(
        "A time such as 2026-12-01T10:30:00Z, or a date such as 2026-12-01: due at the end of that day.")

    static let extractionRequest = closed(.maybe("timeZone", zone)).named("NewExtraction")

    static let actionItemChange = closed(
        .maybe("task", string), .maybe("assignee", nullable(string)), .maybe("assigneeId", nullable(identifier)),
        .maybe("deadline", nullable(given)), .maybe("status", status)
    ).adding(itemChange + dueChange).named("ActionItemChange")

    static let decisionChange = closed(
        .maybe("decision", string), .maybe("decidedBy", nullable(string)), .maybe("decidedById", nullable(identifier))
    ).adding(itemChange).named("DecisionChange")

    static let deadlineChange = closed(
        .maybe("what", string), .maybe("when", given), .maybe("whose", nullable(string)),
        .maybe("whoseId", nullable(identifier)), .maybe("status", status)
    ).adding(itemChange + dueChange).named("DeadlineChange")

    static let prioritiesRequest = closed(
        .maybe("after", identifier.described("The last message that was read; this or `since` is needed.")),
        .maybe("since", moment), .maybe("timeZone", zone)
    ).named("PrioritiesRequest")

    static let priorities = reply(MessagePriorityList.self)
}

extension MessagePriorityList: NotedReply {
    static let replyNotes = ReplyNotes("Priorities")
}

extension NexusModel.MessagePriority: NotedReply {
    static let replyNotes = ReplyNotes("JudgedMessage")
}

extension API {
    /// Requests and responses of the routes of items.
    var itemDocuments: [String: RouteDocument] {
        var documents: [String: RouteDocument] = [
            "judgePriorities": .json(
                .priorities, request: .prioritiesRequest, failures: [502, 503, 504])
        ]
        for items in ItemRoutes.all {
            let (item, change): (JSONSchema, JSONSchema) =
                switch items.kind {
                case .actionItem: (.actionItem, .actionItemChange)
                case .decision: (.decision, .decisionChange)
                case .deadline: (.deadline, .deadlineChange)
                }
            var query = [
                RouteDocument.Parameter(
                    name: "limit", schema: .integer(Self.pageRange).standard(.integer(Int64(Self.pageSize)))),
                .init(name: "after", schema: .identifier),
            ]
            if items.kind == .decision {
                query.append(.init(name: "q", schema: .string.described("A topic that they must be about.")))
            } else {
                query.append(.init(name: "status", schema: .word(ExtractedItem.Status.self)))
                query.append(.init(name: "assignee", schema: .identifier.described("A user's id, or me.")))
            }
            let page = RouteDocument.json(
                .page(of: item, named: items.singular + "Page"), query: query, failures: [404])
            documents["extract" + items.plural] =
                RouteDocument.json(
                    .extraction(of: item, named: items.singular + "Extraction"), request: .extractionRequest,
                    failures: [409, 502, 503, 504, 507]
                ).withOptionalBody
            documents["list" + items.plural] = page
            documents["listAll" + items.plural] = page
            documents["follow" + items.plural] = .changes(of: item, named: items.singular + "Changes")
            var changing = RouteDocument.json(item, request: change, failures: [507])
            changing.replies[204] = [:]
            documents["change" + items.singular] = changing
            documents["dismiss" + items.singular] = .empty(failures: [507])
        }
        return documents
    }
}
