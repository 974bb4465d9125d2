public import Testing

extension Trait where Self == TimeLimitTrait {
    /// Stops a test that waits for what never comes.
    ///
    /// Tests run side by side and share two cores, so this is far above what any takes by itself.
    public static var hangGuard: Self { .timeLimit(.minutes(15)) }
}

/// Waits for a moment, in a loop that looks for what it cannot await.
///
/// Yielding alone would keep a core busy that the tests beside it, and the processes that they start, need.
public func shortPause() async {
    try? await Task.sleep(for: .milliseconds(1))
}
