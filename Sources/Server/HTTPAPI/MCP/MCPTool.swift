import ChatCore

/// A tool for programs that use a language model (Model Context Protocol).
enum MCPTool: String, CaseIterable, Sendable {
    case searchMessages = "search_messages"
    case ask
    case readTimeline = "read_timeline"
    case listConversations = "list_conversations"
    case getConversation = "get_conversation"
    case summarizeConversation = "summarize_conversation"
    case listActionItems = "list_action_items"
    case listDecisions = "list_decisions"
    case listDeadlines = "list_deadlines"
    case postMessage = "post_message"

    /// The allowed number of messages of one call.
    static let messageRange = 1...100
    /// The default number of messages of one call.
    static let messageCount = 20

    /// What a person has to allow an assistant that calls it.
    var scope: AssistantScope { self == .postMessage ? .write : isAlone ? .ask : .read }

    /// Whether it watches the connection, which is possible once per request.
    var isAlone: Bool { self == .ask || self == .summarizeConversation }

    /// The kind of items that it lists.
    var itemKind: ExtractedItem.Kind? {
        switch self {
        case .listActionItems: .actionItem
        case .listDecisions: .decision
        case .listDeadlines: .deadline
        default: nil
        }
    }

    /// The tool as `tools/list` shows it; `ask` keeps a turn, and others see a posted message.
    var definition: JSONValue {
        .object([
            "name": .string(rawValue), "title": .string(title), "description": .string(description),
            "inputSchema": input.inline, "outputSchema": output.inline,
            "annotations": .object([
                "readOnlyHint": .bool(self != .ask && self != .postMessage), "destructiveHint": .bool(false),
                "openWorldHint": .bool(false),
            ]),
        ])
    }

    private var title: String {
        switch self {
        case .searchMessages: "Search messages"
        case .ask: "Ask the chat history"
        case .readTimeline: "Read the timeline of a subject"
        case .listConversations: "List conversations"
        case .getConversation: "Read a conversation"
        case .summarizeConversation: "Summarize a conversation"
        case .listActionItems: "List action items"
        case .listDecisions: "List decisions"
        case .listDeadlines: "List deadlines"
        case .postMessage: "Post a message"
        }
    }

    private var description: String {
        switch self {
        case .searchMessages:
            "Finds messages of the user's conversations by meaning and words, best first. Open what matters with "
                + "get_conversation."
        case .ask: "Answers a question from the user's conversations, with numbered sources."
        case .readTimeline:
            "Lists what messages state about a subject (dates, times, amounts, places, people in charge, decisions), "
                + "newest first, and which statements later ones replace."
        case .listConversations: "Lists the conversations that the user may see, by id."
        case .getConversation:
            "Returns messages of one conversation, oldest first: the newest ones, those before a message, or those "
                + "around one."
        case .summarizeConversation:
            "Summarizes one conversation, or some of its messages, such as those since a moment or in a thread."
        case .listActionItems: "Lists the tasks that were extracted from the user's conversations, or from one of them."
        case .listDecisions:
            "Lists the decisions extracted from the user's conversations, or from one of them; valid ones first."
        case .listDeadlines:
            "Lists the deadlines that were extracted from the user's conversations, or from one of them."
        case .postMessage: "Posts a message as the user in a conversation, where its members read it."
        }
    }

    /// The arguments; others are refused, because a misspelt one would search everything.
    var input: JSONSchema {
        switch self {
        case .searchMessages: .searchArguments
        case .ask: .askArguments
        case .readTimeline: .timelineArguments
        case .listConversations:
            .closed(
                .maybe("after", .identifier.described("`next` of the previous page.")),
                .maybe("limit", .integer(API.pageRange).standard(.integer(Int64(API.pageSize)))))
        case .getConversation:
            .closed(
                .always("conversationId", .identifier),
                .maybe("around", .identifier.described("The id of the message in the middle.")),
                .maybe("before", .identifier.described("The id of the message to stop before.")),
                .maybe(
                    "limit", .integer(Self.messageRange).standard(.integer(Int64(Self.messageCount)))))
        case .summarizeConversation: .summaryArguments
        case .listActionItems, .listDeadlines:
            .itemArguments(
                .maybe("status", .word(ExtractedItem.Status.self)),
                .maybe("assignee", .identifier.described("Only those of this person: a user's id, or me.")))
        case .listDecisions: .itemArguments(.maybe("q", .string.described("A topic that they must be about.")))
        case .postMessage:
            .closed(
                .always("conversationId", .identifier), .always("text", .string),
                .maybe("replyTo", .identifier.described("The id of the message that it replies to.")))
        }
    }

    private var output: JSONSchema {
        switch self {
        case .searchMessages: .foundMessages
        case .ask, .summarizeConversation: .answer()
        case .readTimeline: .timeline
        case .listConversations: .conversations
        case .getConversation:
            .closed(.always("conversation", .conversation), .always("messages", .array(of: .message)))
        case .listActionItems: .page(of: .actionItem, named: "ActionItemPage")
        case .listDecisions: .page(of: .decision, named: "DecisionPage")
        case .listDeadlines: .page(of: .deadline, named: "DeadlinePage")
        case .postMessage: .outcome
        }
    }
}

extension JSONSchema {
    /// The arguments of a tool that lists items.
    fileprivate static func itemArguments(_ further: Property...) -> JSONSchema {
        closed(
            .maybe("conversationId", identifier.described("Only those of this conversation.")),
            .maybe("after", identifier.described("`next` of the previous page.")),
            .maybe("limit", integer(API.pageRange).standard(.integer(Int64(API.pageSize))))
        ).adding(further)
    }
}
