import ChatCore

/// The last message of a prompt, with a variable number of sources.
struct QuestionText {
    /// How many sources there are.
    let sourceCount: Int

    private let library: PromptLibrary
    private let question: String
    private let reason: String
    private let delimiter: String
    private let isUnsure: Bool
    private let asOf: String?
    private let layout: PromptLayout
    private let size: PromptSize
    private let sources: [PromptSource]
    private let texts: [SourceText]

    /// Prepares the sources and draws the delimiter, which none of the sources, the question and the history contains.
    init(
        request: PromptRequest, history: [PromptMessage], limits: PromptLimits, library: PromptLibrary,
        using generator: inout some RandomNumberGenerator
    ) {
        sources = request.grounding.sources
        size = request.size
        texts = sources.map { SourceText($0, limits: limits, hasShortDate: request.size == .small) }
        let spoken = history.map(\.content) + [request.question]
        delimiter = PromptDelimiter.draw(
            avoiding: texts.flatMap(\.texts), and: spoken, length: request.size.delimiterLength, using: &generator)
        self.library = library
        question = request.question
        isUnsure = request.isUnsure
        asOf = request.asOf
        layout = request.layout
        reason = request.grounding.reasonWithoutSources
        sourceCount = sources.count
    }

    /// Returns the message with as many sources as fit into `tokenCount`, and their number; nil if not even the
    /// question alone fits.
    func longestMessage(within tokenCount: Int) -> (PromptMessage, Int)? {
        PromptMessage.longest(upTo: sourceCount, within: tokenCount) { message(sourceCount: $0) }
    }

    /// Returns the message with the first `sourceCount` sources; without sources it says why there are none.
    func message(sourceCount: Int) -> PromptMessage {
        var variables: [String: any Sendable] = ["question": question]
        if let asOf { variables["asOf"] = asOf }
        if sourceCount == 0 {
            variables[reason] = true
        } else {
            variables["byRank"] = layout == .byRank
            variables["byConversation"] = layout == .byConversation
            variables["delimiter"] = delimiter
            variables["sources"] = self.variables(sourceCount: sourceCount)
            variables["unsure"] = isUnsure
        }
        let text = library.render(sourceCount == 0 ? .noSources : size.question, variables)
        return PromptMessage(role: .user, content: text)
    }

    /// Returns the places of the first `sourceCount` sources in the order in which they are shown.
    func order(sourceCount: Int) -> [Int] {
        PromptOrder.places(of: sources.prefix(sourceCount), layout: layout)
    }

    /// Adjacent sources of one conversation name it once.
    private func variables(sourceCount: Int) -> [[String: any Sendable]] {
        var previous: ConversationID?
        let order = order(sourceCount: sourceCount)
        return order.enumerated().map { offset, place in
            let conversation = sources[place].conversationID
            defer { previous = conversation }
            var variables = texts[place].variables(number: offset + 1)
            variables["heading"] = layout == .byRank || conversation != previous
            variables["delimiter"] = delimiter
            // A mark of a source that is not shown would have no number.
            if let newer = sources[place].replacedBy.flatMap({ order.firstIndex(of: $0) }) {
                variables["isReplaced"] = true
                variables["replacedBy"] = String(newer + 1)
            }
            return variables
        }
    }
}

extension PromptMessage {
    /// Returns the message with as many parts as fit, and their number; nil if not even the one without parts fits.
    ///
    /// - Parameters:
    ///   - count: The most parts.
    ///   - tokenCount: The most tokens.
    ///   - make: Makes the message with a number of parts; one with more parts is longer.
    /// - Returns: The longest message.
    static func longest(upTo count: Int, within tokenCount: Int, _ make: (Int) -> PromptMessage) -> (
        PromptMessage, Int
    )? {
        func fitting(_ count: Int) -> PromptMessage? {
            let message = make(count)
            return Prompt.estimate([message]) <= tokenCount ? message : nil
        }
        if let whole = fitting(count) { return (whole, count) }
        var best: (PromptMessage, Int)?
        var candidates = 1..<max(1, count)
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
}

extension Grounding {
    /// The sources, best first.
    var sources: [PromptSource] {
        if case .sources(let sources) = self { sources } else { [] }
    }

    /// The variable that tells the template why there are no sources.
    fileprivate var reasonWithoutSources: String {
        switch self {
        case .searchFailed: "searchFailed"
        case .sources(let sources) where !sources.isEmpty: "noRoom"
        case .sources, .nothingFound: "nothingFound"
        }
    }
}
