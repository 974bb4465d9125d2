import Foundation
import Synchronization
import Telemetry
import Testing
import Tracing

@Suite struct TraceTests {
    private static let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"

    private struct Carrier: Injector, Extractor {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
        func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
    }

    /// A line as it is read again.
    private struct Line: Decodable, Equatable {
        var traceId: String
        var spanId: String
        var parentSpanId: String?
        var name: String
        var kind: String
        var startTimeUnixNano: UInt64
        var endTimeUnixNano: UInt64
        var status: String
    }

    /// A tracer that counts its random numbers up, and what it wrote.
    private final class Lines: Sendable {
        private let written = Mutex<[String]>([])
        private let number = Mutex<UInt64>(0)

        var tracer: LineTracer {
            LineTracer(
                makeNumber: {
                    self.number.withLock { number in
                        number += 1
                        return number
                    }
                }, write: { line in self.written.withLock { $0.append(line) } })
        }

        var all: [String] { written.withLock { $0 } }

        func decoded() throws -> [Line] {
            try all.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        }
    }

    private func id(_ number: Int) -> String {
        String(repeating: "0", count: 16 - String(number, radix: 16).count) + String(number, radix: 16)
    }

    @Test func spansBelowEachOtherKeepTheTraceAndNameTheirParents() async throws {
        let lines = Lines()

        await withTracer(lines.tracer) {
            await withSpan("request", ofKind: .server) { _ in
                withSpan("retrieve") { _ in withSpan("dense") { _ in } }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { withSpan("generate") { _ in } }
                }
            }
        }

        let spans = try lines.decoded()
        let parents = Dictionary(uniqueKeysWithValues: spans.map { ($0.name, $0.parentSpanId) })
        let ids = Dictionary(uniqueKeysWithValues: spans.map { ($0.name, $0.spanId) })
        #expect(spans.map(\.name) == ["dense", "retrieve", "generate", "request"])
        #expect(Set(spans.map(\.traceId)) == [id(1) + id(2)])
        #expect(ids == ["request": id(3), "retrieve": id(4), "dense": id(5), "generate": id(6)])
        #expect(parents == ["request": nil, "retrieve": id(3), "dense": id(4), "generate": id(3)])
        #expect(spans.map(\.kind) == ["internal", "internal", "internal", "server"])
        for span in spans { #expect(span.startTimeUnixNano <= span.endTimeUnixNano) }
    }

    @Test func aTraceThatComesInGoesOnAndOut() throws {
        let lines = Lines()
        var context = ServiceContext.topLevel
        lines.tracer.extract(
            ["traceparent": Self.header, "tracestate": "a=b,c=d"], into: &context, using: Carrier())

        var out: [String: String] = [:]
        let span = lines.tracer.startSpan("request", context: context)
        lines.tracer.inject(span.context, into: &out, using: Carrier())
        span.end()
        span.end()

        #expect(out["traceparent"] == "00-4bf92f3577b34da6a3ce929d0e0e4736-\(id(1))-00")
        #expect(out["tracestate"] == "a=b,c=d")
        let written = try lines.decoded()
        #expect(written.count == 1)
        #expect(written.first?.traceId == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(written.first?.parentSpanId == "00f067aa0ba902b7")
    }

    @Test func withNothingToWriteToATraceGoesThroughAsItCame() {
        let tracer = LineTracer(write: nil)
        var context = ServiceContext.topLevel
        tracer.extract(["traceparent": Self.header], into: &context, using: Carrier())

        var out: [String: String] = [:]
        let span = tracer.startSpan("request", context: context)
        tracer.inject(span.context, into: &out, using: Carrier())
        span.end()

        #expect(out == ["traceparent": Self.header])
        #expect(!span.isRecording)
    }

    @Test(arguments: [
        "", "garbage", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
        "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
    ])
    func aMalformedTraceIsIgnored(header: String) {
        var context = ServiceContext.topLevel
        LineTracer(write: nil).extract(["traceparent": header], into: &context, using: Carrier())

        #expect(context.traceContext == nil)
    }

    @Test func aLaterVersionIsReadAsFarAsItIsKnown() {
        let trace = TraceContext(header: "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more")

        #expect(trace?.header == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        #expect(TraceContext(header: Self.header, state: "a=\u{1}")?.state == nil)
        #expect(TraceContext(header: Self.header, state: String(repeating: "a", count: 513))?.state == nil)
    }

    @Test func errorsAndAttributesAreWrittenWithoutTheErrorsText() throws {
        struct Leak: Error { let text = "heliotrope" }
        let lines = Lines()

        withTracer(lines.tracer) {
            try? withSpan("generate") { span in
                span.attributes["a.count"] = 3
                span.attributes["name"] = "say \"x\"\n\u{2028}"
                throw Leak()
            }
        }

        let line = try #require(lines.all.first)
        #expect(
            line.contains(
                #""attributes":{"a.count":3,"error.type":"Leak","name":"say \"x\"\n\u2028"},"status":"error"}"#))
        #expect(!line.contains("heliotrope"))
        #expect(line.split(separator: "\n").count == 1)
    }

    @Test func aFileTakesLinesAndIsTheOwnersAlone() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "spans-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for text in ["a\n", "b\n"] { try LineFile(path: path).write(text) }

        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a\nb\n")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let error = #expect(throws: LineFileError.self) { try LineFile(path: "/no/such/file") }
        #expect(error?.description == "cannot write to /no/such/file: No such file or directory")
    }
}
