import ArgumentParser
import Foundation

/// An embedding model to measure with, as an option of a command.
struct EmbeddingOption: ExpressibleByArgument {
    /// What reports call it: the model's name.
    let label: String
    /// The settings that choose it, by key.
    let settings: [String: String?]

    /// - Parameter argument: The name of a built-in model, or settings without `embedding.`, separated by commas.
    init?(argument: String) {
        guard argument.contains("=") else {
            (label, settings) = (argument, ["embedding.provider": "builtin", "embedding.model": argument])
            return
        }
        var values: [String: String?] = [:]
        for pair in argument.split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            values["embedding.\(parts[0])"] = String(parts[1])
        }
        guard let model = values["embedding.model"] ?? nil else { return nil }
        (label, settings) = (model, values)
    }

    /// Returns the path of this model's report: `report.json` becomes `report-NAME.json`.
    func path(beside path: String) -> String {
        let url = URL(filePath: path)
        let safe = String(label.map { $0.isLetter || $0.isNumber || "-._".contains($0) ? $0 : "_" })
        let name = "\(url.deletingPathExtension().lastPathComponent)-\(safe)"
        return url.deletingLastPathComponent().appending(path: "\(name).\(url.pathExtension)").path
    }
}
