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
    private let tokenize: @Sendable (Text, any SentenceTokenizer) -> EncodedSentence
    private let collect: @Sendable (ForwardPass, [EncodedSentence]) -> [Value]

    /// Cuts a text into tokens.
    func sentence(of text: Text, _ tokenizer: any SentenceTokenizer) -> EncodedSentence { tokenize(text, tokenizer) }

    /// Returns the value of each sentence of the batch that `pass` has run.
    func values(_ pass: ForwardPass, _ batch: [EncodedSentence]) -> [Value] { collect(pass, batch) }
}

extension EncodingForm where Text == String, Value == [Float] {
    /// One vector a text, with a prefix before it, from its tokens after the last layer.
    static func sentenceVectors(_ form: TextForm, prefix: String) -> Self {
        Self(layerCount: form.layerCount) { text, tokenizer in
            EncodedSentence(ids: tokenizer.tokenIDs(prefix.isEmpty ? text : prefix + text, limit: form.tokenLimit))
        } collect: { pass, _ in
            pass.vectors(form.pooling)
        }
    }
}

extension EncodingForm where Text == TokenText, Value == [Float] {
    /// The states of a text's own tokens, row by row.
    static func tokenStates(_ form: TextForm) -> Self {
        Self(layerCount: form.tokenLayerCount, tokenize: form.ownTokens) { pass, batch in
            pass.lastRows(batch.map(\.tokens.count))
        }
    }
}

extension EncodingForm where Text == TokenText, Value == TokenVectors {
    /// The same, rounded.
    static func tokenVectors(_ form: TextForm, dimensions: Int) -> Self {
        Self(layerCount: form.tokenLayerCount, tokenize: form.ownTokens) { pass, batch in
            zip(pass.lastRows(batch.map(\.tokens.count)), batch).map { rows, sentence in
                TokenVectors(rows: rows, dimensions: dimensions, tokens: sentence.tokens)
            }
        }
    }
}

/// How a text's vector is made of the states of its tokens; always scaled to length 1.
package enum Pooling: Sendable {
    /// The mean of all tokens, start and end included.
    case mean
    /// The start token, which BERT calls `[CLS]`.
    case start
}

/// How a model reads texts.
struct TextForm: Sendable {
    /// The most tokens of a text.
    let tokenLimit: Int
    /// The layers of the network, and those after which token vectors are taken.
    let layerCount, tokenLayerCount: Int
    /// A text before those whose tokens are wanted.
    let tokenPrefix: String
    /// How a text's vector is made of those of its tokens.
    var pooling = Pooling.mean

    /// Cuts a text into tokens, with its prefixes before it.
    func ownTokens(of text: TokenText, _ tokenizer: any SentenceTokenizer) -> EncodedSentence {
        let sender = text.prefix.isEmpty ? "" : text.prefix + ": "
        let (ids, tokens) = tokenizer.tokens(
            of: text.text, prefix: tokenPrefix + sender, limit: tokenLimit,
            prefixLimit: min(TransformerEncoder.prefixTokenLimit, tokenLimit - 2))
        return EncodedSentence(ids: ids, tokens: tokens)
    }
}
