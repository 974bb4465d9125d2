package import Tracing

/// Creates spans and writes each as one line of JSON when it ends.
///
/// It reads and passes on the headers of W3C Trace Context. Without a destination it only passes them on, and its spans
/// are empty.
///
/// A line: `traceId`, `spanId`, `parentSpanId` (missing at a trace's root), `name`, `kind`, `startTimeUnixNano`,
/// `endTimeUnixNano`, `attributes`, `status` (`unset`, `ok`, `error`), the names as in OTLP.
package struct LineTracer: Tracer {
    private let write: (@Sendable (String) -> Void)?
    private let makeNumber: @Sendable () -> UInt64

    /// - Parameters:
    ///   - makeNumber: Draws random numbers, for ids.
    ///   - write: Receives a line with its end, on the thread that ends the span; nil to write nothing.
    package init(
        makeNumber: @escaping @Sendable () -> UInt64 = { .random(in: 1 ... .max) },
        write: (@Sendable (String) -> Void)?
    ) {
        self.makeNumber = makeNumber
        self.write = write
    }

    /// Begins a span below the one of `context`, or a trace.
    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> LineSpan {
        var context = context()
        guard let write else { return LineSpan(context: context) }
        let parent = context.traceContext
        context.traceContext = TraceContext(
            traceID: parent?.traceID ?? hex() + hex(), spanID: hex(), flags: parent?.flags ?? "01",
            state: parent?.state)
        return LineSpan(
            operationName, kind: kind, context: context, parentID: parent?.spanID,
            start: instant().nanosecondsSinceEpoch,
            write: write)
    }

    /// Does nothing because lines are written when spans end.
    package func forceFlush() {}

    /// Reads `traceparent` and `tracestate`.
    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let header = extractor.extract(key: "traceparent", from: carrier) else { return }
        context.traceContext = TraceContext(header: header, state: extractor.extract(key: "tracestate", from: carrier))
    }

    /// Writes `traceparent` and `tracestate`.
    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.traceContext else { return }
        injector.inject(trace.header, forKey: "traceparent", into: &carrier)
        if let state = trace.state { injector.inject(state, forKey: "tracestate", into: &carrier) }
    }

    /// 16 digits, not all 0.
    private func hex() -> String {
        let digits = String(max(1, makeNumber()), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
