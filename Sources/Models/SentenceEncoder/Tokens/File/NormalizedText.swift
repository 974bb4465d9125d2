/// A text while it is normalised: UTF-8, and for each byte the part of the original that it comes from.
struct NormalizedText {
    private(set) var bytes: [UInt8] = []
    private var starts: [Int] = []
    private var ends: [Int] = []

    init() {}

    /// Takes a part of a text as it is.
    init(_ text: UnsafeBufferPointer<UInt8>, in part: Range<Int>) {
        bytes = Array(UnsafeBufferPointer(rebasing: text[part]))
        var position = part.lowerBound
        while position < part.upperBound {
            let end = min(position + UTF8Scalar.length(lead: text[position]), part.upperBound)
            for _ in position..<end {
                starts.append(position)
                ends.append(end)
            }
            position = end
        }
    }

    var count: Int { bytes.count }

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
        starts.reserveCapacity(count)
        ends.reserveCapacity(count)
    }

    /// Returns where a part that is not empty comes from.
    func origin(of range: Range<Int>) -> Range<Int> {
        let start = starts[range.lowerBound]
        return start..<max(start, ends[range.upperBound - 1])
    }

    /// Appends bytes that all come from the same part of the original.
    mutating func append(_ more: some Sequence<UInt8>, from origin: Range<Int>) {
        for byte in more {
            bytes.append(byte)
            starts.append(origin.lowerBound)
            ends.append(origin.upperBound)
        }
    }

    /// Appends a part of another text.
    mutating func append(_ other: NormalizedText, _ range: Range<Int>) {
        bytes.append(contentsOf: other.bytes[range])
        starts.append(contentsOf: other.starts[range])
        ends.append(contentsOf: other.ends[range])
    }

    /// Returns the range of the character at a place.
    func character(at place: Int) -> Range<Int> {
        place..<min(place + UTF8Scalar.length(lead: bytes[place]), bytes.count)
    }

    /// Returns the character at a place.
    func scalar(at place: Int) -> Unicode.Scalar {
        let value = bytes.withUnsafeBufferPointer { UTF8Scalar.decode($0, at: place).scalar }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    /// Calls `body` with the range of each character as readers see it (extended grapheme clusters).
    func forEachGrapheme(_ body: (Range<Int>) -> Void) {
        var place = 0
        while place < bytes.count {
            if isLone(place) {
                body(place..<place + 1)
                place += 1
                continue
            }
            var end = place + 1
            // Between two characters of ASCII there is always a border, unless they end a line together.
            while end < bytes.count, !(isASCII(end - 1) && isASCII(end) && !endsLine(end - 1)) { end += 1 }
            for character in String(decoding: bytes[place..<end], as: UTF8.self) {
                let length = character.utf8.count
                body(place..<place + length)
                place += length
            }
        }
    }

    private func isASCII(_ place: Int) -> Bool { bytes[place] < 0x80 }

    private func isLone(_ place: Int) -> Bool {
        isASCII(place) && (place + 1 == bytes.count || isASCII(place + 1) && !endsLine(place))
    }

    private func endsLine(_ place: Int) -> Bool {
        bytes[place] == 0x0D && place + 1 < bytes.count && bytes[place + 1] == 0x0A
    }
}
