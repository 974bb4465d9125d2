import ChatCore
import Foundation

/// Reads mails (RFC 5322) with what they quote and what came with them.
///
/// Each part of the document is what one person wrote: the mail, an earlier mail that it quotes, a mail that is attached,
/// or a part of an attached file. So nobody takes an old sentence for a new one.
struct MailDocument {
    /// Parts within parts, and mails within mails.
    private static let depthLimit = 16
    /// Parts of the document, and files that are read.
    private static let (sectionLimit, fileLimit) = (500, 50)
    /// After this time no further file is begun.
    private static let timeLimit = Duration.seconds(30)
    private static let signatures: Set<String> = [
        "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature",
    ]

    /// What was found in a mail.
    private struct Content {
        var lines: [MailLine] = []
        var files: [MailPart] = []
        var mails: [MailPart] = []

        mutating func add(_ other: Content) {
            lines += other.lines
            files += other.files
            mails += other.mails
        }

        /// How much text it has; addresses of pages do not count.
        var letterCount: Int {
            lines.reduce(0) { sum, line in
                line.text.split(whereSeparator: \.isWhitespace).reduce(sum) { sum, word in
                    word.contains("://") ? sum : sum + word.count { $0.isLetter || $0.isNumber }
                }
            }
        }
    }

    private let readFile: (URL) async throws -> DocumentText
    private let folder: URL
    private let start = ContinuousClock.now
    private var document = DocumentText(unit: .part, parts: [])
    private var fileCount = 0

    /// - Parameters:
    ///   - folder: Attached files are written here while they are read.
    ///   - readFile: Reads an attached file.
    init(folder: URL, readFile: @escaping (URL) async throws -> DocumentText) {
        self.folder = folder
        self.readFile = readFile
    }

    /// Returns the words of a mail, or of the mails of a mailbox.
    ///
    /// - Throws: ``DocumentError/protected`` if a mail is encrypted and nothing else is here.
    mutating func text(of bytes: ArraySlice<UInt8>) async throws -> DocumentText {
        let mails = Mailbox.mails(in: bytes).map { MailPart($0) }
        if mails.count == 1, mails.contains(where: Self.isEncrypted) { throw DocumentError.protected }
        for mail in mails { await add(mail, depth: 0) }
        return document
    }

    private mutating func add(_ mail: MailPart, depth: Int) async {
        let content = content(of: mail, depth: 0)
        let subject = mail.header.text("subject")
        let names = content.files.map { $0.fileName ?? $0.type }
        var files: [(name: String, text: DocumentText?)] = []
        for (name, file) in zip(names, content.files) { files.append((name, await text(of: file, depth: depth))) }

        var sections = MailSections(content.lines, label: subject ?? "mail").sections
        sections[0].lines.insert(contentsOf: Self.head(of: mail, subject: subject, files), at: 0)
        for section in sections { add(section.lines, label: section.label) }
        for (name, text) in files { text.map { add($0, of: name) } }
        for attached in content.mails {
            guard depth < Self.depthLimit else {
                document.isCut = true
                return
            }
            await add(attached, depth: depth + 1)
        }
    }

    private static func head(
        of mail: MailPart, subject: String?, _ files: [(name: String, text: DocumentText?)]
    ) -> [String] {
        var lines = subject.map { ["Subject: \($0)"] } ?? []
        for name in ["From", "To", "Cc", "Date"] {
            if let value = mail.header.text(name.lowercased()) { lines.append("\(name): \(value)") }
        }
        let names = files.map { $0.text == nil ? "\($0.name) (not read)" : $0.name }
        if !names.isEmpty { lines.append("Attachments (\(names.count)): \(names.joined(separator: ", "))") }
        return lines
    }

