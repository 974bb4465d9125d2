import ChatCore

/// How texts are divided into requests.
enum EmbeddingBatches {
    /// Returns ranges that cover `texts` in order, each with at most `itemLimit` texts and, unless it is one text
    /// alone, at most `tokenLimit` tokens as ``TokenEstimate`` counts them.
    static func ranges(of texts: [String], itemLimit: Int, tokenLimit: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, tokens) = (0, 0)
        for (place, text) in texts.enumerated() {
            let count = TokenEstimate.count(text)
            if place > start && (place - start == itemLimit || tokens + count > tokenLimit) {
                ranges.append(start..<place)
                (start, tokens) = (place, 0)
            }
            tokens += count
        }
        if start < texts.count { ranges.append(start..<texts.count) }
        return ranges
    }
}
