/// The filter's last step: takes out numbers that no source has, `[99]` and the 9 of `[2, 9]`.
///
/// What counts as a number is as in ``CitationParser``; fenced blocks of code are left alone, and in a span of code what
/// follows a word, as `a[9]`. With a bracket goes the blank before it. Holds one bracket with the blank before it, or
/// the punctuation behind one.
struct CitationFilter: Sendable {
    private static let longestPunctuation = 4

    private let sourceCount: Int
    private var held: [Unicode.Scalar] = []
    private var bracket: CitationBracket?
    private var hasDropped = false
    private var last: Unicode.Scalar?
    private var code = CodeSpans()

    /// Starts at the beginning of a text; the sources have the numbers from 1 to `sourceCount`.
    init(sourceCount: Int) {
        self.sourceCount = sourceCount
    }

    /// Reads one scalar, and adds to `output` what it settles.
    mutating func read(_ scalar: Unicode.Scalar, into output: inout [Unicode.Scalar]) {
        if let reading = bracket?.read(Character(scalar)) {
            readOn(scalar, reading, &output)
        } else if hasDropped {
            readBehind(scalar, &output)
        } else {
            begin(scalar, &output)
        }
    }

    /// Ends the text.
    mutating func finish(into output: inout [Unicode.Scalar]) {
        bracket = nil
        hasDropped = false
        release(&output)
    }

    private mutating func begin(_ scalar: Unicode.Scalar, _ output: inout [Unicode.Scalar]) {
        if let opened = CitationBracket(opening: Character(scalar), at: 0, sourceCount: sourceCount), mayCite {
            bracket = opened
            held.append(scalar)
        } else {
            release(&output)
            if scalar == " " { held = [scalar] } else { give(scalar, &output) }
        }
    }

    private var mayCite: Bool {
        switch code.place {
        case .text: true
        case .inline: held.isEmpty && !(last.map { $0.isLatinLetter || $0.isDecimalDigit || $0 == "]" } ?? false)
        case .block: false
        }
    }

    private mutating func readOn(
        _ scalar: Unicode.Scalar, _ reading: CitationBracket.Reading, _ output: inout [Unicode.Scalar]
    ) {
        switch reading {
        case .open: held.append(scalar)
        case .closed(let numbers):
            bracket = nil
            held.append(scalar)
            settle(numbers, &output)
        case .broken:
            bracket = nil
            if scalar == "]" || scalar == "】" {
                held.append(scalar)
                settle([], &output)
            } else {
                release(&output)
                begin(scalar, &output)
            }
        }
    }

    /// Decides on a bracket that holds nothing but digits, commas, dashes and blanks.
    private mutating func settle(_ numbers: [Int], _ output: inout [Unicode.Scalar]) {
        let said = held.split { !$0.isDecimalDigit }.map { Int($0.text) ?? Int.max }
        if said.allSatisfy({ (1...max(1, sourceCount)).contains($0) }) && sourceCount > 0 || said.isEmpty {
            release(&output)
        } else if numbers.isEmpty {
            held = []
            hasDropped = true
        } else {
            let closer = held.last
            let blank = held.first == " "
            held = Array((blank ? " [" : "[").unicodeScalars)
            if closer == "】" { held[held.count - 1] = "【" }
            held += Array(numbers.map(String.init).joined(separator: ", ").unicodeScalars)
            if let closer { held.append(closer) }
            release(&output)
        }
    }

    /// Behind a bracket that went: what would join the text before it is kept apart by a blank.
    private mutating func readBehind(_ scalar: Unicode.Scalar, _ output: inout [Unicode.Scalar]) {
        if scalar.isBlank || scalar.isWidePunctuation {
            hasDropped = false
            release(&output)
            begin(scalar, &output)
        } else if ".,;:!?)".unicodeScalars.contains(scalar), held.count < Self.longestPunctuation {
            held.append(scalar)
        } else if held.isEmpty,
            let opened = CitationBracket(opening: Character(scalar), at: 0, sourceCount: sourceCount)
        {
            hasDropped = false
            if let last, !last.isBlank { held = [" "] }
            held.append(scalar)
            bracket = opened
        } else {
            hasDropped = false
            let punctuation = held
            held = []
            if let last, !last.isBlank { give(" ", &output) }
            for scalar in punctuation { give(scalar, &output) }
            begin(scalar, &output)
        }
    }

    private mutating func release(_ output: inout [Unicode.Scalar]) {
        let settled = held
        held = []
        for scalar in settled { give(scalar, &output) }
    }

    private mutating func give(_ scalar: Unicode.Scalar, _ output: inout [Unicode.Scalar]) {
        output.append(scalar)
        last = scalar
        _ = code.read(Character(scalar))
    }
}
