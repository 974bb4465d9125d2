/// The last step of the filter: removes numbers that no source has, `[99]` and the 9 of `[2, 9]`.
///
/// The rules for numbers are those of ``CitationParser``. Fenced blocks of code are not changed; in a code span, a
/// bracket after a word, such as `a[9]`, is not changed. A bracket is removed together with the blank before it. The
/// filter holds back one bracket with the blank before it, or the punctuation after it.
struct CitationFilter: Sendable {
    private static let longestPunctuation = 4

    private let sourceCount: Int
    private var held: [Unicode.Scalar] = []
    private var bracket: CitationBracket?
    private var hasDropped = false
    private var last: Unicode.Scalar?
    private var code = CodeSpans()

    init(sourceCount: Int) {
        self.sourceCount = sourceCount
    }

    /// Reads one scalar, and appends final text to `output`.
    mutating func read(_ scalar: Unicode.Scalar, into output: inout [Unicode.Scalar]) {
        if let reading = bracket?.read(Character(scalar)) {
            readOn(scalar, reading, &output)
        } else if hasDropped {
            readBehind(scalar, &output)
        } else {
            begin(scalar, &output)
        }
    }

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

    /// Decides on a bracket that contains only digits, commas, dashes and blanks.
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

    /// After a removed bracket: inserts a blank before text that would join the text before the bracket.
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
