public import ChatCore

/// A prompt that fits its budget.
public struct Prompt: Hashable, Sendable {
    /// System, then exchanges as user and assistant in turn, then the sources with the question.
    public let messages: [PromptMessage]
    /// Which of the sources given found a place, in the order in which they are shown: the first has the number 1.
    ///
    /// They are the first ones of those given.
    public let sourceOrder: [Int]
    /// How many sources found a place.
    public var sourceCount: Int { sourceOrder.count }
    /// How many exchanges found a place: the newest ones.
    public let exchangeCount: Int
    /// An upper guess of its tokens, calibration not applied.
    public let estimatedTokenCount: Int
    /// A lower guess of its tokens: a service that counts far fewer has cut it.
    public let floorTokenCount: Int

    /// Tokens that a chat template adds to each message at most.
    private static let tokensPerMessage = 4

    init(system: PromptMessage, exchanges: ArraySlice<[PromptMessage]>, question: PromptMessage, sourceOrder: [Int]) {
        messages = [system] + exchanges.joined() + [question]
        self.sourceOrder = sourceOrder
        exchangeCount = exchanges.count
        estimatedTokenCount = Self.estimate(messages)
        floorTokenCount = Self.floor(messages)
    }

    /// Returns a lower guess of what messages take.
    static func floor(_ messages: [PromptMessage]) -> Int {
        messages.reduce(0) { $0 + TokenFloor.count($1.content) }
    }

    /// Returns an upper guess of what messages take.
    static func estimate(_ messages: some Sequence<PromptMessage>) -> Int {
        messages.reduce(0) { $0 + TokenEstimate.count($1.content) + tokensPerMessage }
    }
}
