/// How texts are divided into batches, as indices of texts.
///
/// Batches are about equally large, and as many as keep all threads busy. A batch has at most `tokenLimit` tokens plus
/// those of one text, which limits the memory.
package struct EncodingPlan: Equatable {
    /// The places of texts, batch by batch; no batch is empty.
    package let batches: [[Int]]
    /// The tokens of the largest batch.
    package let largestTokenCount: Int

    /// The tokens that are worth their own thread, with a batch that reads all weights.
    ///
    /// With fewer tokens, all threads work together on one batch. An estimate: on two busy cores, calls of up to 32
    /// texts of 21 tokens did not show which limit from 0 to 200 is best.
    private static let worthwhileTokenCount = 48

    /// Plans batches for texts of these token counts: the longest first, each into the smallest batch so far.
    ///
    /// - Complexity: O(*n* · *b*) for *n* texts and *b* batches.
    package init(tokenCounts: [Int], threadCount: Int, tokenLimit: Int) {
        let total = tokenCounts.reduce(0, +)
        let threads = max(1, min(threadCount, tokenCounts.count, total / Self.worthwhileTokenCount))
        let rounds = (total + tokenLimit * threads - 1) / (tokenLimit * threads)
        var batches = Array(repeating: [Int](), count: rounds * threads)
        var sizes = Array(repeating: 0, count: rounds * threads)
        for place in tokenCounts.indices.sorted(by: { (tokenCounts[$1], $0) < (tokenCounts[$0], $1) }) {
            guard let batch = sizes.indices.min(by: { sizes[$0] < sizes[$1] }) else { break }
            batches[batch].append(place)
            sizes[batch] += tokenCounts[place]
        }
        self.batches = batches.filter { !$0.isEmpty }
        largestTokenCount = sizes.max() ?? 0
    }
}
