/// Takes out of a text, as it arrives, what could be turned against its reader.
///
/// The reader's program shows the text as Markdown, as HTML, or finds addresses in it by itself, and a message of the chat
/// may have made the language model write it. So these go, in code too: characters that are not seen; HTML; links,
/// images, definitions of references and bare addresses (with and without a scheme, mail addresses too) unless the
/// whole address stands to the letter in a permitted text; numbers in brackets that no source has. The text of a link
/// stays. An image is never kept as one: it would be fetched without a click.
///
/// However the text is split into deltas, what passes is the same. What is held back is one piece without blanks of at most
/// 2,048 scalars and what may still be a tag or a citation. Time is linear in the length of the text.
///
/// What it does not look at: whether the target of a permitted address is good, and what the words say.
public struct AnswerFilter: Sendable {
    private var cleaner = TextCleaner()
    private var markup = MarkupFilter()
    private var words: WordFilter
    private var citations: CitationFilter?
    private var isBlank = true

    /// Starts at the beginning of a text.
    ///
    /// - Parameters:
    ///   - permittedLinks: The addresses that may stay.
    ///   - sourceCount: The sources have the numbers from 1 to this; nil to leave brackets alone.
    public init(permittedLinks: PermittedLinks, sourceCount: Int?) {
        words = WordFilter(permitted: permittedLinks)
        citations = sourceCount.map { CitationFilter(sourceCount: $0) }
    }

    /// Whether a link, an address, an image or HTML was taken out so far.
    public var hasRemoved: Bool { words.hasRemoved || markup.hasRemoved }

    /// Takes the next piece of the text, and returns what may be shown now.
    public mutating func push(_ delta: String) -> String {
        var cleaned: [Unicode.Scalar] = []
        for scalar in delta.unicodeScalars { cleaner.read(scalar, into: &cleaned) }
        return passed(cleaned, isLast: false)
    }

    /// Ends the text, and returns what was held back.
    ///
    /// Where nothing but blanks is left of what was said a mark stands for it.
    public mutating func finish() -> String {
        var cleaned: [Unicode.Scalar] = []
        cleaner.finish(into: &cleaned)
        let rest = passed(cleaned, isLast: true)
        return isBlank && hasRemoved ? rest + String(WordFilter.mark) : rest
    }

    private mutating func passed(_ cleaned: [Unicode.Scalar], isLast: Bool) -> String {
        var plain: [Unicode.Scalar] = []
        for scalar in cleaned { markup.read(scalar, into: &plain) }
        if isLast { markup.finish(into: &plain) }
        var linkless: [Unicode.Scalar] = []
        for scalar in plain { words.read(scalar, into: &linkless) }
        if isLast { words.finish(into: &linkless) }
        let output = cited(linkless, isLast: isLast)
        isBlank = isBlank && output.allSatisfy(\.isBlank)
        return output.text
    }

    private mutating func cited(_ scalars: [Unicode.Scalar], isLast: Bool) -> [Unicode.Scalar] {
        guard citations != nil else { return scalars }
        var output: [Unicode.Scalar] = []
        for scalar in scalars { citations?.read(scalar, into: &output) }
        if isLast { citations?.finish(into: &output) }
        return output
    }
}
