package import ChatCore

extension LanguageModel {
    /// Returns all events of an answer.
    package func events(of request: GenerationRequest) async throws -> [GenerationEvent] {
        var events: [GenerationEvent] = []
        try await generate(request) { events.append($0) }
        return events
    }

    /// Returns the events of an answer up to the one after which its caller leaves.
    ///
    /// The caller leaves by the cancellation of its task; this returns when the model has come to an end too.
    package func events(
        of request: GenerationRequest, leavingAfter isEnough: @escaping @Sendable (GenerationEvent) -> Bool
    ) async throws -> [GenerationEvent] {
        try await withThrowingTaskGroup(of: [GenerationEvent].self) { group in
            group.addTask {
                var events: [GenerationEvent] = []
                do {
                    try await generate(request) { event in
                        events.append(event)
                        if isEnough(event) { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                } catch is CancellationError {}
                return events
            }
            return try await group.next() ?? []
        }
    }
}
