import CoreMetrics
import Synchronization

/// One number: a counter or a gauge with certain values of its labels.
final class NumberSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler {
    private let number = Mutex(0.0)

    var value: Double { number.withLock { $0 } }

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) { number.withLock { $0 += amount } }

    func decrement(by amount: Double) { number.withLock { $0 -= amount } }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { number.withLock { $0 = value } }

    func record(_ value: Int64) { set(Double(value)) }

    func record(_ value: Double) { set(value) }

    func reset() { set(0.0) }
}

/// The counts of a histogram with certain values of its labels.
final class HistogramSeries: RecorderHandler, TimerHandler {
    /// The recorded values.
    struct Counts {
        /// One count per bound and one for values above all bounds; not cumulative.
        var buckets: [Int]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<Counts>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(Counts(buckets: Array(repeating: 0, count: bounds.count + 1)))
    }

    var counts: Counts { state.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }

    /// Counts a value; NaN is ignored.
    func record(_ value: Double) {
        guard !value.isNaN else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.buckets[bucket] += 1
            state.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
