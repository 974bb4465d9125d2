import ChatCore
import Tracing

/// A moment of the wall clock for a tracer.
private struct WallInstant: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    static func < (left: WallInstant, right: WallInstant) -> Bool {
        left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
    }
}

extension SearchPass {
    /// Tells the tracer of a stage that took so long and ends now.
    static func trace(_ stage: String, took duration: Duration) {
        // Without a tracer nothing is even looked at.
        guard let context = ServiceContext.current, !(InstrumentationSystem.instrument is NoOpInstrument) else {
            return
        }
        let end = DefaultTracerClock.now.nanosecondsSinceEpoch
        let length = UInt64(max(0, duration / .nanoseconds(1)))
        let start = WallInstant(nanosecondsSinceEpoch: end > length ? end - length : 0)
        startSpan(stage, at: start, context: context).end(at: WallInstant(nanosecondsSinceEpoch: end))
    }
}
