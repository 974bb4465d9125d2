import ChatCore
import TextAnalysis

/// The last message of a prompt about a conversation, with a variable number of messages and summaries.
struct ConversationText {
    private let request: ConversationRequest
    private let library: PromptLibrary
    /// The lines of the messages that may be shown, by their places.
    private let lines: [Int: MessageLine]
    private let fixed: [String: any Sendable]
    private let date: PromptDate

    /// Prepares the messages and draws the delimiter, which none of the texts contains.
    init(
        _ request: ConversationRequest, limits: PromptLimits, library: PromptLibrary,
        using generator: inout some RandomNumberGenerator
    ) {
        self.request = request
        self.library = library
        let date = PromptDate(timeZone: request.timeZone)
        self.date = date
        let lines = request.shown.map { ($0, MessageLine(request.messages[$0], date: date, limits: limits)) }
        self.lines = Dictionary(lines, uniquingKeysWith: { first, _ in first })
        let name = TextCut.oneLine(VisibleText.of(request.name), limit: limits.nameLength)
        let participants = request.participants.map { (participant: $0, name: Self.name(of: $0, limits: limits)) }
        let written = request.history.flatMap { [$0.question, $0.answer] } + [request.question]
        let summaries = request.summaries.map { $0.text { _ in nil } }
        let delimiter = PromptDelimiter.draw(
            avoiding: [name] + participants.map(\.name) + summaries + lines.flatMap(\.1.texts), and: written,
            using: &generator)
        var values: [String: any Sendable] = [
            "delimiter": delimiter, "conversation": name, "question": request.question,
            "messageCount": String(request.messageCount), "filtered": request.isFiltered,
            "empty": request.messageCount == 0,
            "participants": participants.map { participant, name -> [String: any Sendable] in
                [
                    "name": name, "asker": participant.isAsker, "program": participant.isProgram,
                    "present": participant.isPresent == true, "left": participant.isPresent == false,
                ]
            },
        ]
        if let dates = request.dates {
            values["hasDates"] = true
            values["begin"] = date.dayAndTime(dates.lowerBound)
            values["end"] = date.dayAndTime(dates.upperBound)
        }
        values.merge(request.language.variables) { $1 }
        fixed = values
    }

    /// Returns the longest message within `tokenCount`, and the places of its numbers in order; nil if not even the
    /// message without messages and summaries fits.
    ///
    /// Messages are left out first, then the earliest summaries.
    func longestMessage(within tokenCount: Int) -> (message: PromptMessage, order: [Int], isComplete: Bool)? {
        for dropped in 0...request.summaries.count {
            let found = PromptMessage.longest(upTo: request.shown.count, within: tokenCount) { count in
                message(shownCount: count, droppedCount: dropped)
            }
            guard let (message, count) = found else { continue }
            return (
                message, order(shownCount: count, droppedCount: dropped), count == request.shown.count && dropped == 0
            )
        }
        return nil
    }

    /// Returns the message without messages and summaries.
    var shortest: PromptMessage { message(shownCount: 0, droppedCount: request.summaries.count) }

    /// The places with a number: shown messages, and messages that the summaries cite.
    private func order(shownCount: Int, droppedCount: Int) -> [Int] {
        request.summaries.dropFirst(droppedCount)
            .reduce(into: Set(request.shown.prefix(shownCount))) { $0.formUnion($1.cited) }.sorted()
    }

    private func message(shownCount: Int, droppedCount: Int) -> PromptMessage {
        let order = order(shownCount: shownCount, droppedCount: droppedCount)
        let numbers = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0 + 1) })
        let shown = request.shown.prefix(shownCount).sorted()
        let summaries = request.summaries.dropFirst(droppedCount)
        let isMissing = request.isMissing || shownCount < request.requiredCount || droppedCount > 0
        var values = fixed
        values["isMissing"] = isMissing
        values["isWhole"] = !isMissing && shown.count == request.messageCount
        values["hasSummaries"] = !summaries.isEmpty
        values["summaries"] = summaries.map { $0.variables(date) { numbers[$0] } }
        values["hasMessages"] = !shown.isEmpty
        values["messages"] = MessageLine.variables(
            shown.compactMap { place in
                guard let number = numbers[place], let line = lines[place] else { return nil }
                return (number, line)
            })
        return PromptMessage(role: .user, content: library.render(.conversationQuestion, values))
    }

    private static func name(of participant: ConversationRequest.Participant, limits: PromptLimits) -> String {
        let others = participant.aliases.isEmpty ? "" : ", also " + participant.aliases.joined(separator: ", ")
        return TextCut.oneLine(VisibleText.of(participant.name + others), limit: limits.nameLength)
    }
}

/// A message on one line: nobody can write another one's line.
struct MessageLine {
    let sender: String
    let day: String
    let time: String
    let text: String

    /// Prepares a message.
    init(_ source: PromptSource, date: PromptDate, limits: PromptLimits) {
        let shown = SourceText(source, limits: limits)
        sender = shown.sender
        day = date.day(source.timestamp)
        time = date.time(source.timestamp)
        text = TextCut.oneLine(shown.text, limit: .max)
    }

    /// The texts by other people.
    var texts: [String] { [sender, text] }

    /// Returns the variables of lines with their numbers; each day comes before its first message.
    static func variables(_ lines: [(number: Int, line: MessageLine)]) -> [[String: any Sendable]] {
        var previous: String?
        return lines.map { number, line in
            defer { previous = line.day }
            return [
                "number": String(number), "sender": line.sender, "time": line.time, "text": line.text,
                "newDay": line.day != previous, "day": line.day,
            ]
        }
    }
}

extension SummaryText {
    /// Returns its variables for a template.
    func variables(_ date: PromptDate, _ number: (Int) -> Int?) -> [String: any Sendable] {
        ["from": date.day(dates.lowerBound), "to": date.day(dates.upperBound), "text": text(number)]
    }
}
