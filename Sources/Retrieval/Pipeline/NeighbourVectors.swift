import ChatCore

/// The cosines of candidates and of the messages beside them, for one question.
struct NeighbourVectors: Sendable {
    private let scan: DenseArm.Scan
    private let dense: DenseArm
    private var cosines: [PassageNumber: Float] = [:]
    /// The first passage of every message that counts.
    private var first: [MessageNumber: PassageNumber] = [:]

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
        for message in visible { first[message.number] = message.passages.first }
        let beside = Set(around.values.flatMap { [$0.previous, $0.next].compactMap { $0 } })
        let unknown = beside.subtracting(visible.map(\.number))
        let found = try await store.passages(of: Array(unknown), in: scan.serving.generation.number)
        for (message, passages) in found { first[message] = passages.first }
        cosines = try await dense.cosines(
            of: visible.flatMap(\.passages) + unknown.compactMap { first[$0] }, for: scan)
    }

    /// Adds what vectors say of a candidate.
    func complete(_ candidate: inout Candidate, _ around: LexicalArm.Surroundings?) {
        candidate.cosine = candidate.visible.passages.compactMap { cosines[$0] }.max().map(Double.init)
        guard let around else { return }
        candidate.window = window([around.previous, candidate.number, around.next].compactMap { $0 })
        if around.answersPrevious, let previous = around.previous.flatMap({ first[$0] }) {
            candidate.answered = cosines[previous].map(Double.init)
        }
    }

    /// The cosine of the question and the mean of some messages' vectors, which have length 1.
    private func window(_ messages: [MessageNumber]) -> Double? {
        let passages = messages.compactMap { first[$0] }.filter { cosines[$0] != nil }
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
