import ChatCore

/// The templates of the program, each with its variables.
package enum PromptName: String, Hashable, Sendable, CaseIterable {
    /// The operator's instructions: the first message of every prompt.
    case system
    /// The numbered sources with the question: the last message of a prompt.
    case question
    /// The operator's instructions in a small prompt.
    case smallSystem = "small-system"
    /// The numbered sources with the question, in a small prompt.
    case smallQuestion = "small-question"
    /// The question when there is no source to show.
    case noSources = "no-sources"
    /// The answer that quotes the best sources if no language model is configured.
    case extractive
    /// The note below an answer whose prompt the service cut.
    case promptCut = "prompt-cut"
    /// The message that is posted in a conversation if the language model gave no answer.
    case mentionFailed = "mention-failed"
    /// Posted to people: what became of a command about a link with an account.
    case linkOutcome = "link-outcome"

    /// The note below a posted answer some of whose sentences no message supports.
    case mentionUnsupported = "mention-unsupported"
    /// What is left of an answer of which no sentence is supported.
    case nothingSupported = "nothing-supported"
    /// The summary of a conversation in which no message is meant.
    case nothingToSummarize = "nothing-to-summarize"

    /// The request to put a follow-up question in words that need no talk before it.
    case standaloneQuestion = "standalone-question"
    /// The request to list action items.
    case actionItems = "action-items"
    /// The request to list decisions.
    case decisions
    /// The request to list deadlines.
    case deadlines
    /// The request to judge how urgent unread messages are.
    case priorities
    /// The request to correct a reply without a usable list.
    case extractionRetry = "extraction-retry"
    /// The request to judge an answer; only evaluation asks it.
    case judgeAnswer = "judge-answer"
    /// The request to judge the statements of a summary; only evaluation asks it.
    case judgeSummary = "judge-summary"
    /// The request to suggest replies to the last message of a conversation.
    case smartReplies = "smart-replies"

    /// The operator's instructions to the assistant inside a conversation.
    case conversationAssistant = "conversation-assistant"
    /// A conversation, or the part that fits, with the request.
    case conversationQuestion = "conversation-question"
    /// The request to summarize a part of a conversation.
    case summarizePart = "summarize-part"
    /// The request to make one of several summaries.
    case mergeSummaries = "merge-summaries"

    /// Suggested to people: a summary of the conversation.
    case suggestionSummary = "suggestion-summary"
    /// Suggested to people: the action items of the conversation.
    case suggestionActionItems = "suggestion-action-items"
    /// Suggested to people: the decisions of the conversation.
    case suggestionDecisions = "suggestion-decisions"
    /// Suggested to people: the deadlines of the conversation.
    case suggestionDeadlines = "suggestion-deadlines"

    /// Whether people read it as it is, not a language model.
    var isForPeople: Bool {
        switch self {
        case .extractive, .promptCut, .mentionFailed, .linkOutcome, .mentionUnsupported, .nothingSupported,
            .nothingToSummarize,
            .suggestionSummary,
            .suggestionActionItems, .suggestionDecisions, .suggestionDeadlines:
            true
        default: false
        }
    }

    /// The name of its file.
    package var fileName: String { rawValue + ".md" }

    private static let sourceVariables: Set<String> = ["sources", "number", "sender", "conversation", "date", "text"]

    private static let listVariables: Set<String> = [
        "delimiter", "participants", "name", "messages", "number", "earlier", "sender", "date", "text", "fields",
        "field",
        "meaning",
    ]

    private static let lineVariables: Set<String> = ["delimiter", "messages", "number", "time", "sender", "text"]

    /// The variables that a template of this name may use.
    var suppliedVariables: Set<String> {
        switch self {
        case .system, .smallSystem: ["today"]
        case .question, .smallQuestion:
            Self.sourceVariables.union([
                "delimiter", "question", "heading", "byRank", "byConversation", "isReplaced", "replacedBy", "unsure",
                "asOf",
            ])
        case .noSources: ["nothingFound", "searchFailed", "noRoom", "asOf", "question"]
        case .extractive:
            Self.sourceVariables.union([
                "day", "intro", "nothingFound", "searchFailed", "modelFailed", "isReplaced", "replacedWords",
                "replacedBy", "asOf", "unsure", "people", "isLater", "name", "place",
            ])
        case .promptCut, .nothingSupported, .nothingToSummarize: []
        case .mentionUnsupported: ["sentences", "text"]
        case .mentionFailed: Set(MentionFailure.allCases.map(\.rawValue))
        case .linkOutcome: Set(LinkOutcome.allCases.map(\.rawValue) + ["account"])
        case .suggestionSummary, .suggestionActionItems, .suggestionDecisions, .suggestionDeadlines: []
        case .conversationAssistant: ["today"]
        case .conversationQuestion:
            Self.lineVariables.union([
                "newDay", "day", "conversation", "participants", "name", "asker", "program", "present", "left",
                "hasDates", "begin", "end", "messageCount", "hasSummaries", "summaries", "from", "to", "hasMessages",
                "isWhole", "isMissing", "filtered", "empty", "question", "hasLanguage", "language",
                "conversationLanguage",
            ])
        case .summarizePart: Self.lineVariables.union(["newDay", "day", "lineCount"])
        case .mergeSummaries: ["delimiter", "summaries", "from", "to", "text", "lineCount"]
        case .standaloneQuestion: ["delimiter", "exchanges", "asked", "answered", "question"]
        case .actionItems, .decisions, .deadlines: Self.listVariables.union(["known", "knownText"])
        case .priorities: Self.listVariables.union(["reader"])
        case .extractionRetry: ["faults", "item", "problem"]
        case .judgeAnswer:
            ["delimiter", "question", "reference", "sources", "number", "sender", "date", "text", "answer"]
        case .judgeSummary: ["delimiter", "sources", "number", "sender", "date", "text", "statements"]
        case .smartReplies:
            [
                "delimiter", "hasExamples", "examples", "hasMessages", "messages", "own", "other", "last", "sender",
                "date", "text",
            ]
        }
    }

    /// The variables that a template of this name must use: otherwise the answer would be wrong or the sources
    /// unfenced.
    var requiredVariables: Set<String> {
        switch self {
        case .system, .smallSystem, .promptCut, .mentionFailed, .linkOutcome, .nothingSupported, .nothingToSummarize,
            .conversationAssistant:
            []
        case .mentionUnsupported: ["sentences", "text"]
        case .conversationQuestion:
            [
                "delimiter", "messages", "number", "sender", "text", "summaries", "participants", "name", "empty",
                "isMissing", "question",
            ]
        case .summarizePart: ["delimiter", "messages", "number", "sender", "text"]
        case .mergeSummaries: ["delimiter", "summaries", "text"]
        case .suggestionSummary, .suggestionActionItems, .suggestionDecisions, .suggestionDeadlines: []
        case .question, .smallQuestion: ["sources", "number", "text", "delimiter", "question"]
        case .noSources: ["question"]
        case .extractive: ["sources", "number", "text"]
        case .standaloneQuestion: ["delimiter", "exchanges", "asked", "question"]
        case .actionItems, .decisions, .deadlines, .priorities:
            [
                "delimiter", "participants", "name", "messages", "number", "earlier", "sender", "date", "text",
                "fields", "field",
            ]
        case .extractionRetry: ["faults", "problem"]
        case .judgeAnswer: ["delimiter", "question", "sources", "text", "answer"]
        case .judgeSummary: ["delimiter", "sources", "number", "text", "statements"]
        case .smartReplies: ["delimiter", "last", "text"]
        }
    }
}
