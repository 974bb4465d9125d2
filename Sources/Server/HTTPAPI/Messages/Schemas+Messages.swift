import ChatCore
import NexusModel

/// Replies about messages.
extension JSONSchema {
    static let link = string.described("A link to the message in the application that it came from.")
    static let message = reply(ChatMessage.self)
    static let attachment = reply(ChatMessage.Attachment.self)
    static let messages = reply(MessagePage.self)
    static let replies = reply(ReplyPage.self)
    static let reactions = reply(ReactionList.self)
    static let outcome = reply(MessageOutcome.self)
    static let outcomes = reply(MessageOutcomeList.self)
    /// The `next` of a list that continues after its last element.
    static let nextAfter = identifier.described("The `after` of the next page; missing on the last page.")
}

extension ChatMessage: NotedReply {
    static let replyNotes = ReplyNotes(
        "Message",
        [
            "kind": .word(Message.Kind.self), "replyTo": .identifier, "threadRoot": .identifier,
            "extra": .map(of: .any), "localId": .string.described("For the sender only."), "url": .link,
            "replyCount": .integer(atLeast: 1),
            "seq": .integer.described("Its position among the live messages; missing for imported history."),
            "status": .word(MessageStatus.self).described("How far the asker's own live message has come."),
        ])
}

extension ChatMessage.Outdated: NotedReply {
    static let replyNotes = ReplyNotes(
        "OutdatedMessage",
        description: "Of an answer of the assistant: a later message because of which it is no longer true.")
}

extension ChatMessage.Reaction: NotedReply {
    static let replyNotes = ReplyNotes(
        nil, ["count": .integer.described("The number of people, if not all are listed.")])
}

extension ChatMessage.Attachment: NotedReply {
    static let replyNotes = ReplyNotes(
        "Attachment",
        [
            "id": .identifier.described("The stored file; missing when only the name is known."),
            "byteCount": .integer(atLeast: 0),
            "type": .string.described("The same of a file that is not stored, for older clients."),
        ])
}

extension ChatMessage.Attachment.Reading: NotedReply {
    static let replyNotes = ReplyNotes(
        "FileReading",
        [
            "state": .openWord(FileReading.State.allCases.map(\.rawValue)),
            "problem": .openWord(FileReading.Problem.allCases.map(\.rawValue)).described("Why it could not be read."),
            "isCut": .flag.described("Whether only the beginning of its words is searched."),
            "isRecognized": .flag.described("Whether words were recognised in pictures, so that some may be wrong."),
        ])
}

extension NexusModel.FilePlace: NotedReply {
    static let replyNotes = ReplyNotes(
        "FilePlace",
        [
            "unit": .openWord(FileReading.Unit.allCases.map(\.rawValue)),
            "number": .integer(atLeast: 1).described("The part, from 1."),
        ])
}

extension MessagePage: NotedReply {
    static let replyNotes = ReplyNotes(
        "MessagePage",
        [
            "next": .identifier.described(
                "The `before` or `after` of the next page in the same direction; missing on the last."),
            "firstUnreadId": .identifier.described("For `around=unread`."),
            "firstId": .identifier.described("For `at`: the first message from then on; missing if all are earlier."),
        ], always: ["hasOlder", "hasNewer"])
}

extension ReplyPage: NotedReply {
    static let replyNotes = ReplyNotes("ReplyPage", ["next": .nextAfter])
}

extension ReactionList: NotedReply {
    static let replyNotes = ReplyNotes("ReactionList")
}

extension MessageOutcome: NotedReply {
    static let replyNotes = ReplyNotes(
        "MessageOutcome", ["status": .word(Status.allCases.map(\.rawValue)), "localId": .string])
}

extension MessageOutcomeList: NotedReply {
    static let replyNotes = ReplyNotes("MessageOutcomes")
}
