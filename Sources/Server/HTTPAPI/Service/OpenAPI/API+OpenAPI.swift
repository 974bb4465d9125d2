import ChatCore
import Foundation
import Hummingbird
import Synchronization

extension API {
    /// The route with the description of the API.
    var openAPIRoutes: [Route] {
        [
            Route(.get, "openapi.json", .everyone, id: "openapi", "Describes this API in OpenAPI 3.1.") { _, _ in
                .json(try description.value { try openAPI() }, status: .ok)
            }
        ]
    }

    /// Returns the description of the routes over TCP.
    func openAPI() throws -> Data {
        let document = OpenAPIDocument(
            routes: routes.filter { !$0.path.hasPrefix(Self.homeserverPath) && $0.path != Self.slackPath }
                + socketRoutes, documents: documents,
            asksForTokens: settings.authentication != nil,
            version: services.version, address: settings.publicURL)
        return try WireEncoding.data(document.value)
    }
}

/// A value that is made on first use, and kept.
package final class MadeOnce<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)

    package init() {}

    /// Returns the value, which `make` makes on the first call; after a failure the next call tries again.
    package func value(_ make: () throws -> Value) rethrows -> Value {
        try made.withLock { made in
            if let made { return made }
            let value = try make()
            made = value
            return value
        }
    }
}

extension API {
    /// The requests and responses of the routes, by operation; a test compares it with the table of routes.
    var documents: [String: RouteDocument] {
        let documents: [(APITag, [String: RouteDocument])] = [
            (.server, healthDocuments), (.accounts, accountDocuments), (.accounts, profileDocuments),
            (.accounts, linkDocuments),
            (.mcp, authorizationDocuments), (.mcp, assistantReadingDocuments),
            (.administration, administrationDocuments), (.administration, auditLogDocuments),
            (.callable, callableDocuments), (.questions, questionDocuments),
            (.conversations, conversationDocuments), (.live, liveDocuments), (.live, personalDocuments),
            (.live, fileDocuments), (.live, pushDocuments),
            (.messages, messageDocuments), (.messages, scheduledDocuments),
            (.items, itemDocuments),
            (.turns, threadDocuments), (.schedules, scheduleDocuments),
            (.assistant, conversationAssistantDocuments), (.openAI, openAIDocuments),
        ]
        let exceptions: [String: APITag] = [
            "mcp": .mcp, "takeFirestoreEvent": .events, "suggestReplies": .assistant,
        ]
        var all: [String: RouteDocument] = [:]
        for (tag, documents) in documents {
            for (id, document) in documents {
                all[id] = document
                all[id]?.tag = exceptions[id] ?? tag
            }
        }
        return all
    }

    static let pageLimit = RouteDocument.Parameter(
        name: "limit", schema: .integer(pageRange).standard(.integer(Int64(pageSize))))
    /// The failures of a language model, of an embedder, and of storing the answer.
    private static let answerFailures: Set<Int> = [502, 503, 504, 507]

    private var healthDocuments: [String: RouteDocument] {
        let alive = RouteDocument.json(.alive).withOtherParameters
        let ready = RouteDocument.json(.readiness).or(503).withOtherParameters
        return [
            "health": alive, "livez": alive, "ready": ready, "readyz": ready, "status": .json(.readiness),
            "openapi": .json(.map(of: .any).described("This document.")).withOtherParameters,
            "metrics": RouteDocument(replies: [
                200: ["text/plain": .string.described("Prometheus' text format, version 0.0.4.")]
            ]).withOtherParameters,
        ]
    }

