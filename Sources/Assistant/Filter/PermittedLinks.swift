/// The addresses that stand in texts which the asker may read: an answer may repeat them, whole.
///
/// Addresses that hold a program or a document of their own (`javascript:`, `data:` …) are never among them.
public struct PermittedLinks: Hashable, Sendable {
    private var links: Set<String> = []

    /// Collects the addresses of texts.
    ///
    /// Where an address may end earlier than at the next blank (at a quotation mark, a bracket, another script), both
    /// forms count.
    public init(in texts: some Sequence<String> = []) {
        for text in texts { collect(text) }
    }

    /// Whether an address is one of them, to the letter.
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
        // A piece of many addresses is a listing of some kind; what it holds beyond these need not be repeated.
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
