/// The places of the characters of a text in its UTF-8 bytes.
struct CharacterOffsets {
    /// The first byte of each character, and the number of bytes.
    private let starts: [Int]

    /// - Complexity: O(*n*).
    init(_ text: String) {
        var starts = [0]
        for character in text { starts.append(starts[starts.count - 1] + character.utf8.count) }
        self.starts = starts
    }

    /// Returns the bytes of characters; places behind the end are the end.
    func bytes(of characters: Range<Int>) -> Range<Int> {
        let last = starts.count - 1
        return starts[min(characters.lowerBound, last)]..<starts[min(characters.upperBound, last)]
    }

    /// Returns the characters that hold some bytes.
    func characters(of bytes: Range<Int>) -> Range<Int> {
        let (start, end) = (first(notBefore: bytes.lowerBound), first(notBefore: bytes.upperBound))
        return min(start, end)..<end
    }

    /// Returns the first character that begins at a byte or after it.
    private func first(notBefore byte: Int) -> Int {
        var (low, high) = (0, starts.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < byte { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
