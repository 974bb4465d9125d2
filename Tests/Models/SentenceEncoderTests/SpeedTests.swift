import ChatCore
import Foundation
import SentenceEncoder
import Testing

extension Tag {
    @Tag static var performance: Self
}

/// Figures, printed as a peer prints them: all texts at once, batches of 32 as they come, one by one.
///
/// `NEXUS_SPEED_TESTS=1 NEXUS_SPEED_TEXTS=FILE swift test -c release --filter SentenceEncoderTests.SpeedTests`; the file is
/// JSON lines with a `text`, perhaps a `senderName`, of which the first 2,000 count, for tokens 3,000; the sample's
/// messages unless given.
@Suite(
    .tags(.performance), .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["NEXUS_SPEED_TESTS"] == "1"))
struct SpeedTests {
    private struct Line: Decodable {
        var text: String
        var senderName: String?
    }

    private static func lines(_ limit: Int) throws -> [Line] {
        let sample = URL(filePath: #filePath).appending(path: "../../../../eval/datasets/harbor/messages.jsonl")
            .standardized
        let path = ProcessInfo.processInfo.environment["NEXUS_SPEED_TEXTS"] ?? sample.path
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").prefix(limit)
        return try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }.filter { !$0.text.isEmpty }
    }

    private static func seconds(_ body: () -> Void) -> Double {
        seconds(ContinuousClock().measure(body))
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    @Test func encodesTexts() throws {
        let encoder = try Fixture.encoder()
        let texts = try Self.lines(2_000).map(\.text)
        _ = encoder.encode(Array(texts.prefix(64)))

        let together = Self.seconds { #expect(encoder.encode(texts).count == texts.count) }
        let batches = Self.seconds {
            for start in stride(from: 0, to: texts.count, by: 32) {
                _ = encoder.encode(Array(texts[start..<min(start + 32, texts.count)]))
            }
        }
        let single = Self.seconds { for text in texts.prefix(300) { _ = encoder.encode([text]) } }

        let count = Double(texts.count)
        print(
            #"{"messages": \#(texts.count), "sorted_per_second": \#(count / together), "#
                + #""arrival_batches_of_32_per_second": \#(count / batches), "#
                + #""one_by_one_ms": \#(single * 1_000 / Double(min(300, texts.count)))}"#)
    }
    /// All messages with their senders, then 50 at a time as a search wants them.
    @Test func encodesTokens() async throws {
        let encoder = try Fixture.encoder()
        let texts = try Self.lines(3_000).map { TokenText(prefix: $0.senderName ?? "", text: $0.text) }
        _ = try await encoder.encodeTokens(concurrently: Array(texts.prefix(64)))
        let clock = ContinuousClock()

        let start = clock.now
        let vectors = try await encoder.encodeTokens(concurrently: texts)
        let together = Self.seconds(clock.now - start)
        var searches: [Double] = []
        for start in stride(from: 0, to: texts.count - 50, by: 50) {
            let before = clock.now
            _ = try await encoder.encodeTokens(concurrently: Array(texts[start..<start + 50]))
            searches.append(Self.seconds(clock.now - before))
        }
        searches.sort()

        #expect(vectors.count == texts.count)
        let (tokens, bytes) = vectors.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.byteCount) }
        print(
            #"{"messages": \#(texts.count), "tokens": \#(tokens), "bytes": \#(bytes), "#
                + #""seconds": \#(together), "per_second": \#(Double(texts.count) / together), "#
                + #""fifty_best_ms": \#((searches.first ?? 0) * 1_000), "#
                + #""fifty_median_ms": \#((searches.isEmpty ? 0 : searches[searches.count / 2]) * 1_000)}"#)
    }
}
