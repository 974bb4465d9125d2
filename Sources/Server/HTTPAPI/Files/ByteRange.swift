/// The part of a file that the field `Range` asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
    /// The whole file: there is no range, or one that is not understood, or several.
    case whole
    /// These bytes, at least one.
    case part(Range<Int>)
    /// The file has none of these bytes.
    case unsatisfiable

    init(_ field: String?, of byteCount: Int) {
        guard let field, field.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let parts = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { part in
            part.filter { $0 != " " && $0 != "\t" }
        }
        guard parts.count == 2, parts.contains(where: { !$0.isEmpty }) else {
            self = .whole
            return
        }
        let ends = parts.map { Self.number($0) }
        switch (parts[0].isEmpty, ends[0], ends[1]) {
        case (true, _, let count?):
            // The last bytes.
            self = count == 0 || byteCount == 0 ? .unsatisfiable : .part(max(0, byteCount - count)..<byteCount)
        case (false, let first?, _) where parts[1].isEmpty:
            self = first < byteCount ? .part(first..<byteCount) : .unsatisfiable
        case (false, let first?, let last?) where first <= last:
            self = first < byteCount ? .part(first..<min(last, byteCount - 1) + 1) : .unsatisfiable
        default: self = .whole
        }
    }

    /// Returns a number of digits; one that is too large is as good as the largest.
    private static func number(_ digits: String) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(digits) ?? .max
    }
}

/// Entity tags in requests (RFC 9110, section 8.8.3).
enum EntityTag {
    /// Whether the values of `If-None-Match` hold a tag, or `*`.
    static func list(_ values: [String], holds tag: String) -> Bool {
        values.flatMap { $0.split(separator: ",") }.contains { part in
            var part = part.drop { $0 == " " || $0 == "\t" }
            while let last = part.last, last == " " || last == "\t" { part = part.dropLast() }
            if part.hasPrefix("W/") { part = part.dropFirst(2) }
            return part == "*" || part == tag
        }
    }
}
