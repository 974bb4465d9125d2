package import CoreMetrics
import Synchronization

/// Collects metrics and writes them in the format of Prometheus.
///
/// Only the instruments that it was created with exist: a metric with another name or kind is ignored. The values of
/// labels are closed sets, so that memory does not grow with users or messages; for labels whose values the program
/// defines, at most ``seriesLimit`` combinations are stored.
package final class MetricRegistry: MetricsFactory {
    /// The most combinations of label values of one instrument; further ones are counted as ``Instrument/other``.
    package static let seriesLimit = 1_000

    /// The values for one combination of labels.
    enum Series {
        case number(NumberSeries)
        case histogram(HistogramSeries)
    }

    /// One instrument with everything that was measured of it.
    struct Family {
        let instrument: Instrument
        var series: [[String]: Series] = [:]
    }

    private let order: [String]
    private let families: Mutex<[String: Family]>

    /// Makes a registry with nothing measured.
    package init(_ instruments: [Instrument] = Instrument.all) {
        order = instruments.map(\.name)
        families = Mutex(
            Dictionary(instruments.map { ($0.name, Family(instrument: $0)) }, uniquingKeysWith: { first, _ in first }))
    }

    /// All metrics so far, in the order of the instruments.
    var snapshot: [Family] {
        families.withLock { families in order.compactMap { families[$0] } }
    }

    private func series(_ name: String, _ dimensions: [(String, String)]) -> Series? {
        families.withLock { families in
            guard let family = families[name] else { return nil }
            var values = family.instrument.values(of: dimensions)
            if let known = family.series[values] { return known }
            if family.series.count >= Self.seriesLimit {
                values = values.map { _ in Instrument.other }
                if let known = family.series[values] { return known }
            }
            let made: Series =
                switch family.instrument.kind {
                case .counter, .gauge: .number(NumberSeries())
                case .histogram(let bounds): .histogram(HistogramSeries(bounds: bounds))
                }
            families[name]?.series[values] = made
            return made
        }
    }

    private func number(_ name: String, _ dimensions: [(String, String)]) -> NumberSeries? {
        if case .number(let series)? = series(name, dimensions) { series } else { nil }
    }

    private func histogram(_ name: String, _ dimensions: [(String, String)]) -> HistogramSeries? {
        if case .histogram(let series)? = series(name, dimensions) { series } else { nil }
    }
}

extension MetricRegistry {
    /// See `MetricsFactory`.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        number(label, dimensions) ?? NOOPMetricsHandler.instance.makeCounter(label: label, dimensions: dimensions)
    }

    /// See `MetricsFactory`.
    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        number(label, dimensions)
            ?? NOOPMetricsHandler.instance.makeFloatingPointCounter(label: label, dimensions: dimensions)
    }

    /// See `MetricsFactory`.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        number(label, dimensions) ?? NOOPMetricsHandler.instance.makeMeter(label: label, dimensions: dimensions)
    }

    /// See `MetricsFactory`.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let known: (any RecorderHandler)? = aggregate ? histogram(label, dimensions) : number(label, dimensions)
        return known
            ?? NOOPMetricsHandler.instance.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    /// See `MetricsFactory`; the histogram is in seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions) ?? NOOPMetricsHandler.instance.makeTimer(label: label, dimensions: dimensions)
    }

    /// Does nothing: the values stay.
    package func destroyCounter(_ handler: any CounterHandler) {}

    /// Does nothing: the values stay.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}

    /// Does nothing: the values stay.
    package func destroyMeter(_ handler: any MeterHandler) {}

    /// Does nothing: the values stay.
    package func destroyRecorder(_ handler: any RecorderHandler) {}

    /// Does nothing: the values stay.
    package func destroyTimer(_ handler: any TimerHandler) {}
}
