package import ChatCore

/// One promise of the boundary protocols: run on every conformer, each time with a store that is new and empty.
package struct StoreContract: Sendable, CustomStringConvertible {
    /// The promise in words.
    package let description: String
    private let body: @Sendable (any Store) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (any Store) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks the promise; throws ``ContractViolation`` when it is broken.
    package func check(_ store: any Store) async throws {
        try await body(store)
    }

    /// All promises.
    package static var all: [StoreContract] {
        conversations + histories + derivedHistories + authors + permissions + userKinds + importedMembers
            + importedChats + messages + messageReads + queue + contents
            + exclusion + generations
            + feed + snapshots + turns + turnReplies + threads + events + keys + tokens + items + summaries
            + mentions + outdated + verdicts + followedThreads + turnTexts + audiences + bases + limits + auditLog
    }
}

/// A promise that was not kept.
package struct ContractViolation: Error, CustomStringConvertible {
    /// Where, and what was found.
    package let description: String
}

/// Demands that two values are equal.
func demand<Value: Equatable>(
    _ found: Value, _ wanted: Value, file: StaticString = #fileID, line: Int = #line
) throws {
    guard found == wanted else {
        throw ContractViolation(description: "\(file):\(line): found \(found), wanted \(wanted)")
    }
}

/// Demands that a call fails in a certain way.
func demandFailure(
    _ wanted: RepositoryError, file: StaticString = #fileID, line: Int = #line, _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch let error as RepositoryError {
        return try demand(error, wanted, file: file, line: line)
    }
    throw ContractViolation(description: "\(file):\(line): no failure, wanted \(wanted)")
}

extension Store {
    /// Makes a conversation `c` with Ada and Bob, and a generation of two dimensions.
    func furnish() async throws -> GenerationNumber {
        _ = try await store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        return try await beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0)).number
    }

    /// Posts messages that are all new.
    func post(_ messages: [Message], at second: Int = 0) async throws {
        let outcomes = try await accept(messages, source: "api", mode: .posting, at: .second(second))
        try demand(outcomes, messages.map { _ in .inserted })
    }

    /// Embeds everything that waits.
    func embedAll(of generation: GenerationNumber, at second: Int = 0) async throws {
        let items = try await claim(1_000, for: generation, until: .second(second + 60), at: .second(second))
        try demand(try await commit(items.map { .of($0) }, at: .second(second)), items.count)
    }

    /// Returns the subjects of the changes after a cursor.
    func subjects(after cursor: ChangeCursor) async throws -> [Change.Subject] {
        // Most contracts are about other changes.
        try await changes(after: cursor, limit: 10_000).changes.map(\.subject).filter { subject in
            if case .membership = subject { false } else { true }
        }
    }
}
