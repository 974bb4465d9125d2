import Foundation
import SentenceEncoder
import Testing

/// Our side of scripts/check-encoders, which names a folder with models and texts in `NEXUS_FOLDER_PEER`.
@Suite(.tags(.performance), .enabled(if: ProcessInfo.processInfo.environment["NEXUS_FOLDER_PEER"] != nil))
struct FolderPeerTests {
    private static func lines(_ name: String, in folder: URL) throws -> [String] {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(String.self, from: Data($0.utf8))
        }
    }

    @Test func writesTokensAndVectors() throws {
        let folder = URL(filePath: try #require(ProcessInfo.processInfo.environment["NEXUS_FOLDER_PEER"]))
        let names = try JSONDecoder().decode(
            [String].self, from: Data(contentsOf: folder.appending(path: "models.json")))
        let (samples, texts) = (try Self.lines("tokens.jsonl", in: folder), try Self.lines("vectors.jsonl", in: folder))
        for name in names {
            let model = try BuiltInModel(folder: folder.appending(path: name))
            let encoder = try TransformerEncoder(model, folder: folder.appending(path: name), threadCount: 2)
            let ids = samples.map { encoder.tokenIDs(of: $0, limit: .max) }
            try ids.map { $0.map(String.init).joined(separator: " ") + "\n" }.joined()
                .write(to: folder.appending(path: "\(name).ids"), atomically: true, encoding: .utf8)
            try encoder.encode(texts).flatMap(\.self).withUnsafeBytes { Data($0) }
                .write(to: folder.appending(path: "\(name).f32"))
        }
    }
}
