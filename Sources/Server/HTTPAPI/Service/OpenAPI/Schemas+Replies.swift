import Assistant
import ChatCore
import NexusModel
import Retrieval

/// Responses, named after the types that write them; every object is closed, so that tests find a field that is missing
/// here.
extension JSONSchema {
    /// Of ``ChatProblem``, which also writes what follows from the status.
    static let problem = reply(ChatProblem.self).adding([.always("type", string), .always("title", string)])

    static let callableProblem = closed(
        .always(
            "error",
            closed(
                .always("status", string), .always("message", string),
                .maybe("details", closed(.always("code", string), .maybe("field", string)))))
    ).named("CallableError").described("An error in the format of Firebase clients.")

    static let alive = closed(.always("status", word(["ok"]))).named("Alive")

    static let readiness = closed(
        .always("status", word(["ready", "not_ready"])),
        .always(
            "checks", array(of: closed(.always("name", string), .always("ready", flag), .maybe("detail", string)))),
        .always("notes", array(of: string)), .always("embedding", array(of: embeddingReport))
    ).named("Readiness")

    private static let usage = closed(
        .always("requestCount", integer), .always("textCount", integer), .always("tokenCount", integer)
    ).named("EmbeddingUsage")

    private static let coverage = closed(
        .always("messageCount", integer), .always("embeddedCount", integer), .always("waitingCount", integer),
        .always("failedCount", integer), .always("excludedCount", integer), .always("emptyCount", integer)
    ).named("EmbeddingCoverage")

    private static let embeddingReport = closed(
        .always("generation", integer), .always("state", word(EmbeddingGeneration.State.self)),
        .always("coverage", coverage), .maybe("oldestWaitingSeconds", number), .always("messagesPerSecond", number),
        .maybe("secondsLeft", number), .always("failures", map(of: integer)), .always("today", usage),
        .always("total", usage), .always("questionsToday", usage), .always("questionsTotal", usage),
        .maybe("costToday", number), .maybe("costTotal", number), .always("isBacklogPaused", flag)
    ).named("EmbeddingReport")

    static let rpcReply = closed(
        .always("jsonrpc", word(["2.0"])), .always("id", any), .maybe("result", map(of: any)),
        .maybe("error", closed(.always("code", integer), .always("message", string), .maybe("data", any)))
    ).named("RPCReply")

    static let eventReply = closed(
        .always("outcome", word(["stored", "ignored", "deleted", "duplicate", "outdated", "deleted_before"]))
    ).named("EventOutcome")
}

extension JSONSchema {
    /// The response of a callable function that succeeds.
    static func callableResult(_ result: JSONSchema) -> JSONSchema { closed(.always("result", result)) }
}

extension ChatProblem: NotedReply {
    static let replyNotes = ReplyNotes(
        "Problem",
        [
            "status": .integer(400...599),
            "code": .openWord(FailureCode.all.keys.sorted()).described(
                "A stable word that programs may test; a later server may have others."),
            "field": .string.described("The field at fault."),
        ], description: "RFC 9457 problem details.")
}
