import ChatCore
import Documents
import Foundation
import TestSupport
import Testing

@Suite struct MailDocumentTests {
    private func read(_ bytes: some Sequence<UInt8>) async throws -> DocumentText {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "document")
        try Data(bytes).write(to: file)
        let found = try await DocumentReader.text(of: file)
        // Attached files are gone.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["document"])
        return found
    }

    private static let head = "From: Ada <ada@b.example>\nTo: bob@b.example\nSubject: Plan\n"

    /// Reads a mail with these fields and this body; its own head is left out of the result.
    private func mail(_ body: String, _ fields: String = "Content-Type: text/plain; charset=utf-8\n") async throws
        -> [DocumentText.Part]
    {
        let text = (Self.head + fields + "\n" + body).replacing("\n", with: "\r\n")
        var parts = try await read(text.utf8).parts
        let shown = "Subject: Plan\nFrom: Ada <ada@b.example>\nTo: bob@b.example"
        #expect(parts[0].text.hasPrefix(shown))
        parts[0].text = String(parts[0].text.dropFirst(shown.count)).trimmingCharacters(in: .newlines)
        return parts
    }

    /// Reads a multipart mail of these parts, each with its fields.
    private func mail(_ type: String, _ parts: String...) async throws -> [DocumentText.Part] {
        try await mail(Self.multipart(parts), "Content-Type: multipart/\(type); boundary=\"=b\"\n")
    }

    private static func multipart(_ parts: [String], boundary: String = "=b") -> String {
        "no text\n" + parts.map { "--\(boundary)\n\($0)\n" }.joined() + "--\(boundary)--\nno text\n"
    }

    @Test func fieldsThatMatterAreText() async throws {
        let found = try await read(
            """
            Received: from secret.example
            \tby b.example
            from: =?utf-8?Q?Ad=C3=A4?= <ada@b.example>
            To: =?iso-8859-1?B?QvZi?= <bob@b.example>,
             eve@b.example
            Cc: team@b.example
            Subject: =?UTF-8?B?w5xiZXI=?=
             =?UTF-8?Q?_das_?= =?utf-8?q?B=C3?= =?utf-8?q?=BCro?= today
            Date: Tue, 3 Nov 2026 10:12:00 +0100
            Message-ID: <secret@b.example>

            The crane moves.
            """.utf8)
        #expect(found.unit == .part)
        #expect(
            found.parts == [
                .init(
                    label: "Über das Büro today",
                    text: """
                        Subject: Über das Büro today
                        From: Adä <ada@b.example>
                        To: Böb <bob@b.example>, eve@b.example
                        Cc: team@b.example
                        Date: Tue, 3 Nov 2026 10:12:00 +0100
                        The crane moves.
                        """)
            ])
    }

    @Test(arguments: [
        ("utf-8", "quoted-printable", "gr=C3=BCn =\nund 1=3D1 =zz", "grün und 1=1 =zz"),
        ("iso-8859-1", "QUOTED-PRINTABLE", "gr=fcn=\n", "grün"), ("utf-8", "base64", "Z3LD\nvG4=", "grün"),
        ("gb2312", "base64", "tLrM7A==", "春天"), ("iso-2022-jp", "7bit", "\u{1B}$B2q5D\u{1B}(B", "会議"),
        ("windows-1251", "quoted-printable", "=EF=EB=E0=ED", "план"),
        ("no/such", "quoted-printable", "gr=C3=BCn", "grün"),
        ("us-ascii", "quoted-printable", "gr=FCn", "grün"), ("utf-8", "quoted-printable", "gr=FCn", "gr\u{FFFD}n"),
        ("utf-16be", "base64", "AGcAcgD8AG4=", "grün"), ("euc-kr", "quoted-printable", "=C8=B8=C0=C7", "회의"),
    ]) func bodiesAreDecoded(charset: String, encoding: String, body: String, expected: String) async throws {
        let found = try await mail(
            body, "Content-Type: text/plain; charset=\"\(charset)\"\nContent-Transfer-Encoding: \(encoding)\n")
        #expect(found.map(\.text) == [expected])
    }

    @Test func theFormWithMoreWordsIsTaken() async throws {
        let html = "Content-Type: text/html\n\n<p>The crane moves on <b>Tuesday</b>.</p>"
        let hint = try await mail("alternative", "Content-Type: text/plain\n\nSee the HTML version.", html)
        #expect(hint.map(\.text) == ["The crane moves on Tuesday."])
        let same = try await mail(
            "alternative", "Content-Type: text/plain\n\nThe crane moves on Tuesday <https://b.example/a>.", html)
        #expect(same.map(\.text) == ["The crane moves on Tuesday <https://b.example/a>."])
    }

    @Test func picturesOfThePageAreNoAttachments() async throws {
        let related = Self.multipart(
            [
                "Content-Type: text/html\n\n<p style='display:none'>preview</p><p>See <img src='cid:1'></p>",
                "Content-Type: image/png; name=logo.png\nContent-ID: <1>\nContent-Disposition: inline\n\nx",
            ], boundary: "=b2")
        let found = try await mail(
            "mixed", "Content-Type: multipart/related; boundary==b2\n\n\(related)",
            "Content-Type: image/png\nContent-Disposition: attachment; filename=photo.png\n\nx")
        #expect(found.map(\.text) == ["Attachments (1): photo.png (not read)\nSee"])
    }

    @Test func linesThatWereDividedForTheWayAreJoined() async throws {
        let flowed = try await mail(
            "The crane \nmoves.\n From here\n> old \n> text\n-- \nAda", "Content-Type: text/plain; format=flowed\n")
        #expect(flowed.map(\.text) == ["The crane moves.\nFrom here", "old text", "--\nAda"])
        let japanese = try await mail("会議は \n来週", "Content-Type: text/plain; format=Flowed; DelSp=Yes; charset=utf-8\n")
        #expect(japanese.map(\.text) == ["会議は来週"])
        let wrapped = try await mail(
            """
            The crane of the harbour moves to berth four on the third day, says the
            Mayor, and the crates with marigolds follow it.
            Bring:
            - gloves
            """)
        #expect(
            wrapped.map(\.text) == [
                """
                The crane of the harbour moves to berth four on the third day, says the Mayor, and the crates with marigolds follow it.
                Bring:
                - gloves
                """
            ])
    }

    // MARK: - Earlier mails

    @Test func anEarlierMailIsAPlaceOfItsOwn() async throws {
        let found = try await mail(
            """
            Berth 7 it is.

            On Tue, 3 Nov 2026 at 10:12, Bob <bob@b.example>
            wrote:
            > The crane goes to berth 4.
            >
            > On Mon, Eve wrote:
            >> Which berth?
            > Bob

            Ada
            """)
        let bob = "On Tue, 3 Nov 2026 at 10:12, Bob <bob@b.example> wrote"
        #expect(
            found == [
                .init(label: "Plan", text: "Berth 7 it is."),
                .init(
                    label: bob,
                    text: "On Tue, 3 Nov 2026 at 10:12, Bob <bob@b.example>\nwrote:\nThe crane goes to berth 4."),
                .init(label: "On Mon, Eve wrote", text: "On Mon, Eve wrote:\nWhich berth?"),
                .init(label: bob, text: "Bob"), .init(label: "Plan", text: "Ada"),
            ])
    }

    @Test func answersBetweenQuotedLinesKeepTheirOrder() async throws {
        let found = try await mail("> Which berth?\nBerth 7.\n> When?\nTomorrow: at noon\n")
        #expect(found.map(\.label) == ["Plan", "quoted mail", "Plan", "quoted mail", "Plan"])
        #expect(found.map(\.text) == ["", "Which berth?", "Berth 7.", "When?", "Tomorrow: at noon"])
    }

    @Test(arguments: [
        ("Am 03.11.2026 um 10:12 schrieb Bob:\n> alt", "Am 03.11.2026 um 10:12 schrieb Bob"),
        (
            "Le mar. 3 nov. 2026 à 10:12, Bob <b@b.example> a écrit :\n> alt",
            "Le mar. 3 nov. 2026 à 10:12, Bob <b@b.example> a écrit"
        ),
        ("El mar, 3 nov 2026, Bob escribió:\n> alt", "El mar, 3 nov 2026, Bob escribió"),
        ("2026年11月3日(火) 10:12 Bob <b@b.example>のメール:\n> alt", "2026年11月3日(火) 10:12 Bob <b@b.example>のメール"),
        ("-----Original Message-----\nFrom: Bob\nSent: Tuesday\nTo: Ada\nSubject: old\n\nalt", "Bob, Tuesday"),
        ("Von: Bob\nGesendet: Dienstag\nAn: Ada\nBetreff: alt\n\nalt", "Bob, Dienstag"),
        ("De : Bob\nEnvoyé : mardi\nÀ : Ada\nObjet : alt\n\nalt", "Bob, mardi"),
        (
            "---------- Forwarded message ---------\nFrom: Bob <b@b.example>\nDate: Tue\nSubject: old\nTo: Ada\n\nalt",
            "Bob <b@b.example>, Tue"
        ),
        ("----- Weitergeleitete Nachricht -----\nalt", "quoted mail"),
        ("On 3 Nov 2026 Bob wrote:\nalt", "On 3 Nov 2026 Bob wrote"),
    ]) func earlierMailsAreKnownInManyForms(text: String, label: String) async throws {
        let found = try await mail("New.\n\n" + text)
        #expect(found.map(\.label) == ["Plan", label])
        #expect(found[0].text == "New.")
        #expect(found[1].text.hasSuffix("alt"))
    }

    @Test(arguments: [
        "From: the start\nwe moved.", "He wrote:\nnothing", "On 3 November we moved:\nthree crates", "a > b\n-> c",
    ])
    func ownWordsStayOwn(text: String) async throws {
        #expect(try await mail("New.\n\n" + text).map(\.text) == ["New.\n" + text])
    }

    @Test func quotationsOfHTMLAreEarlierMailsToo() async throws {
        let found = try await mail(
            """
            <html><div>Berth 7.</div><div class="gmail_quote"><div>On 3 Nov 2026 Bob wrote:<br></div><blockquote>
            <table><tr><td>Crane</td><td>berth 4</td></tr></table><blockquote>Which?</blockquote></blockquote></div><p>Ada</html>
            """, "Content-Type: text/html; charset=utf-8\n")
        #expect(
            found == [
                .init(label: "Plan", text: "Berth 7."),
                .init(label: "On 3 Nov 2026 Bob wrote", text: "On 3 Nov 2026 Bob wrote:\nCrane | berth 4"),
                .init(label: "quoted mail", text: "Which?"), .init(label: "Plan", text: "Ada"),
            ])
    }

    // MARK: - Attached mails and files

    @Test func attachedMailsAreMailsOfTheirOwn() async throws {
        let inner =
            "From: Bob <bob@b.example>\nSubject: Old plan\nContent-Type: multipart/mixed; boundary==c\n\n"
            + Self.multipart(
                ["\nBerth 4.", "Content-Type: application/octet-stream; name=x.bin\n\n\u{1}"], boundary: "=c")
        let found = try await mail("mixed", "\nBerth 7.", "Content-Type: message/rfc822\n\n\(inner)")
        #expect(
            found == [
                .init(label: "Plan", text: "Berth 7."),
                .init(
                    label: "Old plan",
                    text: "Subject: Old plan\nFrom: Bob <bob@b.example>\nAttachments (1): x.bin (not read)\nBerth 4."),
            ])
    }

    @Test func attachedFilesAreReadUnderTheirNames() async throws {
        let workbook = HandmadeZip(members: [
            .init("_rels/.rels", "<r><Relationship Id='a' Type='x/officeDocument' Target='/word/document.xml'/></r>"),
            .init("word/document.xml", "<w:document><w:p><w:r><w:t>The paint costs 12.</w:t></w:r></w:p></w:document>"),
        ]).bytes()
        let found = try await mail(
            "mixed", "\nSee.",
            """
            Content-Type: application/octet-stream
            Content-Disposition: attachment; filename*0*=utf-8''Kr%C3%A4; filename*1="ne.docx"
            Content-Transfer-Encoding: base64

            \(Data(workbook).base64EncodedString(options: .lineLength76Characters))
            """, "Content-Type: text/csv; name=\"=?utf-8?Q?K=C3=B6sten.csv?=\"\n\nCrane,4000\nPaint,12",
            "Content-Type: text/html; name=a.html\n\n<b>bold</b>",
            "Content-Type: application/pdf; name=broken.pdf\n\n%PDF-1.7 nothing",
            "Content-Type: message/rfc822; name=old.eml\nContent-Disposition: attachment\n\nSubject: Old\n\nalt")
        #expect(
            found[0].text
                == "Attachments (4): Kräne.docx, Kösten.csv, a.html, broken.pdf (not read)\nSee.")
        #expect(
            found.dropFirst() == [
                .init(label: "Kräne.docx", text: "The paint costs 12."),
                .init(label: "Kösten.csv", text: "Crane,4000\nPaint,12"), .init(label: "a.html", text: "bold"),
                .init(label: "Old", text: "Subject: Old\nalt"),
            ])
    }

    @Test func signaturesAreNoAttachmentsAndEncryptedMailsAreProtected() async throws {
        let signed = try await mail(
            "signed", "\nSigned.", "Content-Type: application/pgp-signature; name=signature.asc\n\nxyz")
        #expect(signed.map(\.text) == ["Signed."])
        await #expect(throws: DocumentError.protected) {
            try await mail("encrypted; protocol=\"application/pgp-encrypted\"", "\nVersion: 1", "\nxyz")
        }
        await #expect(throws: DocumentError.protected) {
            try await mail("xyz", "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n")
        }
    }

    @Test func aMailboxHasSeveralMails() async throws {
        let found = try await read(
            """
            From ada@b.example Tue Nov  3 10:12:00 2026
            From: Ada
            Subject: one

            From here on.

            From bob@b.example Tue Nov  3 10:13:00 2026
            From: Bob
            Subject: two

            The end.
            """.utf8)
        #expect(
            found.parts == [
                .init(label: "one", text: "Subject: one\nFrom: Ada\nFrom here on."),
                .init(label: "two", text: "Subject: two\nFrom: Bob\nThe end."),
            ])
    }

    // MARK: - Broken mails

    @Test func aMailWithoutAnEndIsRead() async throws {
        let open = try await mail(
            "--=b\n\nOne.\n--=b\nContent-Type: text/plain\n\nTwo.\n--=b-other\n",
            "Content-Type: multipart/mixed; boundary==b\n")
        #expect(open.map(\.text) == ["One.\nTwo.\n--=b-other"])
        let missing = try await mail("just text", "Content-Type: multipart/mixed\n")
        #expect(missing.map(\.text) == ["just text"])
        let half = try await mail(
            "Z3LDvG4", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n")
        #expect(half.map(\.text) == ["grün"])
    }

    /// Each of these grows with its square in a careless reader.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "--=b\n", "--=b\nContent-Type: multipart/mixed; boundary==b\n\n", "> ", ">\n>>\n", "=?utf-8?q?",
            "On 1 Ada wrote:\n",
            "From: a\nSent: b\nTo: c\n", "\nFrom \n", "--=b\nContent-Type: message/rfc822\n\n", "a \n", "=\n", ":;=\"",
        ])
    func longNonsenseIsReadInOneGo(piece: String) async throws {
        let nonsense = String(repeating: piece, count: 20_000)
        _ = try await read((Self.head + "Content-Type: multipart/mixed; boundary==b\n\n" + nonsense).utf8)
        _ = try await read((Self.head + "Content-Type: text/plain; format=flowed\n\n" + nonsense).utf8)
        _ = try await read((Self.head + "Content-Type: text/html\n\n" + nonsense).utf8)
        // Some of it makes the file no mail.
        _ = try? await read((Self.head + "Cc: " + nonsense).utf8)
    }

    @Test func thePartsOfAMailAreLimited() async throws {
        let found = try await read((Self.head + "\n" + String(repeating: "> a\nb\n", count: 5_000)).utf8)
        #expect(found.parts.count == 500)
        #expect(found.isCut)
    }
}
