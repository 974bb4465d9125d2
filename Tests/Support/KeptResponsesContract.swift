package import ChatCore

/// One promise of kept responses: run on every conformer, each time with one that is empty.
package struct KeptResponsesContract: Sendable, CustomStringConvertible {
    /// Kept responses under test.
    package struct Subject: Sendable {
        package let kept: any KeptResponses
        /// Lets time pass.
        package let pass: @Sendable (Duration) async throws -> Void

        package init(_ kept: any KeptResponses, pass: @escaping @Sendable (Duration) async throws -> Void) {
            self.kept = kept
            self.pass = pass
        }
    }

    /// The promise in words.
    package let description: String
    /// The limits that the subject must have.
    package let limits: KeptResponseLimits
    private let body: @Sendable (Subject) async throws -> Void

    private init(
        _ description: String, limits: KeptResponseLimits = KeptResponseLimits(),
        _ body: @escaping @Sendable (Subject) async throws -> Void
    ) {
        self.description = description
        self.limits = limits
        self.body = body
    }

    /// Checks the promise; throws ``ContractViolation`` when it is broken.
    package func check(_ subject: Subject) async throws { try await body(subject) }

    /// A response with all parts.
    package static let full = KeptResponse(
        status: 201,
        fields: [.init(name: "Content-Type", value: "application/json"), .init(name: "ETag", value: "\"ä\"\t\\")],
        body: Array(UInt8.min...UInt8.max),
        basis: KeptResponse.Basis(
            read: ReadBasis(
                asker: "ada", keys: [.of("c", "1"), .of("d", "2 ü")],
                extent: ReadBasis.Extent(conversationID: "c", through: MessageNumber(rawValue: 7), messageCount: 3),
                since: ChangeCursor(epoch: 255, positions: [ChangeNumber(rawValue: 12)])),
            turn: Turn(
                id: "t", askerID: "ada", question: "Which berth?", answer: "The second [1]",
                sourceKeys: [.of("c", "1")], askedAt: .second(5))))

    /// A response whose size is that of a text.
    package static func text(_ text: String) -> KeptResponse {
        KeptResponse(status: 200, fields: [], body: Array(text.utf8), basis: nil)
    }

    package static let all = [
        KeptResponsesContract("the same request is carried out once") { subject in
            let kept = subject.kept
            let attempt = try await kept.demandStart([1])
            try demand(try await kept.begin([1], bodyHash: [0]), .inWork)
            try demand(try await kept.begin([1], bodyHash: [9]), .reused)
            try await kept.finish(attempt, with: full)
            try demand(try await kept.begin([1], bodyHash: [0]), .replay(full, attempt))
            try demand(try await kept.begin([1], bodyHash: [9]), .reused)
            _ = try await kept.demandStart([2])
        },
        KeptResponsesContract("of many at once one proceeds") { subject in
            let steps = try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await subject.kept.begin([1], bodyHash: [0]) } }
                return try await group.reduce(into: [RequestStep]()) { $0.append($1) }
            }
            try demand(steps.filter { $0 == .inWork }.count, 19)
        },
        KeptResponsesContract("without a response the key is free") { subject in
            let attempt = try await subject.kept.demandStart([1])
            try await subject.kept.finish(attempt, with: nil)
            let next = try await subject.kept.demandStart([1], bodyHash: [2])

            // The first attempt has nothing to say any more.
            try await subject.kept.finish(attempt, with: text("late"))
            try await subject.kept.finish(attempt, with: nil)
            try demand(try await subject.kept.begin([1], bodyHash: [2]), .inWork)
            try await subject.kept.finish(next, with: text("done"))
            try demand(try await subject.kept.begin([1], bodyHash: [2]), .replay(text("done"), next))
        },
        KeptResponsesContract("what was forgotten is carried out again") { subject in
            let attempt = try await subject.kept.demandStart([1])
            try await subject.kept.forget(attempt)
            try demand(try await subject.kept.begin([1], bodyHash: [0]), .inWork)
            try await subject.kept.finish(attempt, with: full)
            try await subject.kept.forget(RequestAttempt(key: [1], number: attempt.number &+ 1))
            try demand(try await subject.kept.begin([1], bodyHash: [0]), .replay(full, attempt))
            try await subject.kept.forget(attempt)
            _ = try await subject.kept.demandStart([1])
        },
        KeptResponsesContract("a cancelled task frees its key") { subject in
            let attempt = try await subject.kept.demandStart([1])
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await subject.kept.finish(attempt, with: nil)
            }.value
            _ = try await subject.kept.demandStart([1])
        },
        KeptResponsesContract(
            "a response is kept for a time, and work as long as it takes",
            limits: KeptResponseLimits(lifetime: .seconds(600))
        ) { subject in
            let working = try await subject.kept.demandStart([2])
            let attempt = try await subject.kept.demandStart([1])
            try await subject.kept.finish(attempt, with: full)
            try await subject.pass(.seconds(300))
            try demand(try await subject.kept.begin([1], bodyHash: [0]), .replay(full, attempt))
            try await subject.pass(.seconds(301))
            _ = try await subject.kept.demandStart([1])
            try demand(try await subject.kept.begin([2], bodyHash: [0]), .inWork)
            try await subject.kept.finish(working, with: text("done"))
            try demand(try await subject.kept.begin([2], bodyHash: [0]), .replay(text("done"), working))
        },
        oldest(limits: KeptResponseLimits(count: 2)), oldest(limits: KeptResponseLimits(byteCount: 11)),
        KeptResponsesContract("a response that is too large is not kept", limits: KeptResponseLimits(byteCount: 3)) {
            let attempt = try await $0.kept.demandStart([1])
            try await $0.kept.finish(attempt, with: text("done"))
            _ = try await $0.kept.demandStart([1])
        },
    ]

    private static func oldest(limits: KeptResponseLimits) -> KeptResponsesContract {
        KeptResponsesContract("of \(limits.count) or \(limits.byteCount) bytes the oldest go first", limits: limits) {
            for key: UInt8 in 1...3 {
                try await $0.kept.finish(try await $0.kept.demandStart([key]), with: text("done"))
            }
            _ = try await $0.kept.demandStart([1])
            for key: UInt8 in 2...3 {
                guard case .replay(text("done"), _) = try await $0.kept.begin([key], bodyHash: [0]) else {
                    throw ContractViolation(description: "\(key) is not kept")
                }
            }
        }
    }
}

extension KeptResponses {
    /// Begins a request that must be new.
    package func demandStart(_ key: [UInt8], bodyHash: [UInt8] = [0]) async throws -> RequestAttempt {
        let step = try await begin(key, bodyHash: bodyHash)
        guard case .proceed(let attempt) = step else {
            throw ContractViolation(description: "found \(step), wanted a new request")
        }
        return attempt
    }
}
