import Accounts
import ChatCore
import Hummingbird
import NexusModel
import UseCases

/// What assistants read for a person, who sees it, keeps a copy and deletes it.
extension API {
    private static let readingRange = 1...500
    private static let readingCount = 100

    var assistantReadingRoutes: [Route] {
        [
            Route(
                .get, "v1/assistants/readings", .person, id: "listReadings",
                "Lists what connected assistants read for the asker, without text."
            ) { incoming, caller in
                let asker = try incoming.asker(caller)
                let limit = try incoming.limit(in: Self.readingRange, default: Self.readingCount)
                let page = try await services.accounts?.readings(
                    of: asker, before: try await firstReading(incoming), limit: limit)
                let next = if let next = page?.next { try await seal(next) } else { String?.none }
                return try reply(AssistantReadingDetailsPage(page, next: next))
            },
            Route(
                .delete, "v1/assistants/readings", .person, id: "deleteReadings",
                "Deletes the list of what connected assistants read for the asker."
            ) { incoming, caller in
                try await services.accounts?.deleteReadings(of: try incoming.asker(caller))
                return Response(status: .noContent)
            },
        ]
    }

    /// The number before which a page ends; nil for the first page.
    private func firstReading(_ incoming: IncomingRequest) async throws -> Int64? {
        guard let text = incoming.query("before") else { return nil }
        guard let bytes = await services.cursorSeal.open(text), bytes.count == 8 else {
            throw FieldError(FieldPath("before"), "must be the next of a page; leave it out to begin again")
        }
        return bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    private func seal(_ number: Int64) async throws -> String {
        try await services.cursorSeal.seal(withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }

    var assistantReadingDocuments: [String: RouteDocument] {
        [
            "listReadings": .json(
                .reply(AssistantReadingDetailsPage.self),
                query: [
                    .init(name: "before", schema: .string.described("`next` of the page before.")),
                    .init(
                        name: "limit",
                        schema: .integer(Self.readingRange).standard(.integer(Int64(Self.readingCount)))),
                ]),
            "deleteReadings": .empty(failures: [507]),
        ]
    }

    /// Records what a tool gives to an assistant, before the assistant gets it.
    func record(_ counts: [ConversationID: Int], of tool: String, in exchange: MCPExchange) async throws {
        guard let assistant = exchange.assistant, !counts.isEmpty else { return }
        let readings = counts.sorted { $0.key < $1.key }.map { id, count in
            AssistantReading(
                session: assistant.session, assistant: assistant.name, tool: tool, conversationID: id,
                messageCount: count, readAt: exchange.incoming.receivedAt)
        }
        try await services.accounts?.record(readings, of: exchange.asker)
    }
}

extension AssistantReadingDetailsPage {
    init(_ page: AssistantReadingPage?, next: String?) {
        self.init(
            readings: (page?.readings ?? []).map { reading in
                AssistantReadingDetails(
                    assistant: reading.assistant, sessionId: reading.session.rawValue, tool: reading.tool,
                    conversationId: reading.conversationID.rawValue, messageCount: reading.messageCount,
                    readAt: reading.readAt.wireDate)
            }, next: next)
    }
}

extension AssistantReadingDetails: NotedReply {
    static let replyNotes = ReplyNotes("AssistantReading")
}

extension AssistantReadingDetailsPage: NotedReply {
    static let replyNotes = ReplyNotes("AssistantReadingPage")
}
