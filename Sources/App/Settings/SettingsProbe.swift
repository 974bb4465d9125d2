import Foundation

/// Reads settings as commands do, for a test that feeds it many of them.
package enum SettingsProbe {
    /// Whether values of the command line make settings.
    package static func reads(_ values: [String: String]) async -> Bool {
        let folder = URL(filePath: "/nowhere", directoryHint: .isDirectory)
        let origins = SettingsSource.Origins(commandLine: values, environment: [:], folder: folder)
        guard let source = try? await SettingsSource(origins) else { return false }
        return (try? NexusSettings(source, folder: folder)) != nil
    }
}
