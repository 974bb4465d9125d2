import ChatCore
import NexusModel

/// Requests and responses about schedules.
extension JSONSchema {
    private static let days = array(of: word(ScheduleTimes.Day.words), atMost: ScheduleTimes.Day.allCases.count)
    private static let parts = array(
        of: word(Schedule.DigestPart.self), atMost: Schedule.DigestPart.allCases.count)
    private static let timeOfDay = text(5...5).described("The time of the day, such as 09:00.")
    private static let asker = identifier.described("The asker, if the caller may name one.")
    private static let language = text(2...35).described("The language of a digest, such as `de`.")

    private static let content: [Property] = [
        .maybe("question", text(1...TextLimit.question.characters).described("Either this or `digest`.")),
        .maybe("digest", parts),
        .maybe(
            "conversationId", anyOf(identifier, null).described("Where the question is asked; null for everywhere.")),
        .maybe("language", language),
    ]

    static let newSchedule = closed(
        .always("days", days), .always("time", timeOfDay), .always("timeZone", text(1...64)), .maybe("userId", asker)
    ).adding(content).named("NewSchedule")

    static let scheduleChange = closed(
        .maybe("days", days), .maybe("time", timeOfDay), .maybe("timeZone", text(1...64)), .maybe("isPaused", flag),
        .maybe("userId", asker)
    ).adding(content).named("ScheduleChange")

    static let schedule = reply(ChatSchedule.self)
    static let schedules = reply(ChatScheduleList.self)
    static let schedulePreview = reply(ChatSchedulePreview.self)
}

extension ChatSchedule: NotedReply {
    static let replyNotes = ReplyNotes(
        "Schedule",
        [
            "digest": .array(of: .word(Schedule.DigestPart.self)),
            "days": .array(of: .word(ScheduleTimes.Day.words)),
            "pausedReason": .openWord(Schedule.Pause.allCases.map(\.rawValue))
                .described("Why nothing is asked; missing while the schedule is active."),
            "next": .time.described("The next time; missing while the schedule is paused."),
        ])
}

extension ChatSchedule.Run: NotedReply {
    static let replyNotes = ReplyNotes(
        "ScheduleRun", ["at": .time, "outcome": .openWord(Schedule.Outcome.allCases.map(\.rawValue))])
}

extension ChatScheduleList: NotedReply {
    static let replyNotes = ReplyNotes("ScheduleList")
}

extension ChatSchedulePreview: NotedReply {
    static let replyNotes = ReplyNotes("SchedulePreview", ["next": .array(of: .time)])
}

extension ChatSchedulePreview.Cost: NotedReply {
    static let replyNotes = ReplyNotes(
        "ScheduleCost", description: "Missing if no language model is asked: the schedule costs no tokens.")
}

extension API {
    /// Requests and responses of the routes of schedules.
    var scheduleDocuments: [String: RouteDocument] {
        [
            "listSchedules": .json(.schedules),
            "createSchedule": RouteDocument(
                request: .newSchedule, replies: [201: ["application/json": .schedule]], failures: [403, 409, 507]),
            "previewSchedule": .json(.schedulePreview, request: .newSchedule, failures: [403, 502, 504]),
            "changeSchedule": .json(.schedule, request: .scheduleChange, failures: [403, 507]),
            "deleteSchedule": .empty(failures: [507]),
        ]
    }
}
