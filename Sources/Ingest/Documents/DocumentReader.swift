import ChatCore
package import Foundation
import Subprocess
import SystemPackage

/// Reads the text of a document in this process: for the process that ``DocumentProcess`` starts.
package enum DocumentReader {
    /// The most bytes that `pdftotext` may print.
    private static let printedByteCount = 256 << 20
    /// The most bytes of a mail or an HTML page.
    private static let textByteCount = 96 << 20
    /// Files that are mails may be attached to mails that are files, this often.
    private static let mailDepth = 4

    /// Where programs are looked for.
    static let programPath = "/usr/local/bin:/usr/bin:/bin"

    /// Whether a program is installed: `pdftotext` for PDF files, `tesseract` for pictures.
    package static func has(_ program: String) -> Bool {
        programPath.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - file: The file; its format is found from its bytes.
    ///   - readsPictures: Whether pictures are read, and pages that are pictures.
    /// - Returns: Its words.
    /// - Throws: ``DocumentError``.
    package static func text(of file: URL, readsPictures: Bool = false) async throws -> DocumentText {
        try await text(of: file, readsPictures: readsPictures, depth: 0)
    }

    /// Reads a document; `depth` says how many mails it is attached to, one within the other.
    private static func text(of file: URL, readsPictures: Bool, depth: Int) async throws -> DocumentText {
        let beginning = try beginning(of: file)
        switch MediaType(beginning: beginning) {
        case .pdf: return try await pdfText(of: file, readsPictures: readsPictures)
        case .html:
            let (text, isCut) = HTMLText.text(of: try bytes(of: file))
            var document = DocumentText(parts: [.init(text: text)])
            document.isCut = isCut
            return document
        case .mail:
            guard depth < mailDepth else { throw DocumentError.tooLarge }
            var mail = MailDocument(folder: file.deletingLastPathComponent()) { file in
                try await text(of: file, readsPictures: readsPictures, depth: depth + 1)
            }
            return try await mail.text(of: try bytes(of: file))
        case .zip: return try officeText(of: file)
        case .png, .jpeg, .webp: return try await pictureText(of: file, readsPictures: readsPictures)
        // Office documents with a password are in a container of the older format (MS-CFB).
        case nil where beginning.starts(with: [0xD0, 0xCF, 0x11, 0xE0]): throw DocumentError.protected
        default: throw DocumentError.unknownFormat
        }
    }

    private static func bytes(of file: URL) throws -> ArraySlice<UInt8> {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        let bytes = Array(try handle.read(upToCount: textByteCount + 1) ?? Data())
        guard bytes.count <= textByteCount else { throw DocumentError.tooLarge }
        return bytes[...]
    }

    private static func beginning(of file: URL) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        return Array(try handle.read(upToCount: MediaType.beginningByteCount) ?? Data())
    }

    private static func officeText(of file: URL) throws(DocumentError) -> DocumentText {
        let package = try OfficePackage(file)
        if package.word("mimetype")?.hasPrefix("application/vnd.oasis.opendocument.") == true {
            return try OpenDocument(package).text()
        }
        guard let start = try package.start() else { throw .unknownFormat }
        switch start.split(separator: "/").first {
        case "word": return try WordDocument(package, path: start).text()
        case "xl": return try Spreadsheet(package, path: start).text()
        case "ppt": return try Presentation(package, path: start).text()
        default: throw .unknownFormat
        }
    }

    private static func pdfText(of file: URL, readsPictures: Bool) async throws -> DocumentText {
        let pdf = try PDFText(layout: try await printed(["-bbox-layout"], of: file))
        let plain = pdf.needsPlainForm ? String(decoding: try await printed([], of: file), as: UTF8.self) : nil
        var document = pdf.text(plain: plain)
        if readsPictures, let reader = await PictureReader() {
            let (isFilled, isWhole) = try await reader.fill(&document, from: file)
            (document.isRecognized, document.isCut) = (isFilled, !isWhole)
        }
        return document
    }

    private static func pictureText(of file: URL, readsPictures: Bool) async throws -> DocumentText {
        guard readsPictures, let reader = await PictureReader() else { throw DocumentError.unknownFormat }
        var document = DocumentText(parts: [.init(text: try await reader.text(of: file))])
        document.isRecognized = true
        return document
    }

    /// Returns what `pdftotext` prints.
    private static func printed(_ form: [String], of file: URL) async throws -> [UInt8] {
        let result = try await run(
            .name("pdftotext"), arguments: Arguments(form + ["-enc", "UTF-8", "-nodiag", file.path, "-"]),
            output: .bytes(limit: printedByteCount), error: .string(limit: 1 << 20))
        if result.terminationStatus.isSuccess { return result.standardOutput }
        throw result.standardError.contains("Incorrect password") ? DocumentError.protected : DocumentError.damaged
    }
}
