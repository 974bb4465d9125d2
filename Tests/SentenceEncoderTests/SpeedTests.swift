import Foundation
import SentenceEncoder
import Testing

extension Tag {
    @Tag static var performance: Self
}

/// Figures, printed as a peer prints them: all texts at once, batches of 32 as they come, one by one.
///
/// `NEXUS_SPEED_TESTS=1 NEXUS_SPEED_TEXTS=FILE swift test -c release --filter SentenceEncoderTests.SpeedTests`; the file is
/// JSON lines with a `text`, of which the first 2,000 count; the sample's messages unless given.
@Suite(
    .tags(.performance), .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["NEXUS_SPEED_TESTS"] == "1"))
struct SpeedTests {
    private struct Line: Decodable {
        var text: String
    }

    private static func texts() throws -> [String] {
        let sample = URL(filePath: #filePath).appending(path: "../../../eval/datasets/harbor/messages.jsonl")
            .standardized
        let path = ProcessInfo.processInfo.environment["NEXUS_SPEED_TEXTS"] ?? sample.path
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").prefix(2_000)
        return try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)).text }.filter { !$0.isEmpty }
    }

    private static func seconds(_ body: () -> Void) -> Double {
        let duration = ContinuousClock().measure(body)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    @Test func encodesTexts() throws {
        let encoder = try Fixture.encoder()
        let texts = try Self.texts()
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
}
