import Glibc

/// Turns bytes of a named set of characters into text.
enum TextCharset {
    /// Names as senders and browsers understand them (WHATWG Encoding), where the library's own meaning is narrower.
    private static let meanings: [String: String] = [
        "gb2312": "GB18030", "gbk": "GB18030", "x-gbk": "GB18030", "gb_2312-80": "GB18030", "shift_jis": "CP932",
        "shift-jis": "CP932", "x-sjis": "CP932", "sjis": "CP932", "windows-31j": "CP932", "euc-kr": "CP949",
        "ks_c_5601-1987": "CP949", "ksc5601": "CP949", "windows-949": "CP949", "big5": "BIG5-HKSCS",
        "iso-8859-9": "CP1254", "tis-620": "CP874", "iso-8859-11": "CP874", "windows-874": "CP874",
        "iso-8859-8-i": "ISO-8859-8", "x-mac-roman": "MACINTOSH", "utf-16": "UTF-16LE", "unicode": "UTF-16LE",
    ]
    private static let western: Set<String> = [
        "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "windows-1252", "cp1252", "x-cp1252",
    ]

    /// Returns bytes as text.
    ///
    /// A mark at their beginning counts more than the name. Bytes without a name, of ASCII or of an unknown set are UTF-8,
    /// or else Windows-1252, as senders mean them most often. Wrong bytes become U+FFFD.
    static func decoded(_ bytes: ArraySlice<UInt8>, named name: String?) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) { return wide(bytes.dropFirst(2), isLittle: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return wide(bytes.dropFirst(2), isLittle: false) }
        let name = (name ?? "").lowercased().trimmingSpace
        if western.contains(name) { return Windows1252.decoded(bytes) }
        switch name {
        case "utf-8", "utf8", "unicode-1-1-utf-8": return String(decoding: bytes, as: UTF8.self)
        case "", "us-ascii", "ascii", "ansi_x3.4-1968": return unnamed(bytes)
        default: return converted(bytes, from: meanings[name] ?? name) ?? unnamed(bytes)
        }
    }

    private static func unnamed(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? Windows1252.decoded(bytes)
    }

    private static func wide(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> String {
        let start = bytes.startIndex
        let units = (0..<bytes.count / 2).map { place in
            let (first, second) = (UInt16(bytes[start + 2 * place]), UInt16(bytes[start + 2 * place + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Converts with the C library; nil if it does not know the set.
    private static func converted(_ bytes: ArraySlice<UInt8>, from name: String) -> String? {
        // The library would take a slash for an option.
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_.:".utf8.contains(byte)
        }
        guard isName, !name.isEmpty, name.utf8.count <= 40 else { return nil }
        let conversion = iconv_open("UTF-8", name)
        guard conversion != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(conversion) }
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var source = Array(bytes)
        source.withUnsafeMutableBufferPointer { source in
            var next = UnsafeMutableRawPointer(source.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var left = source.count
            while left > 0 {
                let (status, problem, count) = piece.withUnsafeMutableBufferPointer { piece in
                    var (end, room) = (
                        UnsafeMutableRawPointer(piece.baseAddress)?.assumingMemoryBound(to: CChar.self), piece.count
                    )
                    let status = iconv(conversion, &next, &left, &end, &room)
                    return (status, errno, piece.count - room)
                }
                result += piece[..<count]
                guard status == .max, problem != E2BIG else { continue }
                result += Array("\u{FFFD}".utf8)
                // Cut off at the end, or a wrong byte.
                guard problem == EILSEQ, left > 0 else { break }
                next = next?.advanced(by: 1)
                left -= 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// The set of characters that many texts mean by "Latin 1" (WHATWG Encoding).
enum Windows1252 {
    /// The characters of 0x80 to 0x9F.
    private static let own: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
        0x9D,
        0x017E, 0x0178,
    ]

    static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(own[Int(byte) - 0x80]) ?? Unicode.Scalar(byte)
    }

    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: bytes.lazy.map(scalar))
        return String(text)
    }
}
