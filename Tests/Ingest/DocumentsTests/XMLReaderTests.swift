import Documents
import Testing

@Suite struct XMLReaderTests {
    /// Reads a text and writes down what comes.
    private func read(_ text: String) throws(DocumentError) -> [String] {
        var reader = XMLReader(Array(text.utf8))
        var found: [String] = []
        while let event = try reader.next() {
            switch event {
            case .start(let tag): found.append("<\(tag.name)>")
            case .end(let name): found.append("</\(name)>")
            case .text(let text): found.append(text)
            }
        }
        return found
    }

    @Test func namesAreLocalAndEmptyElementsEnd() throws {
        #expect(try read("<w:p a='1>2'><w:br/>x</w:p>") == ["<p>", "<br>", "</br>", "x", "</p>"])
    }

    @Test func knowsFiveEntitiesAndNumbers() throws {
        #expect(try read("<a>&lt;b&gt; &amp;&#x41;&#66;&unknown; AT&T</a>") == ["<a>", "<b> &AB AT&T", "</a>"])
    }

    @Test func passesOverWhatIsNoText() throws {
        let text = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a><!-- d > --><![CDATA[<e>]]></a>"
        #expect(try read(text) == ["<a>", "<e>", "</a>"])
    }

    @Test(arguments: ["<a>", "<a></b>", "<a", "</a>", "<a><!-- x</a>", "<>", "<a><![CDATA[x</a>", "<!DOCTYPE a ["])
    func refusesWhatIsCutOffOrCrossed(text: String) {
        #expect(throws: DocumentError.damaged) { try read(text) }
    }

    @Test func refusesDeepNesting() {
        #expect(throws: DocumentError.damaged) { try read(String(repeating: "<a>", count: 600)) }
    }

    @Test func readsAttributesByLocalName() throws {
        var reader = XMLReader(Array("<s id=\"256\" r:id = 'rId2' name='A &amp; B'/>".utf8))
        guard case .start(let tag) = try reader.next() else { return #expect(Bool(false)) }
        #expect(tag["name"] == "A & B")
        #expect(tag.values(of: "id") == ["256", "rId2"])
        #expect(tag["other"] == nil)
    }
}
