package import ChatCore
package import TextAnalysis

/// A part of an extractive answer.
package struct ExtractivePart: Hashable, Sendable {
    /// Its text; the parts joined are the answer.
    package let text: String
    /// The number of the source that it quotes; nil for the frame.
    package let number: Int?
}

/// Why a question in a conversation gets no answer; the name of the template's variable.
package enum MentionFailure: String, Hashable, Sendable, CaseIterable {
    /// The language model could not be reached, or gave no usable answer.
    case modelFailed
    /// The asker's tokens of the day are used up.
    case tokensUsedUp
    /// At each try somebody had joined who may not see the messages that the answer is based on.
    case audienceChanged
    /// The conversation asked too much in a minute.
    case limited
    /// Anything else.
    case other
}

extension PromptBuilder {
    /// Returns the note below an answer whose prompt the service cut.
    package var promptCutNote: String { "\n\n" + library.render(.promptCut, [:]) }

    /// Returns the summary of no messages.
    package var nothingToSummarizeText: String { library.render(.nothingToSummarize, [:]) }

    /// Returns the note below a posted answer with sentences that no message supports.
    package func mentionUnsupportedText(_ sentences: [String]) -> String {
        library.render(.mentionUnsupported, ["sentences": sentences.map { ["text": $0] }])
    }

    /// Returns the text that is left of an answer of which no sentence is supported.
    package var nothingSupportedText: String { library.render(.nothingSupported, [:]) }

    /// Returns the message that is posted in a conversation instead of an answer.
    package func mentionFailedText(_ reason: MentionFailure) -> String {
        library.render(.mentionFailed, [reason.rawValue: true])
    }

    /// Returns the message that says what became of a command about a link.
    ///
    /// - Parameters:
    ///   - outcome: What became of it.
    ///   - account: The id of the account with which the author is joined now.
    /// - Returns: The text.
    package func linkOutcomeText(_ outcome: LinkOutcome, account: UserID) -> String {
        library.render(.linkOutcome, [outcome.rawValue: true, "account": account.rawValue])
    }

    /// Returns the answer that quotes its sources, in parts: the frame, then one part per source, numbered from 1.
    ///
    /// Except for the frame, the text consists of the messages' own words.
    ///
    /// - Parameters:
    ///   - grounding: The sources.
    ///   - modelFailed: Whether a language model exists and failed.
    ///   - isUnsure: Whether the sources are less like the question than answers usually are: then the text says so, and
    ///     who wrote them.
    ///   - asOf: The day or the time up to which messages were read, and the language in which it is named; nil for the
    ///     present.
    /// - Returns: The parts in order.
    package func extractiveParts(
        for grounding: Grounding, modelFailed: Bool = false, isUnsure: Bool = false,
        asOf: (moment: String, language: TextLanguage)? = nil
    ) -> [ExtractivePart] {
        let quotations = grounding.sources.enumerated().map { offset, source in
            var variables = SourceText(quoting: source, limits: limits).variables(number: offset + 1)
            variables["day"] = PromptDate(timeZone: source.timeZone).shortDay(source.timestamp)
            if let newer = source.replacedBy, grounding.sources.indices.contains(newer) {
                variables["isReplaced"] = true
                variables["replacedBy"] = String(newer + 1)
                variables["replacedWords"] =
                    Language.of(LanguageGuess.language(of: source.text) ?? .english).changes.replacedBy
            }
            return (number: offset + 1, text: library.render(.extractive, ["sources": [variables]]))
        }
        var frame: [String: any Sendable] =
            switch grounding {
            case .searchFailed: ["searchFailed": true]
            case .sources(let sources) where !sources.isEmpty:
                isUnsure ? ["intro": true, "unsure": true, "people": writers(of: sources)] : ["intro": true]
            case .sources, .nothingFound: ["nothingFound": true]
            }
        frame["modelFailed"] = modelFailed
        if let asOf {
            let words = Language.of(asOf.language).asOf.answer
            frame["asOf"] = words.before + asOf.moment + words.behind
        }
        let intro = library.render(.extractive, frame)
        let parts = [(number: Int?.none, text: intro)] + quotations.map { (number: Int?($0.number), text: $0.text) }
        return parts.filter { !$0.text.isEmpty }.enumerated().map { offset, part in
            ExtractivePart(text: (offset == 0 ? "" : "\n\n") + part.text, number: part.number)
        }
    }
    /// Who wrote the sources, and where: the first two, each once.
    private func writers(of sources: [PromptSource]) -> [[String: any Sendable]] {
        var seen: Set<[String]> = []
        let writers = sources.filter { seen.insert([$0.sender, $0.conversation]).inserted }.prefix(2)
        return writers.enumerated().map { place, source in
            let text = SourceText(quoting: source, limits: limits)
            return ["name": text.sender, "place": text.conversation, "isLater": place > 0]
        }
    }
}