    private mutating func add(_ lines: [String], label: String) {
        var collector = TextCollector()
        for line in lines {
            collector.append(line)
            collector.endLine()
        }
        let text = collector.text.trimmingSpace
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return }
        append(.init(label: label, text: text))
    }

    private mutating func append(_ part: DocumentText.Part) {
        if document.parts.count < Self.sectionLimit { document.parts.append(part) } else { document.isCut = true }
    }

    // MARK: - Files

    /// Returns the words of an attached file; nil if it cannot be read.
    private mutating func text(of file: MailPart, depth: Int) async -> DocumentText? {
        guard !Self.isEncrypted(file) else { return nil }
        guard fileCount < Self.fileLimit, ContinuousClock.now - start < Self.timeLimit else {
            document.isCut = true
            return nil
        }
        fileCount += 1
        let bytes = file.content
        let type = MediaType(beginning: bytes)
        if file.type == "text/html" || type == .html {
            let (text, isCut) = HTMLText.text(of: bytes, charset: file.parameters["charset"])
            document.isCut = document.isCut || isCut
            return DocumentText(parts: [.init(text: text)])
        }
        if type == nil { return plainText(of: file, bytes) }
        let url = folder.appending(path: "attachment-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        guard (try? Data(bytes).write(to: url)) != nil else { return nil }
        return try? await readFile(url)
    }

    private func plainText(of file: MailPart, _ bytes: ArraySlice<UInt8>) -> DocumentText? {
        var check = PlainTextCheck()
        check.take(bytes)
        let isText = check.isText && (file.type.hasPrefix("application/") || file.type.hasPrefix("message/"))
        guard isText || file.type.hasPrefix("text/") else { return nil }
        var collector = TextCollector()
        let text = TextCharset.decoded(bytes, named: file.parameters["charset"])
        for line in text.split(whereSeparator: \.isNewline) {
            collector.append(String(line))
            collector.endLine()
        }
        return DocumentText(parts: [.init(text: collector.text.trimmingSpace)])
    }

    /// Adds the parts of an attached file under its name.
    private mutating func add(_ text: DocumentText, of name: String) {
        if text.isRecognized { document.isRecognized = true }
        if text.isCut { document.isCut = true }
        for (place, part) in text.parts.enumerated() where !part.text.isEmpty {
            let label =
                switch text.unit {
                case nil: name
                case .page, .sheet, .slide: "\(name), \(text.unit?.rawValue ?? "") \(part.label ?? "\(place + 1)")"
                case .part: "\(name), \(part.label ?? "\(place + 1)")"
                }
            append(.init(label: MailSections.label(label), text: part.text))
        }
    }

    // MARK: - Parts

    /// Whether a part can be read with a key only.
    private static func isEncrypted(_ part: MailPart) -> Bool {
        if part.type == "multipart/encrypted" { return true }
        guard ["application/pkcs7-mime", "application/x-pkcs7-mime"].contains(part.type) else { return false }
        return part.parameters["smime-type"]?.lowercased() != "signed-data"
    }

    private mutating func content(of part: MailPart, depth: Int) -> Content {
        guard depth < Self.depthLimit else {
            document.isCut = true
            return Content()
        }
        var content = Content()
        let isFile = part.disposition == "attachment" || part.fileName != nil
        switch part.type {
        case "message/rfc822", "message/global": content.mails = [MailPart(part.content)]
        case "multipart/alternative": content = alternative(part, depth: depth)
        case _ where part.type.hasPrefix("multipart/") && !Self.isEncrypted(part):
            let parts = part.parts
            // Without its boundary it is text.
            if parts.isEmpty {
                content.lines = MailLines(form: .plain).lines(of: TextCharset.decoded(part.content, named: nil))
            }
            for inner in parts where !Self.signatures.contains(inner.type) {
                if part.type == "multipart/related", Self.isPictureOfPage(inner) { continue }
                content.add(self.content(of: inner, depth: depth + 1))
            }
        case "text/html" where !isFile: content.lines = htmlLines(of: part)
        case "text/calendar" where !isFile, "text/css" where !isFile: break
        case _ where part.type.hasPrefix("text/") && !isFile, "message/delivery-status":
            content.lines = Self.plainLines(of: part)
        default: content.files = [part]
        }
        return content
    }

    /// Takes the form with the most text: the plain one may only say that there is another.
    private mutating func alternative(_ part: MailPart, depth: Int) -> Content {
        var (content, letterCount) = (Content(), -1)
        for inner in part.parts {
            let form = self.content(of: inner, depth: depth + 1)
            content.files += form.files
            content.mails += form.mails
            let count = form.letterCount
            if count > letterCount { (content.lines, letterCount) = (form.lines, count) }
        }
        return content
    }

    /// Pictures that an HTML text shows are no attached files.
    private static func isPictureOfPage(_ part: MailPart) -> Bool {
        part.type.hasPrefix("image/") && part.disposition != "attachment" && part.header.bytes("content-id") != nil
    }

    private mutating func htmlLines(of part: MailPart) -> [MailLine] {
        let (text, isCut) = HTMLText.text(
            of: part.content, charset: part.parameters["charset"], marksQuotations: true)
        if isCut { document.isCut = true }
        return MailLines(form: .whole).lines(of: text)
    }

    private static func plainLines(of part: MailPart) -> [MailLine] {
        let isFlowed = part.parameters["format"]?.lowercased() == "flowed"
        let keepsSpace = part.parameters["delsp"]?.lowercased() != "yes"
        let lines = MailLines(form: isFlowed ? .flowed(keepsSpace: keepsSpace) : .plain)
        return lines.lines(of: TextCharset.decoded(part.content, named: part.parameters["charset"]))
    }
}

/// A file with several mails, each after a line that begins with `From ` (RFC 4155).
private enum Mailbox {
    static func mails(in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let mark = Array("From ".utf8)
        guard bytes.starts(with: mark) else { return [bytes] }
        var (mails, start): ([ArraySlice<UInt8>], Int) = ([], bytes.startIndex)
        var (line, isAfterEmpty) = (bytes.startIndex, false)
        while line < bytes.endIndex {
            let end = bytes[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
            if isAfterEmpty, bytes[line..<end].starts(with: mark), isField(bytes[end...]) {
                mails.append(bytes[start..<line])
                start = line
            }
            isAfterEmpty = bytes[line..<end].allSatisfy { $0 == 0x0D || $0 == 0x0A }
            line = end
        }
        return mails + [bytes[start...]]
    }

    private static func isField(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = bytes.prefix(80).prefix { $0 > 0x20 && $0 != UInt8(ascii: ":") }
        return !name.isEmpty && bytes[name.endIndex...].first == UInt8(ascii: ":")
    }
}
