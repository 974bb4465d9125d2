/// Cleans the names of files that people send.
public enum FileName {
    /// The name of a file without a usable name.
    public static let standard = "file"
    /// The most bytes of a name, as in common file systems.
    public static let byteLimit = 255
    /// The longest ending that is kept when a name is cut, in bytes.
    private static let endingByteLimit = 16

    /// Returns a name that can be shown and saved anywhere.
    ///
    /// Folders before the name, control characters and characters that change the direction of text are removed, so
    /// that `..` leads nowhere and `gpj.exe` cannot look like `exe.jpg`. A long name is cut before its ending.
    ///
    /// - Parameter given: The name as it was sent.
    /// - Returns: A name of at most ``byteLimit`` bytes that is not empty.
    public static func cleaned(_ given: String?) -> String {
        guard let given else { return standard }
        var kept = String.UnicodeScalarView()
        if let last = given.unicodeScalars.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last {
            for scalar in last where isKept(scalar) { kept.append(scalar) }
        }
        let name = String(kept).trimmingWhitespace()
        guard name.contains(where: { $0 != "." && !$0.isWhitespace }) else { return standard }
        return cut(name)
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        default: break
        }
        switch scalar.value {
        // Marks, embeddings, overrides and isolates of the bidirectional algorithm; spaces of no width.
        case 0x061C, 0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: return false
        default: return true
        }
    }

    private static func cut(_ name: String) -> String {
        guard name.utf8.count > byteLimit || !TextLimit.name.admits(name) else { return name }
        var ending = ""
        if let dot = name.lastIndex(of: "."), name[dot...].utf8.count <= endingByteLimit {
            ending = String(name[dot...])
        }
        return String(name.prefix(utf8Count: byteLimit - ending.utf8.count)).trimmingWhitespace() + ending
    }
}
