import ChatCore

/// The last message of a prompt, with as many sources as it is asked for.
struct QuestionText {
    /// How many sources there are.
    let sourceCount: Int

    private let library: PromptLibrary
    private let question: String
    private let reason: String
    private let delimiter: String
    private let sources: [[String: any Sendable]]

    /// Prepares the sources and draws the delimiter, which occurs in none of them nor in question or history.
    init(
        request: PromptRequest, history: [PromptMessage], limits: PromptLimits, library: PromptLibrary,
        using generator: inout some RandomNumberGenerator
    ) {
        let given = request.grounding.sources
        let rendered = given.enumerated().map { SourceText($1, number: $0 + 1, limits: limits) }
        let spoken = history.map(\.content) + [request.question]
        let delimiter = PromptDelimiter.draw(avoiding: spoken + rendered.flatMap(\.texts), using: &generator)
        self.library = library
        self.delimiter = delimiter
        question = request.question
        reason = request.grounding.reasonWithoutSources
        sources = rendered.map { $0.variables.merging(["delimiter": delimiter]) { own, _ in own } }
        sourceCount = given.count
    }

    /// Returns the message with as many sources as fit into `tokenCount`, and their count; nil when not even the
    /// question alone fits.
    func longestMessage(within tokenCount: Int) -> (PromptMessage, Int)? {
        func fitting(_ count: Int) -> PromptMessage? {
            let message = message(sourceCount: count)
            return Prompt.estimate([message]) <= tokenCount ? message : nil
        }
        if let whole = fitting(sourceCount) { return (whole, sourceCount) }
        var best: (PromptMessage, Int)?
        var candidates = 1..<max(1, sourceCount)
        while !candidates.isEmpty {
            let middle = candidates.lowerBound + candidates.count / 2
            if let message = fitting(middle) {
                best = (message, middle)
                candidates = middle + 1..<candidates.upperBound
            } else {
                candidates = candidates.lowerBound..<middle
            }
        }
        return best ?? fitting(0).map { ($0, 0) }
    }

    /// Returns the message with the first `sourceCount` sources; without any it says why there are none.
    func message(sourceCount: Int) -> PromptMessage {
        let text =
            sourceCount == 0
            ? library.render(.noSources, [reason: true, "question": question])
            : library.render(
                .question,
                ["delimiter": delimiter, "sources": Array(sources.prefix(sourceCount)), "question": question])
        return PromptMessage(role: .user, content: text)
    }
}

extension Grounding {
    /// The sources, best first.
    var sources: [PromptSource] {
        if case .sources(let sources) = self { sources } else { [] }
    }

    /// The variable of the template without sources that says why there are none.
    fileprivate var reasonWithoutSources: String {
        switch self {
        case .searchFailed: "searchFailed"
        case .sources(let sources) where !sources.isEmpty: "noRoom"
        case .sources, .nothingFound: "nothingFound"
        }
    }
}
