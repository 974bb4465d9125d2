import ChatCore
import Documents
import Foundation
import TestSupport
import Testing

@Suite struct OfficeDocumentTests {
    /// Reads a zip of these parts, with what names the first part of an office document.
    private func read(_ start: String, _ parts: [String: String]) async throws -> DocumentText {
        let relations = """
            <Relationships><Relationship Id="r0" Type="x/officeDocument" Target="/\(start)"/>\
            <Relationship Id="r9" Type="x/hyperlink" Target="https://example.org" TargetMode="External"/></Relationships>
            """
        return try await read(parts.merging(["_rels/.rels": relations]) { own, _ in own })
    }

    private func read(_ parts: [String: String]) async throws -> DocumentText {
        let members = parts.sorted { $0.key < $1.key }.map { HandmadeZip.Member($0.key, $0.value) }
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(HandmadeZip(members: members).bytes()).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await DocumentReader.text(of: file)
    }

    private func word(_ body: String, _ parts: [String: String] = [:]) async throws -> String {
        let document = "<w:document xmlns:w='w'><w:body>\(body)</w:body></w:document>"
        return try await read("word/document.xml", parts.merging(["word/document.xml": document]) { $1 }).parts[0].text
    }

    @Test func trackedChangesGiveTheNewTextOnly() async throws {
        let text = try await word(
            """
            <w:p><w:r><w:t xml:space="preserve">The budget is </w:t></w:r><w:del><w:r><w:delText>4000</w:delText></w:r></w:del>\
            <w:ins><w:r><w:t>5200</w:t></w:r></w:ins><w:r><w:t> euros.</w:t></w:r></w:p>\
            <w:p><w:moveFrom><w:r><w:t>moved away</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>moved here</w:t></w:r></w:moveTo></w:p>
            """)
        #expect(text == "The budget is 5200 euros.\nmoved here")
    }

    @Test func hiddenTextAndCodesOfFieldsAreLeftOut() async throws {
        let text = try await word(
            """
            <w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr>\
            <w:t>shown</w:t></w:r><w:r><w:instrText>PAGE \\* MERGEFORMAT</w:instrText></w:r></w:p>
            """)
        #expect(text == "shown")
    }

    @Test func aTextBoxCountsOnceAndFollowsItsParagraph() async throws {
        let box = "<w:txbxContent><w:p><w:r><w:t>in the box</w:t></w:r></w:p></w:txbxContent>"
        let text = try await word(
            """
            <w:p><w:r><w:t>before </w:t></w:r><w:r><mc:AlternateContent><mc:Choice>\(box)</mc:Choice>\
            <mc:Fallback>\(box)</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>after</w:t></w:r></w:p>
            """)
        #expect(text == "before after\nin the box")
    }

    @Test func cellsOfARowStandInALineAndNotesFollow() async throws {
        let cell = { (text: String) in "<w:tc><w:p><w:r><w:t>\(text)</w:t></w:r></w:p></w:tc>" }
        let notes = """
            <w:footnotes><w:footnote w:type="separator"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote>\
            <w:footnote w:id="2"><w:p><w:r><w:t>see the plan</w:t></w:r></w:p></w:footnote></w:footnotes>
            """
        let text = try await word(
            "<w:tbl><w:tr>\(cell("Crane"))\(cell("berth 4"))\(cell(""))</w:tr></w:tbl>",
            [
                "word/_rels/document.xml.rels":
                    "<Relationships><Relationship Id='a' Type='x/footnotes' Target='footnotes.xml'/></Relationships>",
                "word/footnotes.xml": notes,
            ])
        #expect(text == "Crane | berth 4\nsee the plan")
    }

