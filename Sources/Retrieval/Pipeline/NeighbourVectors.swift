import ChatCore

/// The cosines of candidates and of what stands beside them, for one question.
///
/// A candidate counts as its best passage. Beside that stand its own passages before and after it; where there is none, the
/// last passage of the message before, and the first one of the message after.
struct NeighbourVectors: Sendable {
    private let scan: DenseArm.Scan
    private let dense: DenseArm
    private var cosines: [PassageNumber: Float] = [:]
    /// The passages of messages that stand beside candidates, by ordinal.
    private var beside: [MessageNumber: [PassageNumber]]

    /// Looks up what is needed, each once.
    ///
    /// - Parameters:
    ///   - visible: The candidates.
    ///   - around: What stands beside them.
    ///   - scan: The question's vector and the generation.
    ///   - dense: Knows the vectors.
    ///   - store: Knows which passages the neighbours have.
    /// - Throws: ``RepositoryError``, `VectorIndexError`.
    init(
        of visible: [VisibleMessage], around: [MessageNumber: LexicalArm.Surroundings], scan: DenseArm.Scan,
        dense: DenseArm, store: any MessageRepository
    ) async throws {
        self.scan = scan
        self.dense = dense
        let numbers = Set(around.values.flatMap { [$0.previous, $0.next].compactMap { $0 } })
        let unknown = numbers.subtracting(visible.map(\.number))
        beside = try await store.passages(of: Array(unknown), in: scan.serving.generation.number)
        let ends = beside.values.flatMap { [$0.first, $0.count > 1 ? $0.last : nil].compactMap { $0 } }
        for message in visible { beside[message.number] = message.passages.map(\.number) }
        cosines = try await dense.cosines(
            of: visible.flatMap { $0.passages.map(\.number) } + ends, for: scan)
    }

    /// Adds what vectors say of a candidate.
    func complete(_ candidate: inout Candidate, _ around: LexicalArm.Surroundings?) {
        let own = candidate.visible.passages.map(\.number)
        for (place, passage) in own.enumerated() {
            guard let cosine = cosines[passage].map(Double.init), cosine > candidate.cosine ?? -.infinity else {
                continue
            }
            (candidate.cosine, candidate.place) = (cosine, place)
        }
        guard let around else { return }
        let place = candidate.place ?? 0
        let last = around.previous.flatMap { beside[$0]?.last }
        let before = place > 0 ? own[place - 1] : last
        let after = place + 1 < own.count ? own[place + 1] : around.next.flatMap { beside[$0]?.first }
        candidate.window = window([before, own.isEmpty ? nil : own[place], after].compactMap { $0 })
        // A message that ends with a question asks it at its end.
        if around.answersPrevious { candidate.answered = last.flatMap { cosines[$0] }.map(Double.init) }
    }

    /// The cosine of the question and the mean of some passages' vectors, which have length 1.
    private func window(_ passages: [PassageNumber]) -> Double? {
        let passages = passages.filter { cosines[$0] != nil }
        guard let own = passages.first else { return nil }
        guard passages.count > 1 else { return cosines[own].map(Double.init) }
        let rows = passages.compactMap { dense.vector(of: $0, for: scan) }
        guard rows.count == passages.count, let width = rows.first?.count else { return nil }
        var squares = 0.0
        for component in 0..<width {
            let sum = rows.reduce(Float(0)) { $0 + $1[component] }
            squares += Double(sum * sum)
        }
        let along = passages.reduce(0.0) { $0 + Double(cosines[$1] ?? 0) }
        return squares > 0 ? along / squares.squareRoot() : nil
    }
}
