import Foundation
import ModelClients
import Testing

@Suite struct JSONScannerTests {
    /// Reads a whole text; nil when the reading fails or something is left.
    private func read<Value>(_ text: String, _ body: (inout JSONScanner) -> Value?) -> Value? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = JSONScanner(bytes)
            guard let value = body(&scanner), scanner.isAtEnd() else { return nil }
            return value
        }
    }

    private func float(_ text: String) -> Float? { read(text) { $0.float() } }

    /// Reads like the C library, bit by bit; too large is nothing.
    private func expectNearest(_ text: String) {
        let nearest = strtof(text, nil)
        #expect(float(text)?.bitPattern == (nearest.isFinite ? nearest.bitPattern : nil), "\(text)")
    }

    @Test(arguments: [
        "0", "-0", "-0.0", "0.0e5", "1", "-1.5e3", "0.1", "1E5", "1e+5", "1e38", "3.4028235e38", "3.4028236e38",
        "3.40282357e38", "1e39", "-1e300", "1e99999999999", "1e-45", "7e-46", "7.1e-46", "1.4e-45", "1e-300",
        "1.17549435e-38", "1.1754943e-38", "1.17549429e-38", "16777217", "16777217.0000000001", "16777219",
        "9007199254740993", "18446744073709551615", "18446744073709551616", "99999999999999999999",
        "123456789012345678901234567890", "0.00000000000000000000000012345", "0.1234567890123456789012345678901",
        "1.00000005960464477539062500000000000000000000001", "1.000000059604644775390625",
    ])
    func readsTheNearestFloat(text: String) {
        expectNearest(text)
    }

    @Test func readsTheNearestFloatOfRandomNumbers() {
        var random = Xorshift(state: 88_172_645_463_325_252)
        for round in 0..<60_000 {
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            guard value.isFinite else { continue }
            // In the middle between two floats, and beside it, rounding is hardest.
            let middle = (Double(value) + Double(value.nextUp)) / 2
            let unit = Double(Int64(bitPattern: random.next())) / 0x1p63
            let texts =
                switch round % 4 {
                case 0: ["\(value)", "\(Double(value))", String(format: "%.17g", Double(value))]
                case 1: ["\(unit)", String(format: "%.\(round % 26)f", unit), String(format: "%.9g", unit)]
                case 2: ["\(middle)", "\(middle.nextUp)", "\(middle.nextDown)"]
                default: [String(format: "%.\(14 + round % 27)e", middle)]
                }
            for text in texts where !text.contains("inf") { expectNearest(text) }
        }
    }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e5", "--1", "0x1", "NaN", "nan", "Infinity", "1 2",
        "1,",
        "null", "\"1\"", "1_0",
    ])
    func isNoNumber(text: String) {
        #expect(float(text) == nil)
        #expect(read(text) { $0.integer() } == nil)
        #expect(text == "null" || text == "\"1\"" || read(text, { $0.value().map { _ in true } }) == nil)
    }

    @Test func readsWholeNumbers() {
        #expect(read(" 17 ") { $0.integer() } == 17)
        #expect(read("-3") { $0.integer() } == -3)
        #expect(read("9223372036854775807") { $0.integer() } == .max)
        for text in ["9223372036854775808", "1.0", "1e2", "99999999999999999999"] {
            #expect(read(text) { $0.integer() } == nil, "\(text)")
        }
    }

    @Test(arguments: [
        (#"{"a":[1,{"b":null}],"c":"\"}]","d":true,"e":-0.5e1}"#, true), ("[]", true), ("{}", true),
        (#" [ "x" , false ] "#, true), (#""a\\""#, true),
        (#"{"a"}"#, false), (#"{"a":}"#, false), (#"{"a":1,}"#, false), ("[1,]", false), ("[1 2]", false), ("[", false),
        (#""open"#, false), (#""open\"#, false), (#"{"a":1"#, false), ("tru", false), ("nulL", false),
        ("\"line\nend\"", false), ("{a:1}", false), ("", false),
    ])
    func skipsWhatHasTheRightForm(text: String, isRight: Bool) {
        #expect((read(text) { $0.value()?.count } != nil) == isRight)
    }

    @Test func doesNotFollowEveryDepth() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)

        #expect(read(deep) { $0.value()?.count } == nil)
        #expect(read("[[[[[[[[[[1]]]]]]]]]]") { $0.value()?.count } == 21)
    }
}

/// Marsaglia, "Xorshift RNGs" (https://doi.org/10.18637/jss.v008.i14).
private struct Xorshift {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
