/// The second step of the filter: removes HTML, and the angle brackets around an address.
///
/// Tags named after HTML elements, tags with an attribute value, comments and declarations are removed, even if a
/// source contains them. `<Int>` stays because programs do not interpret it. A possible start of a tag without an end
/// on its line gets a blank after its `<`, so it is not a tag. A removed tag is replaced by a blank, so that the text
/// around it does not join. The filter holds back at most one tag of ``longestTag`` scalars.
struct MarkupFilter: Sendable {
    private static let longestTag = 512

    private(set) var hasRemoved = false

    private var tag: [Unicode.Scalar] = []
    private var last: Unicode.Scalar?

    /// Reads one scalar, and appends final text to `output`.
    mutating func read(_ scalar: Unicode.Scalar, into output: inout [Unicode.Scalar]) {
        switch tag.count {
        case 0:
            if scalar == "<" { tag = [scalar] } else { give(scalar, &output) }
        case 1 where !Self.opens(scalar):
            tag = []
            give("<", &output)
            read(scalar, into: &output)
        default:
            if scalar == ">" {
                close(&output)
            } else if scalar == "<" || scalar.isLineEnd || tag.count >= Self.longestTag {
                abandon(&output)
                read(scalar, into: &output)
            } else {
                tag.append(scalar)
            }
        }
    }

    mutating func finish(into output: inout [Unicode.Scalar]) { abandon(&output) }

    private static func opens(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isLatinLetter || scalar == "/" || scalar == "!" || scalar == "?"
    }

    private mutating func give(_ scalar: Unicode.Scalar, _ output: inout [Unicode.Scalar]) {
        output.append(scalar)
        last = scalar
    }

    private mutating func abandon(_ output: inout [Unicode.Scalar]) {
        let held = tag
        tag = []
        for (place, scalar) in held.enumerated() {
            give(scalar, &output)
            if place == 0, held.count > 1 { give(" ", &output) }
        }
    }

    private mutating func close(_ output: inout [Unicode.Scalar]) {
        let content = tag.dropFirst()
        tag = []
        if Self.isAddress(content) {
            separate(&output)
            for scalar in content { give(scalar, &output) }
        } else if Self.isMarkup(content) {
            hasRemoved = true
            separate(&output)
        } else {
            for scalar in ["<"] + content + [">"] { give(scalar, &output) }
        }
    }

    private mutating func separate(_ output: inout [Unicode.Scalar]) {
        if let last, !last.isBlank { give(" ", &output) }
    }

    private static func isAddress(_ content: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = content.first, first.isLatinLetter, !content.contains(where: \.isBlank) else { return false }
        return elementName(content) == nil && content.contains { $0 == ":" || $0 == "@" || $0 == "." }
    }

    private static func isMarkup(_ content: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = content.first, first != "!", first != "?" else { return true }
        return elementName(content) != nil || content.contains("=")
    }

    /// The name of the HTML element that the tag opens or closes; nil for an unknown name.
    private static func elementName(_ content: ArraySlice<Unicode.Scalar>) -> String? {
        let body = content.first == "/" ? content.dropFirst() : content
        let name = body.prefix { $0.isLatinLetter || $0.isDecimalDigit || $0 == "-" }
        if let next = body.dropFirst(name.count).first, !next.isBlank, next != "/" { return nil }
        let text = String(String.UnicodeScalarView(name)).lowercased()
        return elements.contains(text) || text.contains("-") ? text : nil
    }

    private static let elements = Set(
        """
        a abbr acronym address animate applet area article aside audio b base basefont bdi bdo bgsound big blink \
        blockquote body br button canvas caption center cite code col colgroup command content data datalist dd del \
        details dfn dialog dir div dl dt element em embed fencedframe fieldset figcaption figure font footer \
        foreignobject form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins \
        isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter multicol \
        nav nextid nobr noembed noframes noscript object ol optgroup option output p param path picture plaintext \
        portal pre progress q rb rp rt rtc ruby s samp script search section select set shadow slot small source \
        spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title \
        tr track tt u ul use var video wbr xml xmp
        """.split(separator: " ").map(String.init))
}
