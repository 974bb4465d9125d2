import AnswerSupport
import Assistant
import ChatCore
import NexusModel
import Retrieval

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

    /// An answer; `prefix` is put before the names of schemas whose times have another form.
    static func answer(time: JSONSchema = time, prefix: String = "") -> JSONSchema {
        reply(ChatAnswer.self, time: time, prefix: prefix)
    }

    static func found(time: JSONSchema = time, prefix: String = "") -> JSONSchema {
        reply(ChatSearchResult.Found.self, time: time, prefix: prefix)
    }

    static let source = reply(ChatAnswer.Source.self)
    static let citation = reply(ChatAnswer.Citation.self)
    static let searchResults = reply(ChatSearchResult.self)
    static let timeline = reply(ChatTimeline.self)
    fileprivate static let asOf = string.described(
        "Only messages up to the end of this day, or up to this time, were read; missing for the present.")

    fileprivate static let excerpt = string.described("The sentences that were found, at most 300 characters.")
    fileprivate static let excerptStart = integer(atLeast: 0).described(
        "The offset of the excerpt in the message's text, in UTF-16 code units; missing if it is in a file.")
    fileprivate static let excerptEnd = integer(atLeast: 0).described("The offset after the excerpt.")
    fileprivate static let duplicates = array(of: reply(MessagePlace.self)).described(
        "Other messages that say the same, newest first, at most \(Hit.duplicateLimit).")
    static let support = word(AnswerSupport.Support.self)
    fileprivate static let replacedBy = reply(MessagePlace.self).described(
        "A later message that replaces what this one says, such as a moved date.")
    fileprivate static let verdict = reply(ChatVerdict.self).described(
        "What a person said last about it and a later message; missing if nobody did.")
    private static let place = closed(.always("conversationId", identifier), .always("messageId", identifier))
        .named("MessageKey")
    static let newVerdict = closed(
        .always("verdict", word(API.VerdictWord.self).described("`none` takes back what the asker said.")),
        .always("message", place.described("The earlier message.")),
        .always("replacedBy", place.described("The later message, also of `holds`.")),
        .maybe(
            "start", integer(atLeast: 0).described("The statement, as in a timeline; without it the whole message.")),
        .maybe("end", integer(atLeast: 1)),
        .maybe("userId", identifier.described("The asker, if the caller may name one."))
    ).named("NewVerdict")
    static let noAnswerReason = word(Retrieval.NoAnswerReason.self)
    fileprivate static let searchNotes = array(of: word(SearchTrace.Note.self))
}

extension ChatAnswer: NotedReply {
    static let replyNotes = ReplyNotes(
        "Answer",
        [
            "turnId": .string, "noAnswerReason": .noAnswerReason, "asOf": .asOf,
            "notices": .array(of: .word(Assistant.AnswerNotice.self)),
        ], always: ["turnId", "queryTime", "retrieval"])
}

extension ChatAnswer.Source: NotedReply {
    private static let fields: [String: JSONSchema] = [
        "excerpt": .excerpt, "start": .excerptStart, "end": .excerptEnd,
        "number": .integer(atLeast: 1).described("Its number in the answer, as in [1]; missing if not cited."),
        "rank": .integer(atLeast: 1), "url": .link, "duplicates": .duplicates, "replacedBy": .replacedBy,
        "verdict": .verdict,
    ]

    static let replyNotes = ReplyNotes("Source", fields, always: ["timestamp", "relevanceScore", "rank"])
    /// Those of a source of a stored turn.
    static let notesOfTurn = ReplyNotes(
        "TurnSource", fields, always: ["timestamp"], never: ["duplicates", "replacedBy", "verdict"])
}

extension ChatAnswer.Citation: NotedReply {
    static let replyNotes = ReplyNotes(
        "Citation",
        [
            "number": .integer(atLeast: 1), "start": .integer(atLeast: 0), "end": .integer(atLeast: 0),
            "support": .support.described("What the message says about the sentence; missing if it was not checked."),
        ])
}

extension ChatAnswer.Sentence: NotedReply {
    static let replyNotes = ReplyNotes(
        "AnswerSentence",
        [
            "start": .integer(atLeast: 0), "end": .integer(atLeast: 0),
            "support": .support.described("What the messages say about it; missing if it was not compared."),
            "reasons": .array(of: .word(AnswerSupport.SupportReason.self)).described("Why it is not supported."),
        ])
}

