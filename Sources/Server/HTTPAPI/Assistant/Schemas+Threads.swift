import ChatCore

/// Requests and responses about threads, feedback and traces.
extension JSONSchema {
    private static let asker = identifier.described("The asker, if the caller may name one.")
    private static let title = anyOf(
        text(1...AssistantThread.titleLimit), null.described("The first question names the thread."))

    static let newThread = open(.maybe("title", title), .maybe("userId", asker)).named("NewThread")

    static let threadChange = closed(.maybe("title", title), .maybe("userId", asker)).named("ThreadChange")

    static let thread = closed(
        .always("id", identifier), .always("title", string), .maybe("conversationId", identifier),
        .always("turnCount", integer), .always("createdAt", time), .always("updatedAt", time)
    ).named("Thread")

    static let threads = closed(
        .always("threads", array(of: thread)),
        .maybe("next", string.described("The `after` of the next page; missing on the last page."))
    ).named("ThreadPage")

    static let newFeedback = open(
        .always("rating", word(TurnFeedback.Rating.self)), .maybe("reason", text(0...TurnFeedback.reasonLimit)),
        .maybe("userId", asker)
    ).named("NewFeedback")

    static let feedback = closed(
        .always("rating", word(TurnFeedback.Rating.self)), .maybe("reason", string), .always("givenAt", time)
    ).named("Feedback")

    private static let traceFilter = closed(
        .maybe("conversationIds", array(of: identifier)), .maybe("senderIds", array(of: identifier)),
        .maybe("from", time), .maybe("to", time), .always("limit", integer), .maybe("timeZone", string)
    ).named("TraceFilter")

    private static let traceHit = closed(
        .always("rank", integer), .always("conversationId", identifier), .always("messageId", identifier),
        .always("score", number), .always("relevance", number),
        .always(
            "signals",
            array(
                of: closed(
                    .always("name", string), .always("value", number), .always("contribution", number),
                    .maybe("rank", integer)
                ).named("TraceSignal")))
    ).named("TraceHit")

    private static let traceGeneration = closed(
        .maybe("model", string),
        .always(
            "prompts",
            array(
                of: closed(
                    .always("name", string), .always("version", integer), .always("fingerprint", string)
                ).named("TracePrompt"))),
        .maybe("promptTokens", integer), .maybe("completionTokens", integer)
    ).named("TraceGeneration")

    static let trace = closed(
        .always("turnId", identifier), .always("filter", traceFilter),
        .maybe(
            "searchedQuestion",
            string.described("The searched question, if it differs from the asked one; only for the asker.")),
        .maybe("mode", string), .maybe("embeddingGeneration", integer), .maybe("configuration", string),
        .always("notes", array(of: string)), .always("noAnswerReason", string), .always("hits", array(of: traceHit)),
        .always("generation", traceGeneration),
        .always("durations", map(of: number).described("Milliseconds by stage."))
    ).named("Trace")
}

extension API {
    /// Requests and responses of the routes of threads and turns.
    var threadDocuments: [String: RouteDocument] {
        let limit = RouteDocument.Parameter(
            name: "limit", schema: .integer(Self.pageRange).standard(.integer(Int64(Self.pageSize))))
        var export = RouteDocument.json(.string)
        export.replies = [200: ["text/markdown": .string.described("Title, questions, answers and sources.")]]
        return [
            "createThread": RouteDocument(
                request: .newThread, replies: [201: ["application/json": .thread]], failures: [507]),
            "listThreads": .json(.threads, query: [limit, .init(name: "after", schema: .string)]),
            "followThreads": .changes(of: .thread, named: "ThreadChanges"),
            "getThread": .json(.thread),
            "renameThread": .json(.thread, request: .threadChange, failures: [507]),
            "deleteThread": .empty(failures: [507]),
            "exportThread": export,
            "listTurns": .json(
                .turns,
                query: [
                    limit, .init(name: "before", schema: .identifier),
                    .init(name: "threadId", schema: .identifier.described("Only the turns of this thread.")),
                ], failures: [404]),
            "getTurn": .json(.turn),
            "deleteTurn": .empty(failures: [507]),
            "setFeedback": .json(.turn, request: .newFeedback, failures: [507]),
            "removeFeedback": .empty(failures: [507]),
            "getTrace": .json(.trace),
        ]
    }
}
