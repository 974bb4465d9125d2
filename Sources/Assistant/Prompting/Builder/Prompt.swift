package import ChatCore

/// A prompt that fits its budget.
package struct Prompt: Hashable, Sendable {
    /// System, then exchanges as user and assistant in turn, then the sources with the question.
    package let messages: [PromptMessage]
    /// The indices of the given sources that fit, in the order in which they are shown: the first has the number 1.
    ///
    /// They are the first ones of those given.
    package let sourceOrder: [Int]
    /// How many sources found a place.
    package var sourceCount: Int { sourceOrder.count }
    /// How many exchanges found a place: the newest ones.
    package let exchangeCount: Int
    /// An upper guess of its tokens, calibration not applied.
    package let estimatedTokenCount: Int
    /// A lower guess of its tokens: a service that counts far fewer has cut it.
    package let floorTokenCount: Int

    /// Tokens that a chat template adds to each message at most.
    private static let tokensPerMessage = 4

    init(system: PromptMessage, exchanges: ArraySlice<[PromptMessage]>, question: PromptMessage, sourceOrder: [Int]) {
        messages = [system] + exchanges.joined() + [question]
        self.sourceOrder = sourceOrder
        exchangeCount = exchanges.count
        estimatedTokenCount = Self.estimate(messages)
        floorTokenCount = Self.floor(messages)
    }

    /// Returns a lower estimate of the tokens of messages.
    static func floor(_ messages: [PromptMessage]) -> Int {
        messages.reduce(0) { $0 + TokenFloor.count($1.content) }
    }

    /// Returns an upper estimate of the tokens of messages.
    static func estimate(_ messages: some Sequence<PromptMessage>) -> Int {
        messages.reduce(0) { $0 + TokenEstimate.count($1.content) + tokensPerMessage }
    }
}

/// A count that the tokens of a text do not fall below: the counterpart of `TokenEstimate`, which errs upwards.
///
/// The vocabularies in use do not join words across white space, so that each word is a token at least. Scripts
/// without blanks between words are counted as four letters to a token, more than any vocabulary joins on average;
/// signs and emoji do not count.
enum TokenFloor {
    /// Returns a lower guess of the tokens in `text`.
    static func count(_ text: String) -> Int {
        var words = 0
        var unspaced = 0
        var isInWord = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                isInWord = false
            } else if scalar.value >= 0x0E00 {
                if scalar.properties.isAlphabetic { unspaced += 1 }
            } else if !isInWord, scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value) {
                words += 1
                isInWord = true
            }
        }
        return words + unspaced / 4
    }
}
