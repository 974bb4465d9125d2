import Glibc

/// A separate folder for one test, removed together with the value.
package final class SnapshotFolder {
    package let path: String

    /// Makes the folder.
    package init() throws {
        var template = Array("/tmp/nexus-snapshot-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FolderError.notMade }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in names() { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// Where a file of this name lies.
    package func file(_ name: String = "index") -> String { path + "/" + name }

    /// The names of all files.
    package func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
                start.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The bytes of a file.
    package func read(_ name: String = "index") throws -> [UInt8] {
        guard let stream = fopen(file(name), "r") else { throw FolderError.notRead }
        defer { fclose(stream) }
        var status = stat()
        guard fstat(fileno(stream), &status) == 0 else { throw FolderError.notRead }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard fread(&bytes, 1, bytes.count, stream) == bytes.count else { throw FolderError.notRead }
        return bytes
    }

    /// Replaces a file with one of these bytes; readers that have the old one open keep it.
    package func write(_ bytes: some Sequence<UInt8>, _ name: String = "index") throws {
        unlink(file(name))
        guard let stream = fopen(file(name), "w") else { throw FolderError.notMade }
        defer { fclose(stream) }
        let bytes = Array(bytes)
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw FolderError.notMade }
    }

    package enum FolderError: Error { case notMade, notRead }
}
