import ChatCore
import Foundation
import ModelClients
import SentenceEncoder

/// Why there is no model of a name for the built-in encoder.
struct UnknownModelError: Error {
    let reason: String
}

extension BuiltInModel {
    /// Returns the model of a name: one whose files are pinned, or that of a folder of this name in the folder of models.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - root: The folder of models; nil for the usual one.
    /// - Returns: The model; its weights are not read.
    /// - Throws: ``UnknownModelError``.
    static func named(_ name: String, in root: URL?) throws(UnknownModelError) -> BuiltInModel {
        if let model = pinned(named: name) { return model }
        let names = pinned.map(\.name).joined(separator: " nor ")
        guard name.isFileName else {
            throw UnknownModelError(reason: "\(name) is neither \(names), nor the name of a folder")
        }
        let files = ModelFiles(folderName: name, files: [])
        let folder = files.modelFolder(in: root ?? files.defaultRoot(environment: ProcessInfo.processInfo.environment))
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw UnknownModelError(reason: "\(name) is neither \(names), and there is no folder \(folder.path)")
        }
        do throws(EncoderError) {
            var model = try BuiltInModel(folder: folder)
            // As for a service: the prefixes of models that people use are known by their names.
            if !model.statesPrefixes, let preset = EmbeddingPreset.of(model: name) {
                (model.queryPrefix, model.passagePrefix) = (preset.queryPrefix, preset.passagePrefix)
            }
            return model
        } catch {
            throw UnknownModelError(reason: "the model in \(folder.path) cannot be used: \(error.explanation)")
        }
    }
}

extension NexusSettings {
    /// Returns the built-in encoder's model of a name.
    func builtInModel(named name: String) throws(ModelServiceError) -> BuiltInModel {
        if name == embedding.builtInModel.name { return embedding.builtInModel }
        do throws(UnknownModelError) {
            return try BuiltInModel.named(name, in: modelFolder)
        } catch {
            throw .misconfigured(reason: error.reason)
        }
    }
}
