/// Removes parts of a text that could be used against its reader, while the text arrives.
///
/// The reader's program shows the text as Markdown or HTML, or finds addresses in it, and a chat message may have made
/// the language model write it. The filter therefore removes, in code too: invisible characters; HTML; links, images,
/// definitions of references and bare addresses (with and without a scheme, mail addresses too), unless exactly the
/// same address is in a permitted text; numbers in brackets that no source has. The text of a link is kept. An image is
/// never kept as an image because it would be fetched without a click.
///
/// The output does not depend on how the text is split into deltas. The filter holds back at most one piece without
/// blanks of at most 2,048 scalars, and a possible tag or citation. Time is linear in the length of the text.
///
/// It does not check whether the target of a permitted address is safe, or what the words say.
package struct AnswerFilter: Sendable {
    private var cleaner = TextCleaner()
    private var markup = MarkupFilter()
    private var words: WordFilter
    private var citations: CitationFilter?
    private var isBlank = true

    /// Starts at the beginning of a text.
    ///
    /// - Parameters:
    ///   - permittedLinks: The addresses that are kept.
    ///   - sourceCount: The number of sources, which are numbered from 1; nil to leave brackets alone.
    package init(permittedLinks: PermittedLinks, sourceCount: Int?) {
        words = WordFilter(permitted: permittedLinks)
        citations = sourceCount.map { CitationFilter(sourceCount: $0) }
    }

    /// Whether a link, an address, an image or HTML was removed so far.
    package var hasRemoved: Bool { words.hasRemoved || markup.hasRemoved }

    /// Takes the next piece of the text, and returns the text that can be shown now.
    package mutating func push(_ delta: String) -> String {
        var cleaned: [Unicode.Scalar] = []
        for scalar in delta.unicodeScalars { cleaner.read(scalar, into: &cleaned) }
        return passed(cleaned, isLast: false)
    }

    /// Ends the text, and returns the text that was held back.
    ///
    /// If only blanks are left of the text, a mark replaces it.
    package mutating func finish() -> String {
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
