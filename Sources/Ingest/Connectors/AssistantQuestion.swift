import ChatCore

/// Finds questions to the assistant in messages of another chat.
struct AssistantQuestion {
    /// The mention of Nexus in texts, such as `@nexus`.
    let mention: String
    /// The name by which ``MentionService`` knows questions, without `@`.
    let name: String

    /// Returns a text that mentions Nexus in the form of a question to the assistant; nil if it does not.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isToNexus: Whether it is written to Nexus alone: then it is a question without a mention, too.
    /// - Returns: The question.
    func text(in text: String, isToNexus: Bool) -> String? {
        let trimmed = text.trimmingWhitespace()
        guard let place = place(in: trimmed) else { return isToNexus ? "@\(name) \(trimmed)" : nil }
        guard place == trimmed.startIndex else { return "@\(name) \(trimmed)" }
        return "@\(name) \(trimmed.dropFirst(mention.count).drop { ",:; \n\t".contains($0) })"
    }

    /// The place of a mention that is not a part of a longer name.
    private func place(in text: String) -> String.Index? {
        let name = mention.lowercased()
        var rest = text[...]
        while let at = rest.firstIndex(of: "@") {
            let isBegin = at == text.startIndex || !Self.isNamePart(text[text.index(before: at)])
            let tail = text[at...]
            if isBegin, tail.prefix(name.count).lowercased() == name,
                tail.dropFirst(name.count).first.map({ !Self.isNamePart($0) }) ?? true
            {
                return at
            }
            rest = text[text.index(after: at)...]
        }
        return nil
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
    }
}

extension ConnectorMessage {
    /// Returns the state with what its author wants with the own link, and without the code that is in its text.
    ///
    /// - Parameters:
    ///   - name: The name by which ``MentionService`` knows questions, without `@`.
    ///   - isOwn: Whether the author wrote it, not a program in the author's name.
    /// - Returns: The state.
    func readingLinks(name: String, isOwn: Bool = true) -> ConnectorMessage {
        let prefix = "@\(name) "
        guard var message, message.text.hasPrefix(prefix),
            let command = LinkCommand(question: String(message.text.dropFirst(prefix.count)))
        else { return self }
        if case .join = command { message.text = prefix + LinkCommand.hiddenCode }
        var state = ConnectorMessage(id: id, message: message, readAt: readAt, isFirst: isFirst)
        state.reactions = reactions
        if isOwn { state.linkCommand = command }
        return state
    }
}
