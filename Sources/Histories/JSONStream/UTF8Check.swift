/// Checks that bytes which come in pieces are UTF-8.
struct UTF8Check {
    /// The beginning of a character whose rest has to come yet; at most 3 bytes.
    private var unfinished: [UInt8] = []

    /// Whether the bytes so far end with a whole character.
    var isComplete: Bool { unfinished.isEmpty }

    /// Checks the next piece; returns where in it the first wrong byte is, nil when there is none.
    mutating func firstError(in bytes: [UInt8]) -> Int? {
        var start = 0
        while !unfinished.isEmpty, start < bytes.count {
            unfinished.append(bytes[start])
            switch Self.check(unfinished[...]) {
            case .whole: unfinished = []
            case .cut: break
            case .wrong: return start
            }
            start += 1
        }
        switch Self.check(bytes[start...]) {
        case .whole: return nil
        case .cut(let rest):
            unfinished = Array(bytes[rest...])
            return nil
        case .wrong(let offset): return offset
        }
    }

    private enum Verdict {
        case whole
        /// The last character, which begins here, is not finished.
        case cut(at: Int)
        case wrong(at: Int)
    }

    private static func check(_ bytes: ArraySlice<UInt8>) -> Verdict {
        do throws(Unicode.UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return .whole
        } catch {
            let offset = bytes.startIndex + error.byteOffsets.lowerBound
            let isCut = error.kind == .truncatedScalar && error.byteOffsets.upperBound == bytes.count
            return isCut ? .cut(at: offset) : .wrong(at: offset)
        }
    }
}
