/// The addresses in texts that the asker may read; an answer may repeat them unchanged.
///
/// Addresses that contain a program or a document (`javascript:`, `data:` …) are never among them.
package struct PermittedLinks: Hashable, Sendable {
    private var links: Set<String> = []

    /// Collects the addresses of texts.
    ///
    /// If an address may end before the next blank (at a quotation mark, a bracket, another script), both forms are
    /// collected.
    package init(in texts: some Sequence<String> = []) {
        for text in texts { collect(text) }
    }

    /// Whether exactly this address is one of them.
    func contains(_ link: String) -> Bool { links.contains(link) }

    private mutating func collect(_ text: String) {
        var cleaner = TextCleaner()
        var scalars: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars { cleaner.read(scalar, into: &scalars) }
        cleaner.finish(into: &scalars)
        let pieces = scalars.split { $0.isBlank || $0 == "<" || $0 == ">" || $0.isWidePunctuation }
        for piece in pieces where piece.count <= WordFilter.longestWord { collect(Array(piece)) }
    }

    private mutating func collect(_ piece: [Unicode.Scalar]) {
        let scanner = LinkScanner(piece)
        var place = 0
        // A piece with many addresses is some kind of listing; an answer need not repeat more than this many of them.
        for _ in 0..<16 {
            guard let link = scanner.link(from: place) else { return }
            insert(link.text)
            guard let cut = piece[link.start..<link.end].firstIndex(where: Self.mayEnd) else { return }
            if let shorter = LinkScanner(Array(piece[link.start..<cut])).link(from: 0), shorter.start == 0 {
                insert(shorter.text)
            }
            place = cut + 1
        }
    }

    private mutating func insert(_ link: String) {
        let plain = link.lowercased().replacing("\\", with: "")
        if !Self.dangerous.contains(where: { plain.contains($0) }) { links.insert(link) }
    }

    private static let dangerous = [
        "javascript:", "vbscript:", "livescript:", "data:", "blob:", "file:", "view-source:", "intent:", "about:",
    ]

    private static func mayEnd(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII || "\"'`|)]},;".unicodeScalars.contains(scalar)
    }
}
