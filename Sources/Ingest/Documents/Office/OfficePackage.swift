import Archive
import Foundation

/// The XML parts of an office document, by their paths.
struct OfficePackage {
    private static let limits = {
        var limits = ArchiveLimits()
        limits.entryCount = 20_000
        limits.totalByteCount = 256 << 20
        limits.entryByteCount = 64 << 20
        limits.ratio = 1_100
        return limits
    }()
    /// The most bytes of XML that are kept.
    private static let keptByteCount = 96 << 20

    private var parts: [String: [UInt8]] = [:]

    /// Reads the parts of a zip file.
    ///
    /// - Throws: ``DocumentError``.
    init(_ file: URL) throws(DocumentError) {
        do {
            var reader = try ArchiveReader(file, limits: Self.limits)
            var byteCount = 0
            while let entry = try reader.next() {
                guard entry.path.hasSuffix(".xml") || entry.path.hasSuffix(".rels") || entry.path == "mimetype" else {
                    continue
                }
                var bytes: [UInt8] = []
                while let chunk = try reader.read() { bytes += chunk }
                byteCount += bytes.count
                guard byteCount <= Self.keptByteCount else { throw DocumentError.tooLarge }
                parts[entry.path] = bytes
            }
        } catch let error as DocumentError {
            throw error
        } catch ArchiveError.archiveTooLarge, ArchiveError.entryTooLarge, ArchiveError.ratioTooHigh,
            ArchiveError.tooManyEntries
        {
            throw .tooLarge
        } catch {
            throw .damaged
        }
    }

    subscript(path: String) -> XMLReader? { parts[path].map { XMLReader($0) } }

    /// The text of a part, if it is short; for `mimetype`.
    func word(_ path: String) -> String? {
        parts[path].flatMap { $0.count < 256 ? String(decoding: $0, as: UTF8.self) : nil }
    }

    /// A relation of a part to another one (ISO/IEC 29500-2).
    struct Relation {
        /// The last word of its type, for example `worksheet`.
        let type: String
        /// The path of the other part.
        let target: String
    }

    /// Returns the relations of a part by their ids; those to addresses outside of the document are left out.
    func relations(of path: String) throws(DocumentError) -> [String: Relation] {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let place = (folder.isEmpty ? "" : folder + "/") + "_rels/" + name + ".rels"
        guard var reader = self[place] else { return [:] }
        var relations: [String: Relation] = [:]
        while let event = try reader.next() {
            guard case .start(let tag) = event, tag.name == "Relationship", tag["TargetMode"] != "External",
                let id = tag["Id"], let target = tag["Target"]
            else { continue }
            let type = tag["Type"]?.split(separator: "/").last.map(String.init) ?? ""
            relations[id] = Relation(type: type, target: Self.resolved(target, in: folder))
        }
        return relations
    }

    /// Returns the path of the part that the document begins with; nil if it names none.
    func start() throws(DocumentError) -> String? {
        try relations(of: "").values.first { $0.type == "officeDocument" }?.target
    }

    private static func resolved(_ target: String, in folder: String) -> String {
        if target.hasPrefix("/") { return String(target.dropFirst()) }
        var steps = folder.split(separator: "/").map(String.init)
        for step in target.split(separator: "/") {
            switch step {
            case ".": continue
            case "..": if !steps.isEmpty { steps.removeLast() }
            default: steps.append(String(step))
            }
        }
        return steps.joined(separator: "/")
    }
}
