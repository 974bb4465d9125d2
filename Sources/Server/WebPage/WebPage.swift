import CWebPage
import Crypto
package import Foundation

/// The files of the page that browsers show: HTML, CSS and ES modules.
package struct WebPage: Sendable {
    /// Changes with every file: 16 hexadecimal digits, or `dev` for files that are read from a folder.
    ///
    /// It is a part of each file's address, so that browsers keep files for ever and never mix two versions.
    package let identity: String
    private let files: [String: PageFile]
    /// The folder that files are read from at each request; nil for the files in the program.
    private let folder: URL?

    /// Takes the files that were compiled into the program, without comments and indentation.
    package init() {
        let contents = Self.compiled
        var hash = SHA256()
        for (name, content) in contents.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Data("\(name)\0\(content.count)\0".utf8))
            hash.update(data: content)
        }
        let identity = hash.finalize().shortText
        let names = Array(contents.keys)
        self.identity = identity
        folder = nil
        files = contents.reduce(into: [:]) { files, entry in
            let content = entry.key == Self.start ? Self.placed(entry.value, names, under: identity) : entry.value
            files[entry.key] = PageFile(name: entry.key, content: content)
        }
    }

    /// Reads the files from a folder at each request, for work on the page.
    ///
    /// - Parameter folder: A folder with `index.html`.
    package init(folder: URL) {
        identity = "dev"
        files = [:]
        self.folder = folder
    }

    /// The name of the file that `/` shows.
    package static let start = "index.html"
    /// The name of the service worker, which needs an address outside of all folders.
    package static let serviceWorker = "service-worker.js"

    /// Whether files never change under their names.
    package var isImmutable: Bool { folder == nil }

    /// The bytes of all files as they are sent to browsers, compressed with gzip.
    package var compressedByteCount: Int { files.values.reduce(0) { $0 + ($1.compressed ?? $1.content).count } }

    /// The names of the files in the program, sorted.
    package var names: [String] { files.keys.sorted() }

    /// Returns a file.
    ///
    /// - Parameter name: A path such as `lib/dom.js`.
    /// - Returns: The file; nil if there is none of this name.
    package func file(_ name: String) -> PageFile? {
        guard let folder else { return files[name] }
        let isPlain = name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.first != "."
        }
        guard isPlain, let content = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
        guard name == Self.start else { return PageFile(name: name, content: content) }
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return PageFile(name: name, content: Self.placed(content, names, under: identity))
    }

    /// Replaces the names of other files in the attributes of a document by their addresses.
    private static func placed(_ document: Data, _ names: [String], under identity: String) -> Data {
        var text = String(decoding: document, as: UTF8.self)
        for name in names { text = text.replacing("=\"\(name)\"", with: "=\"/page/\(identity)/\(name)\"") }
        return Data(text.utf8)
    }

    private static var compiled: [String: Data] {
        (0..<web_page_file_count()).reduce(into: [:]) { contents, place in
            let file = web_page_file_at(place)
            let name = String(cString: file.name)
            contents[name] = SourceText.compacted(Data(bytes: file.bytes, count: file.count), name: name)
        }
    }
}
