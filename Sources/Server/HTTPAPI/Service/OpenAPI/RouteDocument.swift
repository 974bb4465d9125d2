import ChatCore
import NexusModel

/// A group of operations.
enum APITag: String, CaseIterable, Sendable {
    case questions = "Questions"
    case turns = "Turns and threads"
    case schedules = "Schedules"
    case accounts = "Accounts"
    case administration = "Administration"
    case conversations = "Conversations"
    case live = "Live chat"
    case messages = "Messages"
    case assistant = "Conversation assistant"
    case items = "Items"
    case openAI = "OpenAI"
    case callable = "Callable functions"
    case mcp = "MCP"
    case events = "Events"
    case server = "Server"

    /// A one-line description.
    var description: String {
        switch self {
        case .questions: "Answers and searches across conversations."
        case .turns: "Past questions, feedback, and threads of them."
        case .schedules: "Questions and digests that the assistant repeats."
        case .accounts: "Signing in, sessions, and the accounts of this server."
        case .administration: "What administrators of the server do."
        case .conversations: "Conversations and their members."
        case .live: "Lists, receipts, reactions, and the feed that clients follow."
        case .messages: "Posting, reading, editing and deleting messages."
        case .assistant: "Questions about one conversation, summaries, reply suggestions."
        case .items: "Action items, decisions and deadlines that are extracted from messages."
        case .openAI: "For clients of OpenAI's API."
        case .callable: "For clients of Firebase's callable functions."
        case .mcp: "The Model Context Protocol."
        case .events: "Messages from other systems."
        case .server: "State and description of the server."
        }
    }
}

/// One kind of event in a stream, or of message in a socket.
struct StreamEvent: Sendable {
    /// The value of `event:`, or of `type` in a message of a socket; nil for those without one.
    let name: String?
    let summary: String
    /// The value of `data:`, or the message.
    let data: JSONSchema
}

/// The messages of a socket, which both sides send as texts in JSON.
struct SocketDocument: Sendable {
    let subprotocol: String
    /// What the server sends, by `type`; nil for those without one.
    let fromServer: [StreamEvent]
    /// What a client sends, by `type`.
    let fromClient: [StreamEvent]
}

/// The description of a route, in addition to the table of routes.
struct RouteDocument: Sendable {
    /// A parameter of the query.
    struct Parameter: Sendable {
        let name: String
        let schema: JSONSchema
    }

    /// Parameters of the query; all are optional.
    var query: [Parameter] = []
    /// Whether the query may have other parameters, which are ignored.
    var allowsOtherParameters = false
    /// The body that is read; nil for none.
    var request: JSONSchema?
    /// Whether the body may be missing.
    var isRequestOptional = false
    /// Whether the cookie of a session says who asks.
    var takesSession = false
    /// Whether it sets the cookie of a session.
    var setsSession = false
    /// The media types of the body.
    var requestTypes = ["application/json"]
    /// The responses by status and media type, without errors; an empty object for no body.
    var replies: [Int: [String: JSONSchema]]
    /// The group in the description.
    var tag = APITag.server
    /// The events of its stream; empty if it does not stream.
    var events: [StreamEvent] = []
    /// The messages of its socket; nil if it opens none.
    var socket: SocketDocument?
    /// Statuses of errors, in addition to those that follow from the route's access, path and body.
    var failures: Set<Int> = []

    /// Answers 200 with JSON.
    static func json(
        _ schema: JSONSchema, request: JSONSchema? = nil, query: [Parameter] = [], failures: Set<Int> = []
    ) -> RouteDocument {
        RouteDocument(
            query: query, request: request, replies: [200: ["application/json": schema]], failures: failures)
    }

    /// Answers 204.
    static func empty(failures: Set<Int> = []) -> RouteDocument {
        RouteDocument(replies: [204: [:]], failures: failures)
    }

    /// The same that answers with another status too, with the same body.
    func or(_ status: Int) -> RouteDocument {
        var document = self
        document.replies[status] = replies[200]
        return document
    }

    /// The same whose body may be missing.
    var withOptionalBody: RouteDocument {
        var document = self
        document.isRequestOptional = true
        return document
    }

    /// The same that ignores other parameters of the query, as probes and services for sign-in may send.
    var withOtherParameters: RouteDocument {
        var document = self
        document.allowsOtherParameters = true
        return document
    }

