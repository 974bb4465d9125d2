import Assistant
import ChatCore
import Retrieval

/// Responses, named after the types that write them; every object is closed, so that tests find a field that is missing
/// here.
extension JSONSchema {
    static let problem = closed(
        .always("type", string), .always("title", string), .always("status", integer(400...599)),
        .always("code", string.described("A stable word that programs may test.")), .always("detail", string),
        .maybe("field", string.described("The field at fault."))
    ).named("Problem").described("RFC 9457 problem details.")

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

    static let member = closed(
        .always("userId", identifier), .always("name", string), .always("aliases", array(of: string)),
        .always("joinedAt", time), .maybe("leftAt", time),
        .maybe("role", word(["admin"]).described("Of an administrator, in replies that list members."))
    ).named("Member")

    static let user = closed(
        .always("userId", identifier),
        .always(
            "kind",
            word(UserKind.self).described("Guests and bots read open conversations only if they are members."))
    ).named("User")

    static let members = closed(
        .always("members", array(of: member)),
        .maybe("next", identifier.described("The `after` of the next page; missing on the last page."))
    ).named("MemberPage")

    static let conversation = closed(
        .always("id", identifier), .always("kind", word(Conversation.Kind.self)),
        .always("visibility", word(Conversation.Visibility.self)),
        .always("history", word(Conversation.History.self)), .maybe("name", string), .maybe("timeZone", string),
        .always("createdAt", time), .always("updatedAt", time),
        .maybe("members", array(of: member).described("Present and past members; not in lists.")),
        .maybe("embedding", word(ConversationEmbedding.Choice.self)),
        .maybe("isEmbedded", flag.described("False: found by words only."))
    ).named("Conversation")

    /// The response to a key with the role ingest, which may not read.
    static let embeddingChoice = closed(
        .always("id", identifier), .always("embedding", word(ConversationEmbedding.Choice.self)),
        .always("isEmbedded", flag)
    ).named("EmbeddingChoice")

    static let conversations = closed(
        .always("conversations", array(of: conversation)),
        .maybe("next", identifier.described("The `after` of the next page; missing on the last page."))
    ).named("ConversationPage")

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
