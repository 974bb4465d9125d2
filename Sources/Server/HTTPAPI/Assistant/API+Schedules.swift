import ChatCore
import HTTPTypes
import Hummingbird
import NexusModel
import UseCases

extension API {
    /// Questions and digests that the assistant repeats for the asker.
    var scheduleRoutes: [Route] {
        [
            Route(.get, "v1/schedules", .person, id: "listSchedules", "Lists the asker's schedules, the oldest first.")
            {
                try reply(ChatScheduleList(try await $0.useCases.schedules(of: try $0.asker($1))))
            },
            Route(.post, "v1/schedules", .person, id: "createSchedule", "Saves a question or a digest with its times.")
            {
                try await createSchedule($0, $1)
            },
            Route(
                .post, "v1/schedules/preview", .person, id: "previewSchedule",
                "Shows the next times and the cost of a schedule, and saves nothing."
            ) { try await previewSchedule($0, $1) },
            Route(
                .patch, "v1/schedules/:schedule", .person, id: "changeSchedule",
                "Changes a schedule of the asker, pauses it or resumes it."
            ) { try await changeSchedule($0, $1) },
            Route(
                .delete, "v1/schedules/:schedule", .person, id: "deleteSchedule",
                "Deletes a schedule of the asker; what it delivered stays."
            ) {
                try await $0.useCases.deleteSchedule(try $0.scheduleID(), of: try $0.asker($1))
                return Response(status: .noContent)
            },
        ]
    }

    private func createSchedule(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let schedule = try await incoming.useCases.createSchedule(try ScheduleFields(body).draft(), of: asker)
        return try reply(ChatSchedule(schedule), status: .created)
    }

    private func previewSchedule(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let draft = try ScheduleFields(body).draft()
        return try reply(
            ChatSchedulePreview(try await incoming.useCases.preview(draft, of: asker), of: draft.times))
    }

    private func changeSchedule(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let schedule = try await incoming.useCases.changeSchedule(
            try incoming.scheduleID(), of: asker, isPaused: try body["isPaused"].optionalFlag()
        ) { try ScheduleFields(body).draft(changing: $0) }
        return try reply(ChatSchedule(schedule))
    }
}

extension IncomingRequest {
    /// Returns the schedule that the path names.
    fileprivate func scheduleID() throws(Failure) -> ScheduleID { ScheduleID(rawValue: try parameter("schedule")) }
}

/// Reads a schedule out of a request.
struct ScheduleFields {
    private let body: JSONField

    init(_ body: JSONField) { self.body = body }

    /// Returns the schedule; fields that are missing are those of `known`, or have their defaults.
    func draft(changing known: ScheduleDraft? = nil) throws -> ScheduleDraft {
        ScheduleDraft(
            content: try content(known?.content), times: try times(known?.times),
            language: try body["language"].optionalLanguage() ?? known?.language ?? "en")
    }

    private func content(_ known: Schedule.Content?) throws -> Schedule.Content {
        let (question, digest, conversation) = (body["question"], body["digest"], body["conversationId"])
        guard !question.isPresent || !digest.isPresent else { throw digest.error("must not stand beside question") }
        if let parts = try digest.optionalArray(atMost: Schedule.DigestPart.allCases.count) {
            guard !conversation.isPresent else { throw conversation.error("must not stand beside digest") }
            let words = try parts.map { part -> Schedule.DigestPart in
                guard let word: Schedule.DigestPart = try part.optionalWord() else { throw part.missing }
                return word
            }
            guard !words.isEmpty else { throw digest.error("must have at least one part") }
            return .digest(Set(words))
        }
        switch known {
        case .digest? where !question.isPresent:
            guard !conversation.isPresent else { throw conversation.error("must not stand beside digest") }
            return known ?? .digest([])
        case .question(let text, let place)?:
            let given: ConversationID? = try conversation.optionalIdentifier()
            return .question(
                try question.optionalString() ?? text, conversation.isGiven ? given : place)
        default:
            guard question.isPresent else { throw question.error("is missing: give a question or a digest") }
            return .question(try question.string(), try conversation.optionalIdentifier())
        }
    }

    private func times(_ known: ScheduleTimes?) throws -> ScheduleTimes {
        let zone = try body["timeZone"].optionalString() ?? known?.timeZone
        guard let zone else { throw body["timeZone"].missing }
        let days = try days() ?? known?.days
        guard let days else { throw body["days"].missing }
        let minute = try minute() ?? known?.minute
        guard let minute else { throw body["time"].missing }
        guard let times = ScheduleTimes(days: days, minute: minute, timeZone: zone) else {
            throw body["timeZone"].error("must be the IANA name of a zone, as Europe/Berlin")
        }
        return times
    }

    private func days() throws -> Set<ScheduleTimes.Day>? {
        let field = body["days"]
        guard let given = try field.optionalArray(atMost: ScheduleTimes.Day.allCases.count) else { return nil }
        guard !given.isEmpty else { throw field.error("must have at least one day") }
        return Set(
            try given.map { day in
                guard let known = ScheduleTimes.Day(word: try day.string()) else {
                    throw day.error("must be one of " + ScheduleTimes.Day.words.joined(separator: ", "))
                }
                return known
            })
    }

    private func minute() throws -> Int? {
        guard let text = try body["time"].optionalString() else { return nil }
        guard let minute = ScheduleTimes.minute(text) else {
            throw body["time"].error("must be a time of the day such as 09:00")
        }
        return minute
    }
}

extension JSONField {
    /// Reads the tag of a language.
    fileprivate func optionalLanguage() throws(FieldError) -> String? {
        guard let tag = try optionalString() else { return nil }
        let isTag =
            (2...35).contains(tag.utf8.count)
            && tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard isTag else { throw error("must be the tag of a language, as de or en-GB") }
        return tag
    }
}
