package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Stops a test that waits for what never comes.
    ///
    /// Far above the time that any test takes by itself: tests run side by side, and other work may share the cores.
    package static var hangGuard: Self { .timeLimit(.minutes(15)) }
}

/// Waits for a moment, in a loop that looks for what it cannot await.
///
/// Yielding alone would keep a core busy that the tests beside it, and the processes that they start, need.
package func shortPause() async {
    try? await Task.sleep(for: .milliseconds(1))
}
