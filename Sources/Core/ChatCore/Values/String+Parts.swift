extension String {
    /// Returns the text without white space and line breaks at its ends.
    public func trimmingWhitespace() -> String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// Returns the part of the text at `range`, in UTF-8 bytes; a bound inside a character is moved to its start.
    public func part(utf8 range: Range<Int>) -> Substring {
        let count = utf8.count
        let start = utf8.index(startIndex, offsetBy: min(max(range.lowerBound, 0), count))
        let end = utf8.index(startIndex, offsetBy: min(max(range.upperBound, 0), count))
        return self[start..<end]
    }
}