    /// A workbook of one visible and one hidden sheet.
    private func workbook(_ rows: String, is1904: Bool = false) async throws -> DocumentText {
        try await read(
            "xl/workbook.xml",
            [
                "xl/workbook.xml": """
                <workbook><workbookPr date1904="\(is1904)"/><sheets><sheet name="Secret" sheetId="1" state="veryHidden" r:id="a"/>\
                <sheet name="Costs" sheetId="2" r:id="b"/></sheets></workbook>
                """,
                "xl/_rels/workbook.xml.rels": """
                <Relationships><Relationship Id="a" Type="x/worksheet" Target="worksheets/sheet1.xml"/>\
                <Relationship Id="b" Type="x/worksheet" Target="worksheets/sheet2.xml"/>\
                <Relationship Id="c" Type="x/sharedStrings" Target="sharedStrings.xml"/>\
                <Relationship Id="d" Type="x/styles" Target="styles.xml"/></Relationships>
                """,
                "xl/worksheets/sheet1.xml":
                    "<worksheet><sheetData><row><c><v>666</v></c></row></sheetData></worksheet>",
                "xl/worksheets/sheet2.xml": """
                <worksheet><cols><col min="4" max="4" hidden="1"/></cols><sheetData>\(rows)</sheetData></worksheet>
                """,
                "xl/sharedStrings.xml":
                    "<sst><si><t>Crane</t></si><si><r><t>Pa</t></r><r><t>int</t></r><rPh><t>no</t></rPh></si></sst>",
                "xl/styles.xml": """
                <styleSheet><numFmts><numFmt numFmtId="170" formatCode="[$-407]dd&quot; of &quot;mmmm"/>\
                <numFmt numFmtId="171" formatCode="#,##0 &quot;days&quot;"/><numFmt numFmtId="172" formatCode="[h]:mm"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>\
                <cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="22"/><xf numFmtId="10"/><xf numFmtId="172"/></cellXfs>\
                </styleSheet>
                """,
            ])
    }

