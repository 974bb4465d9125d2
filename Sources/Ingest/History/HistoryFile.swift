import Foundation

/// One file of a history, which can be read more than once.
struct HistoryFile {
    let location: HistoryLocation
    let entry: HistoryEntry

    /// Opens it at its beginning.
    ///
    /// - Throws: ``ImportFileError``, errors of the archive.
    func open() throws -> any ByteSource {
        guard let walk = try location.open(entry) else { throw ImportFileError.unreadable(path: location.url.path) }
        return walk
    }

    /// A place in it.
    func place(_ number: Int?, _ unit: HistoryPlace.Unit) -> HistoryPlace {
        HistoryPlace(entry: entry.path, number: number, unit: unit)
    }

    /// Its name, or that of the folder that holds it where the name says nothing.
    func title(unless isEmptyName: (String) -> Bool) -> String {
        var names = (entry.path ?? "").split(separator: "/").map(String.init)
        if entry.path == nil || location.form == .archive {
            names.insert(location.url.lastPathComponent, at: 0)
        }
        names.insert(location.url.deletingLastPathComponent().lastPathComponent, at: 0)
        if location.form == .folder { names.insert(location.url.lastPathComponent, at: 1) }
        return names.reversed().map(Self.withoutEnding).first { !isEmptyName($0) } ?? ""
    }

    private static func withoutEnding(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].count <= 6 else { return name }
        return String(name[..<dot])
    }
}
