import Synchronization
package import Tracing

/// A span that becomes a line of JSON.
///
/// Of errors it records only the type because their text may contain anything. Events and links are not recorded.
package final class LineSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var status: SpanStatus?
        var isEnded = false
    }

    /// The context with this span in it.
    package let context: ServiceContext
    private let kind: SpanKind
    private let parentID: String?
    private let start: UInt64
    private let write: (@Sendable (String) -> Void)?
    private let state: Mutex<State>

    init(
        _ name: String, kind: SpanKind, context: ServiceContext, parentID: String?, start: UInt64,
        write: (@Sendable (String) -> Void)?
    ) {
        self.context = context
        self.kind = kind
        self.parentID = parentID
        self.start = start
        self.write = write
        state = Mutex(State(name: name))
    }

    /// A span that is not written.
    convenience init(context: ServiceContext) {
        self.init("", kind: .internal, context: context, parentID: nil, start: 0, write: nil)
    }

    /// The name of the operation.
    package var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    /// The attributes of the span.
    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set {
            guard isRecording else { return }
            state.withLock { $0.attributes = newValue }
        }
    }

    /// Whether it becomes a line.
    package var isRecording: Bool { write != nil }

    /// Sets the result of the span.
    package func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }

    /// Does nothing.
    package func addEvent(_ event: SpanEvent) {}

    /// Does nothing.
    package func addLink(_ link: SpanLink) {}

    /// Keeps the error's type.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        guard isRecording else { return }
        state.withLock { $0.attributes["error.type"] = "\(type(of: error))" }
    }

    /// Writes the line, once.
    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let write, let trace = context.traceContext else { return }
        let ended = state.withLock { state -> State? in
            defer { state.isEnded = true }
            return state.isEnded ? nil : state
        }
        guard let ended else { return }
        var line = JSONLine()
        line.add("traceId", trace.traceID)
        line.add("spanId", trace.spanID)
        if let parentID { line.add("parentSpanId", parentID) }
        line.add("name", ended.name)
        line.add("kind", "\(kind)")
        line.add("startTimeUnixNano", start)
        line.add("endTimeUnixNano", max(start, instant().nanosecondsSinceEpoch))
        line.add("attributes", json: JSONLine.object(Self.fields(of: ended.attributes)))
        line.add("status", ended.status.map { $0.code == .ok ? "ok" : "error" } ?? "unset")
        write(line.finished)
    }

    /// Returns the attributes that are single values.
    private static func fields(of attributes: SpanAttributes) -> [(name: String, json: String)] {
        var fields: [(name: String, json: String)] = []
        attributes.forEach { name, value in
            switch value {
            case .string(let text): fields.append((name, JSONLine.quoted(text)))
            case .stringConvertible(let value): fields.append((name, JSONLine.quoted("\(value)")))
            case .int32(let number): fields.append((name, "\(number)"))
            case .int64(let number): fields.append((name, "\(number)"))
            case .double(let number) where number.isFinite: fields.append((name, "\(number)"))
            case .bool(let isTrue): fields.append((name, "\(isTrue)"))
            default: break
            }
        }
        return fields
    }
}