    /// Both forms of each address have the same description.
    private var callableDocuments: [String: RouteDocument] {
        let form = settings.callableTimestamps
        let prefix = form == .iso ? "" : "Callable"
        let answer = JSONSchema.answer(time: .time(form), prefix: prefix)
        let found = JSONSchema.found(time: .time(form), prefix: prefix)
        let documents = [
            "ragQuery": RouteDocument.json(
                .callableResult(answer), request: .callableRequest(JSONSchema.question.tolerant("Callable")),
                failures: [404, 504]
            ).orEvents(StreamEvent.callable(answer, streamsText: true)),
            "ragSearch": RouteDocument.json(
                .callableResult(.array(of: found)), request: .callableRequest(JSONSchema.search.tolerant("Callable")),
                failures: [504]
            ).orEvents(StreamEvent.callable(.array(of: found), streamsText: false)),
            "embedNewMessage": RouteDocument.json(
                .callableResult(.outcome), request: .callableRequest(callableMessage), failures: [409]),
        ]
        return documents.reduce(into: [:]) { all, item in
            all[item.key] = item.value
            all[item.key + "OfProject"] = item.value
        }
    }

    /// A message for a callable function; the names of its fields are settings.
    private var callableMessage: JSONSchema {
        let fields = settings.firestore.fields
        let configured = [fields.text, fields.senderID, fields.senderName, fields.timestamp]
        // A dot leads into an object, of which the description says nothing.
        let outer = Set(configured.map { String($0.prefix { $0 != "." }) }).sorted()
        return .open(
            .always("conversationId", .identifier), .maybe("messageId", .identifier), .maybe("id", .identifier),
            .maybe("userId", .identifier)
        ).adding(
            outer.filter { !["conversationId", "messageId", "id", "userId"].contains($0) }.map { .maybe($0, .any) }
        ).described("With the sender, text and time under the configured names of their fields.")
    }

    private var questionDocuments: [String: RouteDocument] {
        let result = StreamEvent(name: "message", summary: "The result of a tool.", data: .rpcReply)
        var exchange = RouteDocument.json(.anyOf(.rpcReply, .array(of: .rpcReply)), request: .rpcMessages)
            .orEvents([result])
        exchange.replies[202] = [:]
        exchange.replies[400] = ["application/json": .rpcReply]
        exchange.replies[404] = ["application/json": .rpcReply]
        return [
            "mcp": exchange,
            "ask": .json(.answer(), request: .question, failures: Self.answerFailures.union([404])).orEvents(
                StreamEvent.answer),
            "search": .json(.searchResults, request: .search, failures: Self.answerFailures),
            "setVerdict": RouteDocument(request: .newVerdict, replies: [204: [:]], failures: [404, 507]),
            "readTimeline": .json(.timeline, request: .timelineRequest, failures: Self.answerFailures),
        ]
    }

    private var conversationDocuments: [String: RouteDocument] {
        [
            "createConversation": .json(.conversation, request: .newConversation, failures: [404, 409, 507]).or(201),
            "listConversations": .json(
                .ownConversations,
                query: [
                    Self.pageLimit, .init(name: "after", schema: .identifier), .init(name: "q", schema: .string),
                ]),
            "getConversation": .json(.conversation),
            "changeConversation": .json(
                .anyOf(.conversation, .embeddingChoice), request: .conversationChange, failures: [507]),
            "listMembers": .json(.members, query: [Self.pageLimit, .init(name: "after", schema: .identifier)]),
            "getMember": .json(.member),
            "setMember": .json(.member, request: .memberChange, failures: [404, 409, 507]),
            "removeMember": .empty(failures: [409, 507]),
            "getUser": .json(.user),
            "setUser": .json(.user, request: .userChange, failures: [507]),
        ]
    }

