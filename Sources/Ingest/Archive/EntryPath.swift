/// An entry's path, checked and in one form.
enum EntryPath {
    /// Returns the path for an entry's name.
    ///
    /// A name that is not UTF-8 is read as code page 437, as the zip specification requires: names written by Windows
    /// are correct for most letters of western Europe, and no two names become the same.
    ///
    /// - Parameters:
    ///   - name: The bytes of the name.
    ///   - limit: The longest path in bytes.
    /// - Returns: The path in the form of ``ArchiveEntry/path``.
    /// - Throws: The reason for skipping the entry.
    static func checked(_ name: UnsafeBufferPointer<UInt8>, limit: Int) throws(SkippedEntry.Reason) -> String {
        guard name.count <= limit else { throw .longPath }
        guard !name.isEmpty else { throw .unreadablePath }
        let text = String(validating: name, as: UTF8.self) ?? CodePage437.text(of: name)
        guard text.unicodeScalars.allSatisfy({ isPlain($0) }), !text.hasPrefix("/"), !hasDrive(text) else {
            throw .unsafePath
        }
        let parts = text.split(separator: "/").filter { $0 != "." }
        guard !parts.contains("..") else { throw .unsafePath }
        guard !parts.isEmpty else { throw .unreadablePath }
        return parts.joined(separator: "/")
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\\" && scalar.properties.generalCategory != .control
    }

    /// Whether it begins with a drive's letter, as in "C:".
    private static func hasDrive(_ text: String) -> Bool {
        let start = text.utf8.prefix(2)
        guard start.count == 2, start.last == UInt8(ascii: ":"), let letter = text.first else { return false }
        return letter.isASCII && letter.isLetter
    }
}

extension SkippedEntry.Reason: Error {}

/// The character set of names in zips that do not say that they are in UTF-8.
enum CodePage437 {
    /// The characters of the bytes from 0x80 on.
    private static let upperHalf = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
        αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """.unicodeScalars)

    /// Returns the text of bytes.
    static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80])
        }
        return String(text)
    }
}
