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
                let before = try incoming.query("before").map { _ in
                    try incoming.integer("before", in: 1...Int.max, default: 1)
                }
                let page = try await services.accounts?.readings(of: asker, before: before, limit: limit)
                return try reply(AssistantReadingDetailsPage(page))
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

    var assistantReadingDocuments: [String: RouteDocument] {
        [
            "listReadings": .json(
                .reply(AssistantReadingDetailsPage.self),
                query: [
                    .init(name: "before", schema: .integer.described("`next` of the page before.")),
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
    init(_ page: AssistantReadingPage?) {
        self.init(
            readings: (page?.readings ?? []).map { reading in
                AssistantReadingDetails(
                    assistant: reading.assistant, sessionId: reading.session.rawValue, tool: reading.tool,
                    conversationId: reading.conversationID.rawValue, messageCount: reading.messageCount,
                    readAt: reading.readAt.iso8601)
            }, next: page?.next.map { Int($0) })
    }
}

extension AssistantReadingDetails: NotedReply {
    static let replyNotes = ReplyNotes("AssistantReading")
}

extension AssistantReadingDetailsPage: NotedReply {
    static let replyNotes = ReplyNotes("AssistantReadingPage")
}
