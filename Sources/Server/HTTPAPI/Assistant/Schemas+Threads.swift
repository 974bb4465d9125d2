import Assistant
import ChatCore
import NexusModel
import Retrieval

/// Requests and responses about threads, feedback and traces.
extension JSONSchema {
    private static let asker = identifier.described("The asker, if the caller may name one.")
    private static let title = anyOf(
        text(1...AssistantThread.titleLimit), null.described("The first question names the thread."))

    static let newThread = closed(.maybe("title", title), .maybe("userId", asker)).named("NewThread")

    static let threadChange = closed(.maybe("title", title), .maybe("userId", asker)).named("ThreadChange")

    static let newFeedback = closed(
        .always("rating", word(TurnFeedback.Rating.self)), .maybe("reason", text(0...TurnFeedback.reasonLimit)),
        .maybe("userId", asker)
    ).named("NewFeedback")

    static let thread = reply(ChatThread.self)
    static let threads = reply(ChatThreadPage.self)
    static let turn = reply(ChatTurn.self)
    static let turns = reply(ChatTurnPage.self)
    static let trace = reply(ChatTrace.self)
}

extension ChatThread: NotedReply {
    static let replyNotes = ReplyNotes("Thread")
}

extension ChatThreadPage: NotedReply {
    static let replyNotes = ReplyNotes(
        "ThreadPage", ["next": .string.described("The `after` of the next page; missing on the last page.")])
}

extension ChatTurn: NotedReply {
    static let replyNotes = ReplyNotes(
        "Turn",
        [
            "turnId": .string,
            "redactedReason": .word(ReadableTurn.Withholding.self).described("The reason why the answer is missing."),
            "sources": .array(of: .reply(ChatAnswer.Source.self, notes: ChatAnswer.Source.notesOfTurn)),
            "notices": .array(of: .word(Assistant.AnswerNotice.self)),
            "noAnswerReason": .noAnswerReason,
        ])
}

extension ChatTurn.Outdated: NotedReply {
    static let replyNotes = ReplyNotes(
        "OutdatedTurn", ["by": .reply(ChatAnswer.Source.self, notes: ChatAnswer.Source.notesOfTurn)],
        description: "A later message because of which the answer is no longer true.")
}

extension ChatTurn.Retrieval: NotedReply {
    static let replyNotes = ReplyNotes(nil, ["mode": .word(RetrievalMode.self)])
}

extension ChatTurn.Feedback: NotedReply {
    static let replyNotes = ReplyNotes("Feedback", ["rating": .word(FeedbackRating.self)])
}

extension ChatTurnPage: NotedReply {
    static let replyNotes = ReplyNotes(
        "TurnPage", ["next": .identifier.described("The `before` of the next page; missing on the last page.")])
}

extension ChatTrace: NotedReply {
    static let replyNotes = ReplyNotes(
        "Trace",
        [
            "searchedQuestion": .string.described(
                "The searched question, if it differs from the asked one; only for the asker."),
            "durations": .map(of: .number).described("Milliseconds by stage."),
        ])
}

extension ChatTrace.Filter: NotedReply {
    static let replyNotes = ReplyNotes("TraceFilter", ["from": .time, "to": .time])
}

extension ChatTrace.Hit: NotedReply {
    static let replyNotes = ReplyNotes(
        "TraceHit",
        ["signals": .array(of: .reply(SearchSignal.self, notes: ReplyNotes("TraceSignal")))])
}

extension ChatTrace.Generation: NotedReply {
    static let replyNotes = ReplyNotes("TraceGeneration")
}

extension ChatTrace.Prompt: NotedReply {
    static let replyNotes = ReplyNotes("TracePrompt")
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
