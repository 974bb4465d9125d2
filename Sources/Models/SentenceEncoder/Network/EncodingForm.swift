import ChatCore

/// A text as the forward pass takes it.
struct EncodedSentence: Sendable {
    /// All token ids, `[CLS]` and `[SEP]` included.
    let ids: [Int32]
    /// The text parts of the last ids before `[SEP]`, if their vectors are wanted separately.
    var tokens: [EncodedToken] = []
}

/// How texts are encoded: how they are split into tokens, how many layers these pass, and which values are read.
struct EncodingForm<Text, Value: Sendable>: Sendable {
    /// How many layers the tokens pass.
    let layerCount: Int
    private let tokenize: @Sendable (Text, WordPieceTokenizer) -> EncodedSentence
    private let collect: @Sendable (ForwardPass, [EncodedSentence]) -> [Value]

    /// Cuts a text into tokens.
    func sentence(of text: Text, _ tokenizer: WordPieceTokenizer) -> EncodedSentence { tokenize(text, tokenizer) }

    /// Returns the value of each sentence of the batch that `pass` has run.
    func values(_ pass: ForwardPass, _ batch: [EncodedSentence]) -> [Value] { collect(pass, batch) }
}

extension EncodingForm where Text == String, Value == [Float] {
    /// One vector a text: the mean of its tokens after the last layer.
    static var sentenceVectors: Self {
        Self(layerCount: MiniLMShape.layerCount) { text, tokenizer in
            EncodedSentence(ids: tokenizer.tokenIDs(text, limit: MiniLMEncoder.tokenLimit))
        } collect: { pass, _ in
            pass.vectors()
        }
    }
}

extension EncodingForm where Text == TokenText, Value == [Float] {
    /// The states of a text's own tokens, row by row.
    static var tokenStates: Self {
        Self(layerCount: MiniLMEncoder.tokenLayerCount, tokenize: ownTokens) { pass, batch in
            pass.lastRows(batch.map(\.tokens.count))
        }
    }
}

extension EncodingForm where Text == TokenText, Value == TokenVectors {
    /// The same, rounded.
    static var tokenVectors: Self {
        Self(layerCount: MiniLMEncoder.tokenLayerCount, tokenize: ownTokens) { pass, batch in
            zip(pass.lastRows(batch.map(\.tokens.count)), batch).map { rows, sentence in
                TokenVectors(rows: rows, dimensions: MiniLMShape.width, tokens: sentence.tokens)
            }
        }
    }
}

/// Cuts a text into tokens, with its prefix before it.
private func ownTokens(of text: TokenText, _ tokenizer: WordPieceTokenizer) -> EncodedSentence {
    let (ids, tokens) = tokenizer.tokens(
        of: text, limit: MiniLMEncoder.tokenLimit, prefixLimit: MiniLMEncoder.prefixTokenLimit)
    return EncodedSentence(ids: ids, tokens: tokens)
}