    /// The same that streams when a client asks for events.
    func orEvents(_ events: [StreamEvent]) -> RouteDocument {
        var document = self
        let names = events.map { $0.name ?? "unnamed" }.joined(separator: ", ")
        document.replies[200]?["text/event-stream"] = .string.described(
            "Server-sent events, when asked for: \(names). Their data is described by x-nexus-events.")
        document.events = events
        return document
    }
}

extension RouteDocument {
    /// Returns the statuses of a route's errors.
    func failures(of route: Route) -> [Int] {
        // 400 and 403 are also for a foreign or missing Host, and for a foreign Origin.
        var statuses = failures.union([400, 403, 500])
        if route.access != .everyone { statuses.formUnion([401, 503]) }
        if route.access != .everyone && route.access != .source { statuses.insert(429) }
        if request != nil { statuses.formUnion([400, 413, 415]) }
        if route.takesIdempotencyKey { statuses.formUnion([409, 422]) }
        switch route.errors {
        case .problem, .openAI:
            if route.path.contains(":") { statuses.insert(404) }
        case .callable:
            // Clients know the statuses of their protocol only; see ``CallableStatus``.
            statuses.subtract([413, 415, 422])
        }
        return statuses.sorted()
    }
}

extension JSONSchema {
    fileprivate static func changes(of item: JSONSchema, named name: String) -> JSONSchema {
        reply(
            ChatListChanges<JSONContent>.self,
            notes: ReplyNotes(
                name,
                [
                    "items": array(of: item).described("New and changed entries in their present state."),
                    "removedIds": array(of: identifier).described("Entries that are no longer in the list."),
                    "next": string.described("A cursor: the next value of `after`."),
                ]))
    }
}

extension RouteDocument {
    /// Answers with the changes of a list.
    static func changes(of item: JSONSchema, named name: String) -> RouteDocument {
        .json(
            .changes(of: item, named: name),
            query: [
                Parameter(
                    name: "after",
                    schema: .string.described("`next` of an earlier reply; without it the whole list is sent.")),
                Parameter(
                    name: "wait",
                    schema: .integer(0...API.longestWait).standard(.integer(0))
                        .described("The most seconds to wait for a change.")),
            ], failures: [410])
    }
}

/// Events of streams.
extension StreamEvent {
    /// The events of `POST /v1/ask`, of the assistant inside a conversation and of its summaries.
    static let answer = [
        StreamEvent(
            name: "progress",
            summary: "Progress of summaries that the answer needs; comes first, any number of times.",
            data: .reply(NexusModel.AnswerEvent.Progress.self).named("AnswerProgress")),
        StreamEvent(
            name: "retrieval", summary: "The found messages, before the first text. Sources have no numbers yet.",
            data: .reply(NexusModel.AnswerEvent.Retrieval.self).named("FoundSources")),
        StreamEvent(
            name: "reading",
            summary: "How much of the sources the language model has read, before the first text, any number of times, "
                + "if its server reports it.",
            data: .reply(NexusModel.AnswerEvent.Reading.self).named("AnswerReading")),
        StreamEvent(
            name: "delta", summary: "More text of the answer. Citations in it have their final numbers.",
            data: .reply(NexusModel.AnswerEvent.Delta.self).named("AnswerDelta")),
        StreamEvent(
            name: "citation", summary: "A citation in the text so far, and the message that its number means.",
            data: .citation),
        StreamEvent(
            name: "support",
            summary:
                "The text so far after its sentences were checked: it replaces the text and the citations before it.",
            data: .reply(NexusModel.AnswerEvent.Support.self)),
        StreamEvent(name: "done", summary: "The whole answer; the last event.", data: .answer()),
        StreamEvent(name: "error", summary: "The error, if there is no answer; the last event.", data: .problem),
    ]

    /// The events of a callable function that streams text.
    static func callable(_ result: JSONSchema, streamsText: Bool) -> [StreamEvent] {
        let message = StreamEvent(
            name: nil, summary: "More text of the answer.", data: .closed(.always("message", .string)))
        return (streamsText ? [message] : []) + [
            StreamEvent(name: nil, summary: "The result; the last event.", data: .callableResult(result)),
            StreamEvent(
                name: nil, summary: "The error, if there is no result; the last event.", data: .callableProblem),
        ]
    }

    /// The events of `POST /v1/chat/completions`.
    static let chat = [
        StreamEvent(
            name: nil,
            summary:
                "A piece of the answer; the last one with content may be the list of sources. The line [DONE] is last.",
            data: .chatChunk),
        StreamEvent(name: nil, summary: "The error that ended the answer; the last event.", data: .openAIProblem),
    ]
}
