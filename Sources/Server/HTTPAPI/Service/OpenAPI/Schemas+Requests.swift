import Assistant
import ChatCore
import Retrieval

/// Requests; the limits are those of the code that reads them.
extension JSONSchema {
    /// A time in a request; the server also reads numbers, which only complicate a client.
    static let moment = time.described(
        "ISO 8601 with a zone. The server also takes a number: milliseconds since 1970."
    ).named("Time")
    private static let name = text(1...256)
    private static let zone = text(1...64).described("The IANA name of a time zone, such as Europe/Berlin.")
    private static let asker = identifier.described("The asker, if the caller may name one.")

    static let filters: [Property] = [
        .maybe("topK", integer(SearchRequest.limitRange).standard(.integer(Int64(AskFields.defaultTopK)))),
        .maybe("conversationIds", array(of: identifier, atMost: AskFields.filterLimit)),
        .maybe("senderIds", array(of: identifier, atMost: AskFields.filterLimit)),
        .maybe("from", moment), .maybe("to", moment), .maybe("asOf", asOf),
        .maybe(
            "kinds",
            array(of: word(ContentKind.self), atMost: ContentKind.allCases.count).described(
                "Only messages with content of one of these kinds.")),
        .maybe("timeZone", zone),
    ]

    private static let asOf = string.described(
        "Only messages up to then: a day such as 2026-10-01, with its end in timeZone, or a time as of `to`.")

    private static let exchange = closed(
        .maybe("question", string), .maybe("answer", string), .maybe("role", word(["user", "assistant"])),
        .maybe("content", string)
    ).named("Exchange").described("A question with its answer, or a message of one of the two.")

    private static let threadOfQuestion = identifier.described(
        "The thread of the question; its earlier turns replace a history in the request.")

    /// The fields of a question; `userId` only if a request may name its user.
    static let question = closed(
        .always("question", text(1...AskRequest.questionLimit)), .maybe("userId", asker),
        .maybe("conversationHistory", array(of: exchange).described("Oldest first; the last 10 with answers count.")),
        .maybe("threadId", threadOfQuestion)
    ).adding(filters).named("Question")

    static let search = closed(
        .always("query", text(1...AskRequest.questionLimit)), .maybe("userId", asker),
        .maybe("explain", flag.described("Whether each hit explains its rank.")),
        .maybe("cursor", string.described("The `next` of a page of this search: its results continue there."))
    ).adding(filters).named("Search")

    /// The fields of a timeline, without a number of messages.
    private static let timelineFields = closed(.always("subject", text(1...AskRequest.questionLimit))).adding(
        filters.filter { $0.name != "topK" })
    static let timelineRequest = timelineFields.adding([.maybe("userId", asker)]).named("TimelineRequest")

    /// The request for suggested replies.
    static let smartRepliesRequest = closed(.maybe("timeZone", zone), .maybe("userId", asker)).named(
        "SmartRepliesRequest")

    /// The arguments of the tool that searches.
    static let searchArguments = closed(.always("query", text(1...AskRequest.questionLimit))).adding(filters)

    /// The arguments of the tool that lists what was stated.
    static let timelineArguments = timelineFields

    /// The arguments of the tool that asks.
    static let askArguments = closed(
        .always("question", text(1...AskRequest.questionLimit)), .maybe("threadId", threadOfQuestion)
    ).adding(filters)

    /// A message of JSON-RPC, or several.
    static let rpcMessages: JSONSchema = {
        let message = open(
            .always("jsonrpc", word(["2.0"])), .maybe("id", anyOf(string, integer)), .maybe("method", string),
            .maybe("params", map(of: any))
        ).named("RPCMessage")
        return anyOf(message, array(of: message))
    }()

    static func callableRequest(_ data: JSONSchema) -> JSONSchema { open(.always("data", data)) }

    private static let memberFields: [Property] = [
        .maybe("name", name), .maybe("aliases", array(of: name, atMost: Member.aliasLimit)),
        .maybe("joinedAt", moment), .maybe("leftAt", moment),
    ]

    static let userChange = closed(.always("kind", word(UserKind.self))).named("UserChange")

    static let memberChange = closed().adding(memberFields).named("MemberChange")

    private static let newMember = closed(.always("userId", identifier)).adding(memberFields).named("NewMember")

    static let newConversation = closed(
        .maybe("id", identifier.described("Chosen by the server when missing.")),
        .maybe("kind", word(Conversation.Kind.self)), .maybe("visibility", word(Conversation.Visibility.self)),
        .maybe("history", word(Conversation.History.self)),
        .maybe("name", name), .maybe("timeZone", zone), .maybe("createdAt", moment), .maybe("userId", asker),
        .maybe("members", array(of: newMember, atMost: ConversationFields.memberLimit))
    ).named("NewConversation")

    static let conversationChange = closed(
        .always("embedding", word(ConversationEmbedding.Choice.self)), .maybe("userId", asker)
    ).named("ConversationChange")

    static let messageChange = closed(
        .maybe("text", body),
        .maybe(
            "attachments",
            array(of: identifier, atMost: FileLimits.perMessage).described("All files that it has from now on.")),
        .maybe("userId", asker)
    ).named("MessageChange")

    private static let body = text(0...Message.textByteLimit)

    private static let newMessage = closed(
        .maybe("id", identifier), .maybe("senderId", identifier), .maybe("senderName", name), .maybe("text", body),
        .maybe("kind", word(Message.Kind.self)), .maybe("timestamp", moment), .maybe("replyTo", identifier),
        .maybe("threadRoot", identifier),
        .maybe(
            "attachments",
            array(
                of: anyOf(
                    identifier.described("The id of a file that the sender uploaded."),
                    closed(
                        .always("name", name), .maybe("mediaType", name),
                        .maybe("type", name.described("The same as `mediaType`, for older clients.")),
                        .maybe("caption", body))),
                atMost: Message.attachmentLimit)),
        .maybe(
            "reactions",
            array(
                of: closed(
                    .always("emoji", name), .maybe("userIds", array(of: identifier, atMost: Message.reactorLimit))),
                atMost: Message.reactionLimit)),
        .maybe("extra", map(of: any)), .maybe("localId", name),
        .maybe(
            "url",
            text(1...MessageLink.byteLimit).described(
                "A link to it in the application that it came from, http or https.")),
        .maybe("userId", asker)
    ).adding(MessageFields.ignored.map { .ignored($0) }).named("NewMessage")

    /// One message, or a batch of at most `limit`.
    static func newMessages(atMost limit: Int) -> JSONSchema {
        let batch = closed(
            .always("messages", array(of: newMessage, atMost: limit)), .maybe("userId", asker)
        ).named("NewMessages")
        return anyOf(newMessage, batch)
    }

    static let cloudEvent = open(
        .always("specversion", word(["1.0"])), .always("id", string), .always("source", string),
        .always("type", string), .maybe("subject", string), .maybe("time", string), .maybe("data", map(of: any)),
        .maybe("datacontenttype", string)
    ).named("CloudEvent")
}
