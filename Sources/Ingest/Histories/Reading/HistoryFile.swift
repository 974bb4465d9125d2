import Foundation

/// One file of a history, which can be read more than once.
struct HistoryFile {
    let location: HistoryLocation
    let entry: HistoryEntry
    /// Of a room in an export of Synapse: its states from before gaps; nil for other files.
    var states: [HistoryEntry]?

    /// Opens it at its beginning.
    ///
    /// - Throws: ``ImportFileError``, errors of the archive.
    func open() throws -> any ByteSource {
        let source = try open(entry)
        guard let states else { return source }
        return SynapseEvents(source, states: try states.map(open))
    }

    private func open(_ entry: HistoryEntry) throws -> any ByteSource {
        guard let source = try location.open(entry) else { throw ImportFileError.unreadable(path: location.url.path) }
        return source
    }

    /// A place in it.
    func place(_ number: Int?, _ unit: HistoryPlace.Unit) -> HistoryPlace {
        HistoryPlace(entry: entry.path, number: number, unit: unit)
    }

    /// Its name, then those of the archive and the folders around it, without endings; and how many of them name the
    /// file or the archive itself.
    var names: (names: [String], fileCount: Int) {
        var names = (entry.path ?? "").split(separator: "/").map(String.init)
        let fileCount = location.form == .archive ? 2 : 1
        names.insert(location.url.lastPathComponent, at: 0)
        names.insert(location.url.deletingLastPathComponent().lastPathComponent, at: 0)
        guard location.form == .archive, let file = names.popLast() else {
            return (names.reversed().map(Self.withoutEnding), fileCount)
        }
        // The archive's name is more specific than those of the folders in it.
        let archive = names.remove(at: 1)
        return (([file, archive] + names.reversed()).map(Self.withoutEnding), fileCount)
    }

    private static func withoutEnding(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].count <= 6 else { return name }
        return String(name[..<dot])
    }
}
