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

    static let smartReplies = closed(
        .always("replies", array(of: text(1...SmartReplies.lengthLimit), atMost: SmartReplies.limit)),
        .maybe("reason", word(SmartReplies.Reason.self).described("The reason why there are none."))
    ).named("SmartReplies")

    static let turns = closed(
        .always("turns", array(of: turn)),
        .maybe("next", identifier.described("The `before` of the next page; missing on the last page."))
    ).named("TurnPage")

    private static let turnSource = closed(
        .always("conversationId", identifier), .always("conversationName", string),
        .always("messageId", identifier), .always("excerpt", excerpt), .maybe("start", excerptStart),
        .maybe("end", excerptEnd), .always("senderName", string),
        .always("timestamp", time), .maybe("relevanceScore", number),
        .maybe(
            "number", integer(atLeast: 1).described("Its number in the answer, as in [1]; missing if not cited.")),
        .maybe("rank", integer(atLeast: 1)), .maybe("url", link)
    ).named("TurnSource")

    static let turn = closed(
        .always("turnId", string), .always("question", string), .always("answer", string),
        .always("isRedacted", flag),
        .maybe(
            "redactedReason", word(ReadableTurn.Withholding.self).described("The reason why the answer is missing.")),
        .always("sources", array(of: turnSource)), .always("citations", array(of: citation)),
        .always("notices", array(of: word(AnswerNotice.self))), .maybe("noAnswerReason", word(NoAnswerReason.self)),
        .maybe("retrieval", closed(.maybe("mode", word(RetrievalMode.self)))),
        .always("askedAt", time), .maybe("threadId", identifier),
        .maybe("feedback", feedback)
    ).named("Turn")

    static let rpcReply = closed(
        .always("jsonrpc", word(["2.0"])), .always("id", any), .maybe("result", map(of: any)),
        .maybe("error", closed(.always("code", integer), .always("message", string), .maybe("data", any)))
    ).named("RPCReply")

    static let eventReply = closed(
        .always("outcome", word(["stored", "ignored", "deleted", "duplicate", "outdated", "deleted_before"]))
    ).named("EventOutcome")
}

/// Answers and found messages; callable functions may write their times in another form.
extension JSONSchema {
    /// The form of times in callable functions.
    static func time(_ form: CallableTimestamps) -> JSONSchema {
        switch form {
        case .iso: time
        case .millis: integer
        case .firestore: closed(.always("_seconds", integer), .always("_nanoseconds", integer(0...999_999_999)))
        }
    }

    private static let conversationCoverage = closed(
        .always("messageCount", integer(atLeast: 0)), .always("summarizedCount", integer(atLeast: 0)),
        .always("writtenCount", integer(atLeast: 0).described("Summaries that were written for this answer."))
    ).named("ConversationCoverage")

    private static let excerpt = string.described("The sentences that were found, at most 300 characters.")
    private static let excerptStart = integer(atLeast: 0).described(
        "The offset of the excerpt in the message's text, in UTF-16 code units; missing if it is in a file.")
    private static let excerptEnd = integer(atLeast: 0).described("The offset after the excerpt.")
    private static let duplicates = array(
        of: closed(.always("conversationId", identifier), .always("messageId", identifier))
    ).described("Other messages that say the same, newest first, at most \(Hit.duplicateLimit).")

    static let citation = closed(
        .always("number", integer(atLeast: 1)), .always("messageId", identifier),
        .always("conversationId", identifier), .always("start", integer(atLeast: 0)),
        .always("end", integer(atLeast: 0))
    ).named("Citation")

    /// An answer; `prefix` is put before the names of schemas whose times have another form.
    static func answer(time: JSONSchema = time, prefix: String = "") -> JSONSchema {
        let retrieval = closed(
            .maybe("mode", word(RetrievalMode.self)), .maybe("generation", integer), .maybe("configuration", string),
            .maybe("notes", array(of: word(SearchTrace.Note.self))),
            .always("promptMessageIds", array(of: identifier)),
            .always(
                "promptMessages",
                array(of: closed(.always("conversationId", identifier), .always("messageId", identifier))))
        ).named("AnswerRetrieval")
        return closed(
            .always("turnId", string), .always("answer", string),
            .always("sources", array(of: source(time: time, prefix: prefix))),
            .always("citations", array(of: citation)), .always("queryTime", time),
            .always("noAnswerReason", word(NoAnswerReason.self)), .always("retrieval", retrieval),
            .maybe("usage", closed(.always("promptTokens", integer), .always("completionTokens", integer))),
            .always("notices", array(of: word(AnswerNotice.self))), .maybe("coverage", conversationCoverage)
        ).named(prefix + "Answer")
    }

    static func source(time: JSONSchema = time, prefix: String = "") -> JSONSchema {
        closed(
            .always("conversationId", identifier), .always("conversationName", string),
            .always("messageId", identifier), .always("excerpt", excerpt), .maybe("start", excerptStart),
            .maybe("end", excerptEnd), .always("senderName", string),
            .always("timestamp", time), .always("relevanceScore", number),
            .maybe(
                "number",
                integer(atLeast: 1).described("Its number in the answer, as in [1]; missing if not cited.")),
            .always("rank", integer(atLeast: 1)), .maybe("url", link), .maybe("duplicates", duplicates)
        ).named(prefix + "Source")
    }

    static func found(time: JSONSchema = time, prefix: String = "") -> JSONSchema {
        let signal = closed(
            .always("name", string), .always("value", number), .always("contribution", number),
            .maybe("rank", integer(atLeast: 1))
        ).named("Signal")
        return closed(
            .always("messageId", identifier), .always("conversationId", identifier),
            .always("conversationName", string), .always("text", string), .always("excerpt", excerpt),
            .maybe("start", excerptStart), .maybe("end", excerptEnd), .maybe("url", link),
            .maybe("duplicates", duplicates),
            .maybe("attachments", array(of: attachment)),
            .always("senderId", identifier), .always("senderName", string), .always("timestamp", time),
            .always("score", number), .maybe("explanation", array(of: signal)),
            .maybe(
                "passage", closed(.always("ordinal", integer), .always("start", integer), .always("end", integer)))
        ).named(prefix + "Found")
    }

    static let searchResults = closed(
        .always("results", array(of: found())), .always("noAnswerReason", word(NoAnswerReason.self)),
        .always(
            "retrieval",
            closed(
                .always("mode", word(RetrievalMode.self)), .maybe("generation", integer),
                .always("configuration", string), .always("notes", array(of: word(SearchTrace.Note.self)))))
    ).named("SearchResults")

    /// The response of a callable function that succeeds.
    static func callableResult(_ result: JSONSchema) -> JSONSchema { closed(.always("result", result)) }
}