    private var liveDocuments: [String: RouteDocument] {
        var feed = RouteDocument(
            query: [
                .init(name: "cursor", schema: .string), .init(name: "device", schema: .identifier),
                .init(name: "ticket", schema: .string.described("Of POST /v1/feed/ticket, instead of a header.")),
            ],
            replies: [200: ["text/event-stream": .string.described("Server-sent events; see x-nexus-events.")]])
        feed.events = StreamEvent.feed
        var socket = RouteDocument(query: feed.query, replies: [101: [:]], failures: [401, 426, 429, 503])
        socket.socket = .live
        return [
            "openSocket": socket,
            "openDirect": .json(.conversation, request: .newDirect, failures: [404, 409, 507]).or(201),
            "sync": .json(.syncState),
            "followFeed": feed,
            "sayToFeed": RouteDocument(request: .saying, replies: [204: [:]], failures: [404, 410, 507]),
            "makeTicket": RouteDocument.json(.ticket, request: .askerOnly).withOptionalBody,
            "acknowledgeFeed": RouteDocument(request: .acknowledgement, replies: [204: [:]], failures: [410, 507]),
            "markRead": .json(.receipt, request: .readMark, failures: [507]),
            "markUnread": .json(.receipt, request: .unreadMark, failures: [507]),
            "listReceipts": .json(.receipts),
            "setPreferences": .json(.preferences, request: .preferencesChange, failures: [507]),
            "changePreferences": .json(.preferences, request: .preferencesChange, failures: [507]),
            "renameConversation": RouteDocument(request: .newName, replies: [204: [:]], failures: [507]),
            "setHistory": RouteDocument(request: .newHistory, replies: [204: [:]], failures: [507]),
            "setRole": RouteDocument(request: .newRole, replies: [204: [:]], failures: [507]),
            "addReaction": RouteDocument.json(.message, request: .askerOnly, failures: [507]).withOptionalBody,
            "removeReaction": .json(.message, failures: [507]),
        ]
    }

    private var messageDocuments: [String: RouteDocument] {
        var event = RouteDocument.json(.eventReply, request: .cloudEvent, failures: [404, 507])
        event.requestTypes = ["application/json", "application/cloudevents+json"]
        var posting = RouteDocument.json(
            .anyOf(.outcome, .outcomes), request: .newMessages(atMost: settings.batchLimit), failures: [409, 507])
        posting.replies[201] = ["application/json": .outcome]
        return [
            "postMessages": posting,
            "listMessages": .json(
                .messages,
                query: [
                    Self.pageLimit, .init(name: "before", schema: .identifier),
                    .init(name: "after", schema: .identifier),
                    .init(name: "around", schema: .identifier.described("A message, or `unread`.")),
                    .init(
                        name: "at",
                        schema: .moment.described("A time: the first message from then on is in the middle.")),
                ]),
            "listReplies": .json(
                .replies, query: [Self.pageLimit, .init(name: "after", schema: .identifier)]),
            "listReactions": .json(.reactions),
            "getMessage": .json(.message),
            "editMessage": .json(.anyOf(.message, .outcome), request: .messageChange, failures: [409, 507]),
            "deleteMessage": .empty(failures: [507]),
            "suggestReplies": .json(
                .smartReplies, request: .smartRepliesRequest, failures: Self.answerFailures),
            "takeFirestoreEvent": event,
        ]
    }

    private var openAIDocuments: [String: RouteDocument] {
        [
            "listModels": .json(.models),
            "getModel": .json(.model),
            "createChatCompletion": .json(
                .chatCompletion(sources: .array(of: .source), citations: .array(of: .citation)),
                request: .newChatCompletion, failures: Self.answerFailures.union([404])
            ).orEvents(StreamEvent.chat),
            "createResponse": .json(
                .response, request: .newResponse, failures: Self.answerFailures.union([404])
            ).orEvents(StreamEvent.response),
            "getResponse": .json(.response, failures: [404]),
            "deleteResponse": .json(.deletedResponse, failures: [404]),
            "listResponseInput": .json(
                .responseInputs,
                query: [
                    .init(name: "limit", schema: .integer(1...100).standard(.integer(20))),
                    .init(name: "after", schema: .string), .init(name: "before", schema: .string),
                ], failures: [404]),
            "createEmbeddings": .json(
                .embeddings, request: .newEmbeddings, failures: Self.answerFailures.union([404])),
        ]
    }
}
