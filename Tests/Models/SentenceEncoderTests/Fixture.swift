import Foundation
import SentenceEncoder
import Testing

/// What scripts/make-encoder-reference.py wrote, and the model in its cache folder.
enum Fixture {
    struct Reference: Decodable {
        let text: String
        let ids: [Int32]
        let vector: [Float]
    }

    struct TokenReference: Decodable {
        struct Token: Decodable {
            let piece: String
            let start: Int
            let end: Int
            let vector: [Float]
        }

        let prefix: String
        let text: String
        let tokens: [Token]
    }

    struct ScalarBlock: Decodable {
        let start: UInt32
        let sha256: String
    }

    static let modelFolder = ModelFiles.standard.modelFolder(
        in: ModelFiles.standard.defaultRoot(environment: ProcessInfo.processInfo.environment))

    static func references() throws -> [Reference] { try read("reference.json") }

    static func tokenReferences() throws -> [TokenReference] { try read("tokens.json") }

    static func scalarBlocks() throws -> [ScalarBlock] { try read("scalars.json") }

    static func tokenizer() throws -> WordPieceTokenizer {
        try requireModel()
        return try WordPieceTokenizer(vocabulary: modelFolder.appending(path: "vocab.txt"))
    }

    static func encoder(
        threadCount: Int = 2, batchTokenLimit: Int = 512, arithmetic: Arithmetic = .best
    ) throws -> TransformerEncoder {
        try requireModel()
        return try TransformerEncoder(
            .miniLM, folder: modelFolder, threadCount: threadCount, batchTokenLimit: batchTokenLimit,
            arithmetic: arithmetic)
    }

    private static func requireModel() throws {
        do { try ModelFiles.standard.verify(folder: modelFolder) } catch {
            Issue.record("The sentence model is missing or wrong (\(error)): run `make test` or scripts/fetch-model.")
            throw error
        }
    }

    private static func read<Value: Decodable>(_ name: String) throws -> Value {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
        return try JSONDecoder().decode(Value.self, from: Data(contentsOf: url))
    }
}

/// Calls a body with a new folder, and removes the folder afterwards.
func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "encoder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}
