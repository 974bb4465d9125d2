package import Tracing

/// The place of a span in a trace, as W3C Trace Context (https://www.w3.org/TR/trace-context/) writes it.
package struct TraceContext: Hashable, Sendable {
    /// 32 lowercase hexadecimal digits, not all 0.
    package let traceID: String
    /// The present span: 16 lowercase hexadecimal digits, not all 0.
    package let spanID: String
    /// Two hexadecimal digits, passed on unchanged.
    package let flags: String
    /// The state of other tracers, passed on unchanged.
    package let state: String?

    init(traceID: String, spanID: String, flags: String = "01", state: String? = nil) {
        self.traceID = traceID
        self.spanID = spanID
        self.flags = flags
        self.state = state
    }

    /// Reads the headers of a request; nil when `traceparent` is malformed: then a new trace begins.
    ///
    /// - Parameters:
    ///   - header: `traceparent`.
    ///   - state: `tracestate`; a value that is too long or contains other than visible ASCII is left out.
    package init?(header: String, state: String? = nil) {
        let bytes = Array(header.utf8)
        guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        let parts = [0..<2, 3..<35, 36..<52, 53..<55].map { String(decoding: bytes[$0], as: UTF8.self) }
        let isHex = parts.allSatisfy { $0.utf8.allSatisfy(Self.isHexDigit) }
        guard isHex, parts[0] != "ff", !Self.isZero(parts[1]), !Self.isZero(parts[2]) else { return nil }
        // Version 0 ends here; a later one may continue after another dash.
        guard bytes.count == 55 || (parts[0] != "00" && bytes[55] == UInt8(ascii: "-")) else { return nil }
        let usableState = state.flatMap { state in
            (1...512).contains(state.utf8.count) && state.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? state : nil
        }
        self.init(traceID: parts[1], spanID: parts[2], flags: parts[3], state: usableState)
    }

    /// The value of `traceparent`.
    package var header: String { "00-\(traceID)-\(spanID)-\(flags)" }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isZero(_ digits: String) -> Bool { digits.allSatisfy { $0 == "0" } }
}

extension ServiceContext {
    private enum Key: ServiceContextKey {
        typealias Value = TraceContext
        static let nameOverride: String? = "trace-context"
    }

    /// The present span; nil outside of a trace.
    package var traceContext: TraceContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
