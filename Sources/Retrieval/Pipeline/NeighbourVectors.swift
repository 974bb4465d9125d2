import ChatCore

/// The cosines of candidates and of what stands beside them, for one question.
///
/// A candidate counts as its best passage. Beside that stand its own passages before and after it; where there is none, the
/// last passage of the message before, and the first one of the message after.
struct NeighbourVectors: Sendable {
    private let scan: DenseArm.Scan
    private let dense: DenseArm
    private var cosines: [PassageNumber: Float] = [:]
    /// The passages of candidates and of messages that stand beside them, by ordinal.
    private let passages: [MessageNumber: [PassageNumber]]

    /// Looks up what is needed, each once.
    ///
    /// - Parameters:
    ///   - candidates: The candidates.
    ///   - around: What stands beside them.
    ///   - scan: The question's vector and the generation.
    ///   - dense: Knows the vectors.
    /// - Throws: `VectorIndexError`.
    init(
        of candidates: [MessageNumber], around: [MessageNumber: LexicalArm.Surroundings], scan: DenseArm.Scan,
        dense: DenseArm
    ) async throws {
        let neighbours = around.values.flatMap { [$0.previous, $0.next].compactMap { $0 } }
        passages = scan.serving.directory.passages(of: Set(candidates + neighbours))
        self.scan = scan
        self.dense = dense
        let ends = Set(neighbours).subtracting(candidates).compactMap { passages[$0] }
            .flatMap { [$0.first, $0.count > 1 ? $0.last : nil].compactMap { $0 } }
        cosines = try await dense.cosines(of: candidates.flatMap { passages[$0] ?? [] } + ends, for: scan)
    }

    /// Adds what vectors say of candidates.
    func complete(_ candidates: inout [Candidate], _ around: [MessageNumber: LexicalArm.Surroundings]) {
        var windows: [[PassageNumber]] = []
        for place in candidates.indices {
            windows.append(complete(&candidates[place], around[candidates[place].number]))
        }
        for (place, length) in dense.lengths(ofSums: windows, for: scan).enumerated() {
            candidates[place].window = window(windows[place], length: length)
        }
    }

    /// Adds what single vectors say of a candidate, and returns the passages of its window.
    private func complete(_ candidate: inout Candidate, _ around: LexicalArm.Surroundings?) -> [PassageNumber] {
        let own = passages[candidate.number] ?? []
        for (place, passage) in own.enumerated() {
            guard let cosine = cosines[passage].map(Double.init), cosine > candidate.cosine ?? -.infinity else {
                continue
            }
            (candidate.cosine, candidate.place) = (cosine, place)
        }
        guard let around else { return [] }
        let place = candidate.place ?? 0
        let last = around.previous.flatMap { passages[$0]?.last }
        let before = place > 0 ? own[place - 1] : last
        let after = place + 1 < own.count ? own[place + 1] : around.next.flatMap { passages[$0]?.first }
        // A message that ends with a question asks it at its end.
        if around.answersPrevious { candidate.answered = last.flatMap { cosines[$0] }.map(Double.init) }
        return [before, own.isEmpty ? nil : own[place], after].compactMap { $0 }.filter { cosines[$0] != nil }
    }

    /// The cosine of the question and the mean of some passages' vectors, which have length 1.
    private func window(_ passages: [PassageNumber], length: Double?) -> Double? {
        guard let length, length > 0, !passages.isEmpty else { return nil }
        let along = passages.reduce(0.0) { $0 + Double(cosines[$1] ?? 0) }
        return passages.count > 1 ? along / length : along
    }
}
