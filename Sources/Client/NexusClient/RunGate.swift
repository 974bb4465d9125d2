/// Lets one task pass at a time.
actor RunGate {
    private var isTaken = false
    private var bells: [AsyncStream<Void>.Continuation] = []

    /// Waits until nobody else is inside.
    ///
    /// - Returns: Whether the caller is inside and has to ``leave()``; false if its task was cancelled.
    func enter() async -> Bool {
        while isTaken {
            let (stream, bell) = AsyncStream.makeStream(of: Void.self)
            bells.append(bell)
            for await _ in stream {}
            if Task.isCancelled { return false }
        }
        isTaken = true
        return true
    }

    func leave() {
        isTaken = false
        for bell in bells { bell.finish() }
        bells = []
    }
}
