import Foundation

/// The weights of a model: one safetensors file, or several with an index that names the file of each tensor.
///
/// Names are those of the network itself: what a checkpoint of a larger model puts before all of them is left out.
struct SafetensorsFiles: Sendable {
    static let singleName = "model.safetensors"
    static let indexName = "model.safetensors.index.json"
    /// The end of a name that every such network has.
    private static let knownEnd = "embeddings.word_embeddings.weight"

    private let files: [SafetensorsFile]
    /// The place in `files` of each tensor.
    private let places: [String: Int]
    /// What the files put before the names.
    private let prefix: String

    /// The form of the index.
    private struct Index: Decodable {
        let files: [String: String]

        private enum CodingKeys: String, CodingKey { case files = "weight_map" }
    }

    /// Opens one file.
    init(file: SafetensorsFile) {
        self.init(files: [file], places: Dictionary(file.names.map { ($0, 0) }) { first, _ in first })
    }

    /// Opens the file, or all files, of a folder.
    init(folder: URL) throws(EncoderError) {
        let single = folder.appending(path: Self.singleName)
        if FileManager.default.fileExists(atPath: single.path) {
            self.init(file: try SafetensorsFile(url: single))
            return
        }
        let index = try folder.decoded(Index.self, Self.indexName, orElse: Self.missing(in: folder))
        var (files, numbers, places): ([SafetensorsFile], [String: Int], [String: Int]) = ([], [:], [:])
        for (tensor, name) in index.files.sorted(by: { $0.key < $1.key }) {
            guard name.isFileName else { throw .malformedFile(file: Self.indexName) }
            if numbers[name] == nil {
                numbers[name] = files.count
                files.append(try SafetensorsFile(url: folder.appending(path: name)))
            }
            places[tensor] = numbers[name]
        }
        self.init(files: files, places: places)
    }

    private init(files: [SafetensorsFile], places: [String: Int]) {
        (self.files, self.places) = (files, places)
        let found = places.keys.filter { $0.hasSuffix(Self.knownEnd) }.min { ($0.count, $0) < ($1.count, $1) }
        prefix = String((found ?? Self.knownEnd).dropLast(Self.knownEnd.count))
    }

    /// Whether there is a tensor of this name.
    func contains(_ name: String) -> Bool { places[prefix + name] != nil }

    /// Returns the type and the bytes of a tensor; see ``SafetensorsFile/tensor(_:shape:)``.
    func tensor(
        _ name: String, shape: [Int]
    ) throws(EncoderError) -> (elementType: String, bytes: UnsafeRawBufferPointer) {
        guard let place = places[prefix + name] else { throw .missingTensor(name: name) }
        return try files[place].tensor(prefix + name, shape: shape)
    }

    /// The error of a folder without weights.
    private static func missing(in folder: URL) -> EncoderError {
        let others = ["pytorch_model.bin", "pytorch_model.bin.index.json", "model.onnx", "onnx"]
        let other = others.first { FileManager.default.fileExists(atPath: folder.appending(path: $0).path) }
        guard let other else { return .unreadable(file: singleName) }
        return .unsupported(file: other, what: "only \(singleName) is read; save the model as safetensors")
    }
}
