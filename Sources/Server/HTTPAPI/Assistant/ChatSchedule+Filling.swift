import Assistant
import ChatCore
import NexusModel
import UseCases

extension ScheduleTimes.Day {
    /// The days by their words in the API.
    static let words = allCases.map { "\($0)" }

    /// Takes a word such as `monday`.
    init?(word: String) {
        guard let place = Self.words.firstIndex(of: word) else { return nil }
        self.init(rawValue: place)
    }
}

extension ChatSchedule {
    init(_ schedule: Schedule) {
        self.init(
            id: schedule.id.rawValue, days: schedule.times.days.sorted().map { "\($0)" },
            time: schedule.times.timeText, timeZone: schedule.times.timeZone, language: schedule.language,
            pausedReason: schedule.pause.map { .init($0) }, next: schedule.next?.wireDate,
            last: schedule.last.map { Run(at: $0.occurrence.wireDate, outcome: .init($0.outcome)) },
            createdAt: schedule.createdAt.wireDate)
        switch schedule.content {
        case .question(let question, let conversation):
            (self.question, conversationId) = (question, conversation?.rawValue)
        case .digest(let parts): digest = parts.sorted().map(\.rawValue)
        }
    }
}

extension ChatScheduleList {
    init(_ list: ScheduleList) {
        self.init(
            schedules: list.schedules.map { ChatSchedule($0) }, conversationId: list.conversationID?.rawValue,
            limit: list.limit)
    }
}

extension ChatSchedulePreview {
    init(_ preview: SchedulePreview, of times: ScheduleTimes) {
        let runs = times.runsPerMonth
        self.init(
            next: preview.next.map(\.wireDate), runsPerMonth: (runs * 10).rounded() / 10,
            cost: preview.cost.map { cost in
                let tokens = Double(cost.promptTokenCount) + Double(cost.answerTokenCount)
                return Cost(
                    model: cost.model, promptTokens: cost.promptTokenCount, answerTokens: cost.answerTokenCount,
                    tokensPerMonth: Int(exactly: (tokens * runs).rounded()) ?? .max)
            })
    }
}
