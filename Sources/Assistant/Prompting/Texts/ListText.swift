package import ChatCore
import TextAnalysis

/// A message of a request for a list.
package struct ListedMessage: Hashable, Sendable {
    /// The sender.
    package var sender: String
    /// When it was written.
    package var timestamp: Timestamp
    /// The text.
    package var text: String
    /// Whether it only helps to understand the others.
    package var isEarlier: Bool
    /// The known items of the message.
    package var known: [String]

    package init(sender: String, timestamp: Timestamp, text: String, isEarlier: Bool, known: [String] = []) {
        self.sender = sender
        self.timestamp = timestamp
        self.text = text
        self.isEarlier = isEarlier
        self.known = known
    }
}

/// The content of a request for a list: tasks, decisions, dates, or urgent messages.
package struct ListRequest: Hashable, Sendable {
    /// A field of an item.
    package struct Field: Hashable, Sendable {
        /// The name in the JSON.
        package var name: String
        /// The description for the model.
        package var meaning: String

        package init(name: String, meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    /// The template: one of those that ask for a list.
    package var template: PromptName
    /// The fields of an item.
    package var fields: [Field]
    /// The names that an item may contain.
    package var participants: [String]
    /// The messages, numbered from 1 in this order.
    package var messages: [ListedMessage]
    /// The reader of the list.
    package var reader: String
    /// The IANA name of the zone to write times in; UTC when unknown.
    package var timeZone: String?

    package init(
        template: PromptName, fields: [Field], participants: [String], messages: [ListedMessage], reader: String = "",
        timeZone: String?
    ) {
        self.template = template
        self.fields = fields
        self.participants = participants
        self.messages = messages
        self.reader = reader
        self.timeZone = timeZone
    }
}

extension PromptBuilder {
    /// Returns the prompt that asks for a list of the items in messages.
    ///
    /// - Parameters:
    ///   - request: The content.
    ///   - generator: Draws the delimiter that fences what people wrote.
    /// - Returns: One message.
    package func listPrompt(for request: ListRequest, using generator: inout some RandomNumberGenerator)
        -> [PromptMessage]
    {
        let names = request.participants.map(name)
        let reader = name(request.reader)
        let messages = request.messages.map { shown($0, timeZone: request.timeZone) }
        let texts = names + [reader] + messages.flatMap(\.texts)
        let values: [String: any Sendable] = [
            "delimiter": PromptDelimiter.draw(avoiding: texts, using: &generator), "reader": reader,
            "participants": names.map { ["name": $0] },
            "messages": messages.enumerated().map { $1.variables(number: $0 + 1) },
            "fields": request.fields.map { ["field": $0.name, "meaning": $0.meaning] },
        ]
        return [PromptMessage(role: .user, content: library.render(request.template, values))]
    }

    /// Returns the message that asks to correct an unusable reply.
    ///
    /// - Parameter faults: The errors with the number of the item, nil for the whole reply.
    /// - Returns: One message.
    package func listRetry(naming faults: [(item: Int?, problem: String)]) -> PromptMessage {
        let shown = faults.map { fault -> [String: String] in
            ["problem": fault.problem].merging(fault.item.map { ["item": String($0)] } ?? [:]) { $1 }
        }
        return PromptMessage(role: .user, content: library.render(.extractionRetry, ["faults": shown]))
    }

    /// Returns an upper estimate of the tokens of messages, without calibration.
    package func estimatedTokenCount(of messages: [PromptMessage]) -> Int { Prompt.estimate(messages) }

    /// Returns a lower estimate of the tokens of messages: a service that counts far fewer tokens has cut the prompt.
    package func floorTokenCount(of messages: [PromptMessage]) -> Int { Prompt.floor(messages) }

    private func name(_ text: String) -> String { TextCut.oneLine(VisibleText.of(text), limit: limits.nameLength) }

    private func shown(_ message: ListedMessage, timeZone: String?) -> ShownListedMessage {
        ShownListedMessage(
            sender: name(message.sender), date: PromptDate(timeZone: timeZone).dayAndTime(message.timestamp),
            text: VisibleText.of(TextCut.middle(message.text.trimmingWhitespace(), limit: limits.sourceLength)),
            isEarlier: message.isEarlier,
            known: message.known.map { TextCut.oneLine(VisibleText.of($0), limit: limits.quotationLength) })
    }
}

/// A message of a list as text.
private struct ShownListedMessage {
    let sender: String
    let date: String
    let text: String
    let isEarlier: Bool
    let known: [String]

    var texts: [String] { [sender, text] + known }

    func variables(number: Int) -> [String: any Sendable] {
        let number = String(number)
        return [
            "number": number, "sender": sender, "date": date, "text": text, "earlier": isEarlier,
            "known": known.map { ["knownText": $0, "number": number] },
        ]
    }
}
