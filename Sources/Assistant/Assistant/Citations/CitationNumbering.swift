/// Numbers citations by their first appearance in the answer, from 1, while the text arrives.
///
/// The model cites by places in its prompt. The output contains the final numbers. Text that may still become a
/// citation is held back, so deltas that were sent to a client never change.
package struct CitationNumbering: Sendable {
    /// A citation in the numbered text.
    package struct Mark: Hashable, Sendable {
        /// The place of the source in the prompt, counted from 1.
        package let place: Int
        /// The number in the answer.
        package let number: Int
        /// The characters of the numbered text that form the citation, brackets included.
        package let range: Range<Int>
    }

    /// The numbers in the answer, by place in the prompt.
    package private(set) var numbers: [Int: Int] = [:]
    private var parser: CitationParser
    /// The end of the input: it starts at the last character, which the next one may join, or at a possible citation.
    private var window = ""
    /// The position of ``window`` in the input, in characters.
    private var windowStart = 0
    /// How many bytes of ``window`` were returned.
    private var passedBytes = 0
    /// How many characters the numbered text is longer than the input.
    private var growth = 0

    package init(sourceCount: Int) {
        parser = CitationParser(sourceCount: sourceCount)
    }

    /// Reads more text, and returns the text that is final now with its citations.
    package mutating func read(_ text: String) -> (text: String, marks: [Mark]) {
        window += text
        return pass(parser.read(text), upTo: parser.openPosition)
    }

    /// Reads the rest.
    package mutating func finish() -> (text: String, marks: [Mark]) {
        pass(parser.finish(), upTo: nil)
    }

    /// Returns the number of a source in the answer, and assigns one if it has none.
    package mutating func number(of place: Int) -> Int {
        if let known = numbers[place] { return known }
        let number = numbers.count + 1
        numbers[place] = number
        return number
    }

    /// Costs as much as the text is long: every index is counted from the one before it.
    private mutating func pass(_ found: [CitationParser.Mark], upTo end: Int?) -> (text: String, marks: [Mark]) {
        var output = ""
        var marks: [Mark] = []
        var passed = window.utf8.index(window.startIndex, offsetBy: passedBytes)
        var walk = Walk(index: window.startIndex, position: windowStart)
        var rest = found[...]
        while let first = rest.first {
            let places = rest.prefix { $0.range == first.range }.map(\.number)
            rest = rest.dropFirst(places.count)
            let start = walk.index(of: first.range.lowerBound, in: window)
            let end = walk.index(of: first.range.upperBound, in: window)
            let numbers = places.map { number(of: $0) }
            let bracket = numbers == places ? String(window[start..<end]) : Self.bracket(numbers, like: window[start])
            output += window[passed..<start] + bracket
            passed = end
            let lower = first.range.lowerBound + growth
            growth += bracket.count - first.range.count
            let range = lower..<first.range.upperBound + growth
            marks += zip(places, numbers).map { Mark(place: $0, number: $1, range: range) }
        }
        let limit = end.map { walk.index(of: $0, in: window) } ?? window.endIndex
        output += window[passed..<limit]
        keep(from: end == nil ? window.indices.last ?? limit : limit, passed: limit)
        return (output, marks)
    }

    /// Drops the window before an index.
    private mutating func keep(from start: String.Index, passed end: String.Index) {
        passedBytes = window.utf8.distance(from: start, to: end)
        // Text that is held back for long is not copied with each delta.
        guard start > window.startIndex else { return }
        windowStart += window.distance(from: window.startIndex, to: start)
        window = String(window[start...])
    }

    /// A place in the window that only moves forward.
    private struct Walk {
        var index: String.Index
        var position: Int

        mutating func index(of next: Int, in window: String) -> String.Index {
            index = window.index(index, offsetBy: next - position)
            position = next
            return index
        }
    }

    private static func bracket(_ numbers: [Int], like opener: Character) -> String {
        let list = numbers.map(String.init).joined(separator: ", ")
        return opener == "【" ? "【\(list)】" : "[\(list)]"
    }
}
