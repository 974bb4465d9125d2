/// What a program that talks with a language model may call here (Model Context Protocol).
enum MCPTool: String, CaseIterable, Sendable {
    case searchMessages = "search_messages"
    case ask
    case getConversation = "get_conversation"

    /// How many messages of a conversation are returned at a time.
    static let messageRange = 1...100
    /// How many of them when the call does not say.
    static let messageCount = 20

    /// The tool as `tools/list` shows it.
    var definition: JSONValue {
        .object([
            "name": .string(rawValue), "title": .string(title), "description": .string(description),
            "inputSchema": input.inline, "outputSchema": output.inline,
            "annotations": .object([
                "readOnlyHint": .bool(self != .ask), "destructiveHint": .bool(false), "openWorldHint": .bool(false),
            ]),
        ])
    }

    private var title: String {
        switch self {
        case .searchMessages: "Search messages"
        case .ask: "Ask the chat history"
        case .getConversation: "Read a conversation"
        }
    }

    private var description: String {
        switch self {
        case .searchMessages: "Finds messages of the user's conversations by meaning and words, best first."
        case .ask: "Answers a question from the user's conversations, with numbered sources."
        case .getConversation:
            "Returns messages of one conversation, oldest first: the newest ones, those before a message, or those "
                + "around one."
        }
    }

    private var input: JSONSchema {
        switch self {
        case .searchMessages: .searchArguments
        case .ask: .askArguments
        case .getConversation:
            .open(
                .always("conversationId", .identifier),
                .maybe("around", .identifier.described("The id of the message in the middle.")),
                .maybe("before", .identifier.described("The id of the message to stop before.")),
                .maybe(
                    "limit", .integer(Self.messageRange).standard(.integer(Int64(Self.messageCount)))))
        }
    }

    private var output: JSONSchema {
        switch self {
        case .searchMessages: .searchResults
        case .ask: .answer()
        case .getConversation:
            .closed(.always("conversation", .conversation), .always("messages", .array(of: .message)))
        }
    }
}
