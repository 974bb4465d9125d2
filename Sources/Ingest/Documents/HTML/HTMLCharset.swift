/// Finds the set of characters that an HTML document names (WHATWG HTML, 13.2.3.2).
enum HTMLCharset {
    /// The part of a document in which it may name its set.
    private static let byteCount = 4_096

    /// Returns the name in the document's `<meta>` or XML declaration; nil without one.
    static func declared(in bytes: ArraySlice<UInt8>) -> String? {
        let beginning = bytes.prefix(byteCount)
        if beginning.starts(with: "<?xml".utf8) {
            let declaration = String(decoding: beginning.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
            if let name = name(in: declaration, after: "encoding") { return name }
        }
        var tokens = HTMLTokenizer(beginning)
        while let token = tokens.next() {
            guard case .start(let tag) = token else { continue }
            if ["script", "style", "title"].contains(tag.name) { _ = tokens.content(of: tag.name) }
            guard tag.name == "meta" else { continue }
            let declared =
                tag.value(of: "charset") ?? tag.value(of: "content").flatMap { name(in: $0, after: "charset") }
            guard let declared else { continue }
            // The declaration could be read, so its signs have one byte each.
            return declared.lowercased().hasPrefix("utf-16") ? "utf-8" : declared
        }
        return nil
    }

    /// Returns the word behind `charset=`, in quotation marks or not.
    private static func name(in text: String, after key: String) -> String? {
        let text = text.lowercased()
        guard let start = text.firstRange(of: key)?.upperBound else { return nil }
        let rest = text[start...].drop(while: \.isWhitespace)
        guard rest.first == "=" else { return nil }
        let word = rest.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
            .prefix { !$0.isWhitespace && !";\"'".contains($0) }
        return word.isEmpty ? nil : String(word)
    }
}