    @Test func cellsAreShownAsPeopleSeeThem() async throws {
        let found = try await workbook(
            """
            <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>46322</v></c><c r="C1" s="4"><v>0.125</v></c></row>\
            <row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="3"><v>46329.604166667</v></c><c r="D2"><v>7</v></c></row>\
            <row r="3" hidden="1"><c r="A3"><v>666</v></c></row>\
            <row r="4"><c r="A4" t="inlineStr"><is><t>Sum</t></is></c><c r="B4" s="2"><v>30</v></c><c r="C4" t="b"><v>1</v></c></row>
            """)
        #expect(found.unit == .sheet)
        #expect(
            found.parts == [
                .init(label: "Costs", text: "Crane | 2026-10-27 | 12.5%\nPaint | 2026-11-03 14:30\nSum | 30 | TRUE")
            ])
    }

    @Test func daysMayBeCountedFrom1904() async throws {
        let found = try await workbook("<row><c s=\"1\"><v>44860</v></c></row>", is1904: true)
        #expect(found.parts[0].text == "2026-10-27")
    }

    /// The format counts a day too many before March 1900, and hours beyond a day.
    @Test func earlyDaysStayNumbersAndLongTimesStayWhole() async throws {
        let found = try await workbook(
            """
            <row><c s="1"><v>32</v></c><c s="1"><v>61</v></c><c s="5"><v>1.25</v></c></row>
            """)
        #expect(found.parts[0].text == "32 | 1900-03-01 | 30:00")
    }

    /// Some programs store 0 for every formula that they did not compute.
    @Test func formulasWithoutResultsAreShownThemselves() async throws {
        let found = try await workbook(
            "<row><c><f>SUM(A1:A9)</f><v>0</v></c><c><f>B2*2</f><v></v></c><c><v>0</v></c></row>")
        #expect(found.parts[0].text == "=SUM(A1:A9) | =B2*2 | 0")
        let computed = try await workbook("<row><c><f>SUM(A1:A9)</f><v>0</v></c><c><f>B2*2</f><v>8</v></c></row>")
        #expect(computed.parts[0].text == "0 | 8")
    }

    @Test func slidesComeInTheirOrderWithTheirOwnNotes() async throws {
        let shape = { (top: Int, text: String) in
            "<p:sp><p:spPr><a:off x=\"1\" y=\"\(top)\"/></p:spPr><p:txBody><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></p:txBody></p:sp>"
        }
        let slide = { (shapes: String, show: String) in "<p:sld\(show)><p:cSld>\(shapes)</p:cSld></p:sld>" }
        let found = try await read(
            "ppt/presentation.xml",
            [
                "ppt/presentation.xml":
                    "<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"b\"/><p:sldId id=\"257\" r:id=\"a\"/><p:sldId id=\"258\" r:id=\"c\"/></p:sldIdLst></p:presentation>",
                "ppt/_rels/presentation.xml.rels": """
                <Relationships><Relationship Id="a" Type="x/slide" Target="slides/slide1.xml"/>\
                <Relationship Id="b" Type="x/slide" Target="slides/slide2.xml"/>\
                <Relationship Id="c" Type="x/slide" Target="slides/slide3.xml"/></Relationships>
                """,
                "ppt/slides/slide1.xml": slide(shape(90, "below") + shape(10, "above"), ""),
                "ppt/slides/slide2.xml": slide(shape(10, "first"), ""),
                "ppt/slides/slide3.xml": slide(shape(10, "hidden"), " show=\"0\""),
                "ppt/slides/_rels/slide2.xml.rels":
                    "<Relationships><Relationship Id=\"a\" Type=\"x/notesSlide\" Target=\"../notesSlides/notesSlide3.xml\"/></Relationships>",
                "ppt/notesSlides/notesSlide3.xml": "<p:notes>\(shape(10, "ask Mara"))</p:notes>",
            ])
        #expect(found.unit == .slide)
        #expect(found.parts.map(\.text) == ["first\nNotes: ask Mara", "above\nbelow", ""])
    }

    @Test func tablesAndGroupsOfASlideAreReadAndItsNumberIsNot() async throws {
        let text = { (text: String) in "<p:txBody><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></p:txBody>" }
        let cell = { (text: String) in "<a:tc><a:txBody><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></a:txBody></a:tc>" }
        let found = try await read(
            "ppt/presentation.xml",
            [
                "ppt/presentation.xml": "<p><p:sldIdLst><p:sldId r:id=\"a\"/></p:sldIdLst></p>",
                "ppt/_rels/presentation.xml.rels":
                    "<Relationships><Relationship Id=\"a\" Type=\"x/slide\" Target=\"slides/s.xml\"/></Relationships>",
                "ppt/slides/s.xml": """
                <p:sld><p:graphicFrame><a:off x="0" y="50"/><a:tbl><a:tr>\(cell("Crane"))\(cell("4000"))</a:tr></a:tbl>\
                </p:graphicFrame><p:grpSp><p:sp><a:off x="0" y="20"/>\(text("in a group"))</p:sp></p:grpSp>\
                <p:sp><p:nvPr><p:ph type="sldNum"/></p:nvPr>\(text("7"))</p:sp></p:sld>
                """,
                "ppt/slides/_rels/s.xml.rels":
                    "<Relationships><Relationship Id=\"a\" Type=\"x/notesSlide\" Target=\"n.xml\"/></Relationships>",
                "ppt/slides/n.xml":
                    "<p:notes><p:sp><p:nvPr><p:ph type=\"sldNum\"/></p:nvPr>\(text("7"))</p:sp><p:sp>\(text("ask"))</p:sp></p:notes>",
            ])
        #expect(found.parts.map(\.text) == ["in a group\nCrane | 4000\nNotes: ask"])
    }

    private func open(
        _ content: String, styles: String = "", manifest: String = "<manifest/>"
    ) async throws -> DocumentText {
        try await read([
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml":
                "<office:document-content>\(styles)<office:body>\(content)</office:body></office:document-content>",
            "META-INF/manifest.xml": manifest,
        ])
    }

    @Test func openDocumentsLeaveOutDeletedTextAndKeepSentencesWhole() async throws {
        let found = try await open(
            """
            <office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:p>The crane<text:note>\
            <text:note-citation>1</text:note-citation><text:note-body><text:p>see the plan</text:p></text:note-body></text:note> \
            <office:annotation><dc:creator>Mara</dc:creator><dc:date>2026</dc:date><text:p>really?</text:p></office:annotation>\
            comes<text:s text:c="3"/>today.</text:p></office:text>
            """)
        #expect(found.unit == nil)
        #expect(found.parts.map(\.text) == ["The crane comes today.\nsee the plan\nComment: really?"])
    }

    /// In a small file a sheet can have 17 thousand million empty cells.
    @Test func repeatedEmptyCellsTakeNoRoom() async throws {
        let found = try await open(
            """
            <office:spreadsheet><table:table table:name="Kosten"><table:table-row><table:table-cell><text:p>Farbe</text:p>\
            </table:table-cell><table:table-cell/><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row>\
            <table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/>\
            </table:table-row></table:table></office:spreadsheet>
            """)
        #expect(found.parts == [.init(label: "Kosten", text: "Farbe | 12")])
    }

    @Test func equalCellsAndRowsWithTextAreRepeated() async throws {
        let cell = { (text: String, more: String) in
            "<table:table-cell\(more)><text:p>\(text)</text:p></table:table-cell>"
        }
        let found = try await open(
            """
            <office:spreadsheet><table:table table:name="A"><table:table-row>\(cell("x", ""))\
            \(cell("5", " table:number-columns-repeated=\"3\""))\(cell("y", ""))</table:table-row>\
            <table:table-row table:number-rows-repeated="2">\(cell("z", ""))</table:table-row></table:table></office:spreadsheet>
            """)
        #expect(found.parts.map(\.text) == ["x | 5 | 5 | 5 | y\nz\nz"])
    }

    @Test func hiddenSheetsRowsColumnsAndSlidesOfOpenDocumentsAreLeftOut() async throws {
        let cell = { (text: String) in "<table:table-cell><text:p>\(text)</text:p></table:table-cell>" }
        let styles = """
            <office:automatic-styles><style:style style:name="t1"><style:table-properties table:display="true"/></style:style>\
            <style:style style:name="t2"><style:table-properties table:display="false"/></style:style>\
            <style:style style:name="d2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>\
            </office:automatic-styles>
            """
        let sheets = try await open(
            """
            <office:spreadsheet><table:table table:name="A" table:style-name="t1"><table:table-column/>\
            <table:table-column table:visibility="collapse" table:number-columns-repeated="2"/><table:table-column/>\
            <table:table-row>\(["a", "secret", "secret", "b"].map(cell).joined())</table:table-row>\
            <table:table-row table:visibility="filter">\(cell("secret"))</table:table-row></table:table>\
            <table:table table:name="B" table:style-name="t2"><table:table-row>\(cell("secret"))</table:table-row></table:table>\
            </office:spreadsheet>
            """, styles: styles)
        #expect(sheets.parts == [.init(label: "A", text: "a | b")])
        let slides = try await open(
            """
            <office:presentation><draw:page draw:style-name="d2"><text:p>secret</text:p></draw:page>\
            <draw:page draw:style-name="d1"><text:p>shown</text:p></draw:page></office:presentation>
            """, styles: styles)
        #expect(slides.parts.map(\.text) == ["", "shown"])
    }

    @Test func passwordsDamageAndOtherZipsAreToldApart() async throws {
        await #expect(throws: DocumentError.protected) {
            try await open("<office:text/>", manifest: "<manifest><encryption-data/></manifest>")
        }
        await #expect(throws: DocumentError.damaged) { try await open("<office:text>") }
        await #expect(throws: DocumentError.damaged) { try await read("word/document.xml", [:]) }
        await #expect(throws: DocumentError.unknownFormat) { try await read(["photo.xml": "<a/>"]) }
    }
}
