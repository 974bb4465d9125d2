/// The templates that the program knows, each with the variables that it is given.
public enum PromptName: String, Hashable, Sendable, CaseIterable {
    /// The operator's instructions: the first message of every prompt.
    case system
    /// The numbered sources with the question: the last message of a prompt.
    case question
    /// The question when there is no source to show.
    case noSources = "no-sources"
    /// The answer that quotes the best sources, where no language model is configured.
    case extractive
    /// What is put below an answer whose prompt the service cut.
    case promptCut = "prompt-cut"

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
    /// What is said to a reply that holds no usable list.
    case extractionRetry = "extraction-retry"
    /// The request to judge an answer; only evaluation asks it.
    case judgeAnswer = "judge-answer"
    /// The request to suggest replies to the last message of a conversation.
    case smartReplies = "smart-replies"

    /// The name of the file that holds it.
    public var fileName: String { rawValue + ".md" }

    private static let sourceVariables: Set<String> = ["sources", "number", "sender", "conversation", "date", "text"]

    private static let listVariables: Set<String> = [
        "delimiter", "participants", "name", "messages", "number", "earlier", "sender", "date", "text", "fields",
        "field",
        "meaning",
    ]

    /// What a template of this name may use.
    var suppliedVariables: Set<String> {
        switch self {
        case .system: ["today"]
        case .question: Self.sourceVariables.union(["delimiter", "question", "heading", "byRank", "byConversation"])
        case .noSources: ["nothingFound", "searchFailed", "noRoom", "question"]
        case .extractive: Self.sourceVariables.union(["intro", "nothingFound", "searchFailed"])
        case .promptCut: []
        case .standaloneQuestion: ["delimiter", "exchanges", "asked", "answered", "question"]
        case .actionItems, .decisions, .deadlines: Self.listVariables.union(["known", "knownText"])
        case .priorities: Self.listVariables.union(["reader"])
        case .extractionRetry: ["faults", "item", "problem"]
        case .judgeAnswer:
            ["delimiter", "question", "reference", "sources", "number", "sender", "date", "text", "answer"]
        case .smartReplies:
            [
                "delimiter", "hasExamples", "examples", "hasMessages", "messages", "own", "other", "last", "sender",
                "date", "text",
            ]
        }
    }

    /// What a template of this name must use: without it the answer would be wrong or the sources unfenced.
    var requiredVariables: Set<String> {
        switch self {
        case .system, .promptCut: []
        case .question: ["sources", "number", "text", "delimiter", "question"]
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
        case .smartReplies: ["delimiter", "last", "text"]
        }
    }
}
