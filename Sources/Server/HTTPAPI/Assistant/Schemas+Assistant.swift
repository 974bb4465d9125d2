import Assistant
import ChatCore
import NexusModel

/// Requests and responses of the assistant inside a conversation.
extension JSONSchema {
    static let suggestions = reply(PromptSuggestionList.self)
    static let smartReplies = reply(NexusModel.SmartReplies.self)

    private static let zone = text(1...64).described("The IANA name of a time zone, such as Europe/Berlin.")
    private static let language = text(2...35).described(
        "The language of the answer as a tag such as de or pt-BR; by default that of the question or, for a summary, "
            + "of the messages.")
    private static let asker = identifier.described("The asker, if the caller may name one.")

    static let assistantRequest = closed(
        .always("text", text(1...AskRequest.questionLimit)), .maybe("timeZone", zone), .maybe("language", language),
        .maybe("userId", asker)
    ).named("AssistantRequest")

    private static let summaryFields: [Property] = [
        .maybe("since", moment),
        .maybe("after", identifier.described("Messages after this one.")),
        .maybe("unread", flag.described("Messages of others only; needs `since` or `after`.")),
        .maybe("threadId", identifier.described("The first message of a thread.")),
        .maybe("senderId", identifier.described("Messages of this person.")), .maybe("timeZone", zone),
        .maybe("language", language),
    ]

    static let summaryRequest = closed(.maybe("userId", asker)).adding(summaryFields).named("SummaryRequest")

    /// The arguments of the tool that summarizes.
    static let summaryArguments = closed(.always("conversationId", identifier)).adding(summaryFields)
}

extension PromptSuggestionList: NotedReply {
    static let replyNotes = ReplyNotes("SuggestionList")
}

extension PromptSuggestion: NotedReply {
    static let replyNotes = ReplyNotes(
        "Suggestion",
        [
            "id": .word(Suggestion.ID.self), "title": .string.described("The text to show."),
            "text": .string.described("The text to send when it is chosen."),
        ])
}

extension NexusModel.SmartReplies: NotedReply {
    static let replyNotes = ReplyNotes(
        "SmartReplies",
        [
            "replies": .array(
                of: .text(1...Assistant.SmartReplies.lengthLimit), atMost: Assistant.SmartReplies.limit),
            "reason": .word(Assistant.SmartReplies.Reason.self).described("The reason why there are none."),
        ])
}

extension API {
    /// Requests and responses of the routes of the assistant inside a conversation.
    var conversationAssistantDocuments: [String: RouteDocument] {
        let failures: Set<Int> = [502, 503, 504, 507]
        return [
            "suggestPrompts": .json(.suggestions),
            "askAssistant": .json(.answer(), request: .assistantRequest, failures: failures).orEvents(
                StreamEvent.answer),
            "listExchange": .json(.turns, query: [Self.pageLimit, .init(name: "before", schema: .identifier)]),
            "followExchange": .changes(of: .turn, named: "TurnChanges"),
            "clearExchange": .empty(failures: [507]),
            "summarize": RouteDocument.json(.answer(), request: .summaryRequest, failures: failures)
                .orEvents(StreamEvent.answer).withOptionalBody,
        ]
    }
}
