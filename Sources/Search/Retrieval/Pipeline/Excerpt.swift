package import ChatCore
import TextAnalysis

/// The part of a message that is shown with a hit.
package struct Excerpt: Hashable, Sendable {
    /// The most Unicode scalars of an excerpt.
    package static let lengthLimit = 300

    /// The text.
    package let text: String
    /// Its place in ``Message/shownText``, in UTF-16 code units; nil within the words of a file.
    package let range: Range<Int>?
    /// Where in a file of the message it is; nil within what is shown.
    package let file: FilePlace?

    /// Takes the sentences of a message around a place.
    ///
    /// - Parameters:
    ///   - message: The message; a short one is shown whole.
    ///   - place: UTF-8 bytes of its searchable text; nil for its beginning.
    package init(of message: Message, at place: Range<Int>?) {
        let shown = message.shownText
        let length = shown.utf8.count
        guard let place, place.lowerBound >= length, length < message.searchableText.utf8.count else {
            let range = TextExcerpt.range(around: place ?? 0..<0, of: shown, limit: Self.lengthLimit)
            text = String(shown.part(utf8: range))
            let start = shown.part(utf8: 0..<range.lowerBound).utf16.count
            self.range = start..<start + text.utf16.count
            file = nil
            return
        }
        // The sentences around it in the same part: the next page is another place.
        let part = message.filePart(at: place)
        let bounds = part?.range ?? length..<message.searchableText.utf8.count
        let words = String(message.searchableText.part(utf8: bounds))
        let found = place.clamped(to: bounds)
        let focus = found.lowerBound - bounds.lowerBound..<found.upperBound - bounds.lowerBound
        text = String(
            words.part(utf8: TextExcerpt.range(around: focus, of: words, limit: Self.lengthLimit)))
        range = nil
        file = part?.place
    }
}

extension Hit {
    /// The part of the message that was found.
    package var excerpt: Excerpt { Excerpt(of: message, at: place) }
}