extension NexusModel.AnswerEvent.Support: NotedReply {
    static let replyNotes = ReplyNotes("SupportEvent")
}

extension ChatAnswer.Retrieval: NotedReply {
    static let replyNotes = ReplyNotes("AnswerRetrieval", ["mode": .word(RetrievalMode.self), "notes": .searchNotes])
}

extension ChatAnswer.Coverage: NotedReply {
    static let replyNotes = ReplyNotes(
        "ConversationCoverage",
        [
            "messageCount": .integer(atLeast: 0), "summarizedCount": .integer(atLeast: 0),
            "writtenCount": .integer(atLeast: 0).described("Summaries that were written for this answer."),
        ])
}

extension ChatSearchResult: NotedReply {
    static let replyNotes = ReplyNotes(
        "SearchResults",
        [
            "noAnswerReason": .noAnswerReason,
            "next": .string.described(
                "The `cursor` of the next page; missing at the end, and after \(SearchRequest.resultLimit) results."),
        ], always: ["noAnswerReason", "retrieval"])
}

extension ChatSearchResult.Retrieval: NotedReply {
    static let replyNotes = ReplyNotes(nil, ["mode": .word(RetrievalMode.self), "notes": .searchNotes])
}

extension ChatSearchResult.Found: NotedReply {
    static let replyNotes = ReplyNotes(
        "Found",
        [
            "excerpt": .excerpt, "start": .excerptStart, "end": .excerptEnd, "url": .link, "duplicates": .duplicates,
        ], always: ["excerpt", "senderId", "timestamp", "score"])
}

extension ChatTimeline: NotedReply {
    static let replyNotes = ReplyNotes(
        "Timeline",
        [
            "entries": .array(of: .reply(ChatTimeline.Entry.self)).described(
                "Newest first: one that replaces others comes before them."),
            "asOf": .asOf, "noAnswerReason": .noAnswerReason,
        ], always: ["noAnswerReason"])
}

extension ChatTimeline.Entry: NotedReply {
    static let replyNotes = ReplyNotes(
        "TimelineEntry",
        [
            "excerpt": .string.described("The sentence that states it, at most 300 characters."),
            "start": .integer(atLeast: 0).described(
                "The offset of the sentence in the message's text, in UTF-16 code units; missing if it is in a file."),
            "end": .integer(atLeast: 0).described("The offset after the sentence."), "url": .link,
            "replacedBy": .reply(MessagePlace.self).described(
                "A later message that replaces it; missing if none was found."),
            "replaces": .array(of: .reply(MessagePlace.self)).described(
                "Earlier messages of the timeline that it replaces, newest first."),
            "verdict": .verdict,
        ], always: ["timestamp"])
}

extension ChatVerdict: NotedReply {
    static let replyNotes = ReplyNotes(
        "StatementVerdict",
        [
            "verdict": .word(ReplacementVerdict.Kind.self),
            "newer": .reply(MessagePlace.self).described("The later message."),
            "start": .integer(atLeast: 0).described(
                "The offset of the statement in the earlier message's text; missing for the whole message."),
            "end": .integer(atLeast: 1).described("The offset after the statement."),
        ], always: ["saidAt"])
}

extension ChatTimeline.Value: NotedReply {
    static let replyNotes = ReplyNotes(
        "StatedValue",
        [
            "kind": .word(Timeline.kinds),
            "value": .string.described(
                "The same for programs: a day or two as 2026-10-27 or 2026-10-27/2026-10-29, a time as 14:30, a number."
            ),
            "isReplaced": .flag.described("Whether a later message replaces it; missing if not."),
        ])
}

extension SearchSignal: NotedReply {
    static let replyNotes = ReplyNotes("Signal", ["rank": .integer(atLeast: 1)])
}

extension NexusModel.AnswerEvent.Progress: NotedReply {
    static let replyNotes = ReplyNotes(
        "ProgressEvent", ["part": .integer(atLeast: 0), "parts": .integer(atLeast: 0)])
}

extension NexusModel.AnswerEvent.Retrieval: NotedReply {
    static let replyNotes = ReplyNotes("RetrievalEvent")
}

extension NexusModel.AnswerEvent.Reading: NotedReply {
    static let replyNotes = ReplyNotes("ReadingEvent")
}

extension NexusModel.AnswerEvent.Delta: NotedReply {
    static let replyNotes = ReplyNotes("DeltaEvent")
}
