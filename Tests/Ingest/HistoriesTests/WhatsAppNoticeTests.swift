import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// What the application writes in exports of WhatsApp, beside what people write.
@Suite struct WhatsAppNoticeTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    /// Imports lines of an Android phone: `13/01/2024, 10:00 - ` is put before each.
    private func android(_ lines: [String]) async throws -> HistoryBench.Result {
        let text = lines.map { "13/01/2024, 10:00 - " + $0 }.joined(separator: "\n")
        return try await bench.run(try bench.write(text, to: "WhatsApp Chat with Crew.txt"))
    }

    /// Imports lines of an iPhone without marks, into another store if none is given, and returns the result and all
    /// texts.
    ///
    /// In the same store a chat with the lines of another phone would be the same chat.
    private func iOS(
        _ lines: [String], title: String, into bench: HistoryBench? = nil
    ) async throws -> (HistoryBench.Result, [String]) {
        let bench = try bench ?? HistoryBench()
        let text = lines.map { "[13.01.2024, 10:00:00] " + $0 }.joined(separator: "\n")
        let file = try bench.write(text, to: "WhatsApp Chat - \(title).txt")
        let result = try await bench.run(file)
        let summary = try #require(try await bench.preview(file).conversations.first)
        let asker = try #require(summary.readers.first?.id)
        return (result, try await bench.messages(in: summary.id, asker: asker).map { "\($0.senderName): \($0.text)" })
    }

    @Test(arguments: [
        "This message was deleted", "This message was deleted.", "You deleted this message",
        "This message was deleted by admin Ada", "This message was deleted by admin ~\u{202F}Ada Quist.",
        "You deleted this message as admin", "Essa mensagem foi apagada", "Mensagem apagada", "הודעה זו נמחקה",
        "Tin nhắn này đã bị xóa", "ข้อความนี้ถูกลบแล้ว", "Це повідомлення видалено", "Acest mesaj a fost șters",
        "Tato zpráva byla smazána", "Denne meldingen ble slettet", "이 메시지는 삭제되었습니다.", "Du slettede denne besked",
        "تم حذف هذه الرسالة", "لقد حذَفت هذه الرسالة", "Съобщението беше изтрито", "این پیام حذف شد",
        "یہ پیغام حذف کیا گیا",
        "এই বার্তাটি মুছে ফেলা হয়েছে", "आपने यह मैसेज डिलीट किया", "இத்தகவல் திரும்பப்பெறப்பட்டது", "Ujumbe huu ulifutwa",
        "Ushbu xabar o‘chirildi", "Бұл хат жойылды", "Šī ziņa tika izdzēsta", "Ši žinutė buvo ištrinta",
        "See sõnum on kustutatud", "To sporočilo je bilo izbrisano", "Ova poruka je izbrisana",
        "Itong mensahe ay binura na",
        "このメッセージは削除されました。", "此訊息已刪除。", "这条消息已被删除。", "Tämä viesti poistettiin.", "Ez az üzenet törlésre került",
    ])
    func marksOfDeletionAreKnownInManyLanguages(text: String) async throws {
        let result = try await android(["Ben: hello", "Ada: \(text)"])

        #expect(result.report.deletedMessages == 1)
        #expect(result.report.insertedMessages == 1)
    }

    @Test(arguments: [
        "This message was deleted yesterday, why?", "This message was deleted by mistake, sorry!",
        "this message was deleted by admin who is now asleep at home", "image omitted from the report",
        "Who wrote that the media were omitted?", "Ben left", "You left the door open", "You were added to the list",
        "Messages and calls are end-to-end encrypted but I do not trust it",
        "Messages and calls are end-to-end encrypted. I like that", "Are messages end-to-end encrypted?",
        "Ada here, who else?", "Ada added salt to the soup", "Ada added salt",
        "Ada removed spam, ads", "Ada added two chairs", "<see below>", "the plan <draft: 3>",
        "Missed voice call from the office", "Ben's security code changed", "Voice call. Now!",
        "read it (file attached)",
        "I deleted this message myself", "You're now an admin",
        "Cyd changed the group name to our old one",
    ])
    func wordsOfAPersonStay(text: String) async throws {
        let result = try await android(["Ben: hello", "Ada: \(text)"])
        let (other, texts) = try await iOS(["Ben: hello", "Cyd: hello", "Ada: \(text)"], title: "Boats")

        #expect(result.report.insertedMessages == 2, "\(result.report)")
        #expect(other.report.insertedMessages == 3, "\(other.report)")
        #expect(texts.contains("Ada: \(text)"))
    }

    @Test(arguments: [
        "<Media omitted>", "<Medien ausgeschlossen>", "<تم استبعاد الوسائط>", "<Без файл>", "< Média vynechána >",
        "<Médiá vynechané>", "<മീഡിയ ഒഴിവാക്കി>", "<省略多媒体文件>", "<Walang kalakip na media>", "<View once message omitted>",
        "image omitted", "Image omitted", "Bild weggelassen", "изображение отсутствует", "התמונה הושמטה",
        "لم يتم إدراج الصورة", "\u{200F}لم يتم إدراج الفيديوهات", "画像は含まれていません", "स्टिकर छोड़ा गया", "GIF 생략됨",
        "đã bỏ sticker", "ไม่มีรูปภาพ", "obrázek vynechán", "live location shared", "Video note omitted", "null",
    ])
    func mediaThatWereLeftOutAreNoWords(text: String) async throws {
        let result = try await android(["Ben: hello", "Ada: \(text)"])

        #expect(result.report.skipped == [.mediaLeftOut: 1], "\(result.report)")
        #expect(result.report.insertedMessages == 1)
    }

    @Test func whatAPersonWroteBesideMediaStays() async throws {
        let lines = [
            "Ben: start", "Ada: <Media omitted>\nthe new pump", "Ada: nice view \u{200E}image omitted",
            "Ada: plan.pdf • 3 pages document omitted", "Ada: map.pdf • \u{200E}2 Seiten \u{200E}Dokument weggelassen",
            "Ada: sea.pdf • \u{200E}2 foo \u{200E}bar baz",
        ]

        let (result, texts) = try await iOS(lines, title: "Boats")

        #expect(result.report.skipped == [:], "\(result.report)")
        #expect(texts == ["Ben: start", "Ada: the new pump", "Ada: nice view", "Ada: ", "Ada: ", "Ada: "])
    }

    @Test(arguments: [
        "fixed it <This message was edited>", "fixed it <Diese Nachricht wurde bearbeitet.>",
        "fixed it <Se editó este mensaje.>", "fixed it <تم تعديل هذه الرسالة>", "fixed it <Bu mesaj düzenlendi>",
        "fixed it <Pesan ini diedit>", "fixed it <ההודעה נערכה>", "fixed it \u{200E}<Šī ziņa tika rediģēta>",
        "fixed it \u{200F}<یہ پیغام بدلا گیا>\u{200F}",
    ])
    func notesOfEditsAreRemoved(text: String) async throws {
        let (_, texts) = try await iOS(["Ada: \(text)", "Ben: x"], title: "Boats")

        #expect(texts == ["Ada: fixed it", "Ben: x"])
    }

    @Test func noticesOfAnIPhoneWithoutMarksHaveAuthorsWhoAreNobody() async throws {
        let lines = [
            "Weir Crew: Messages and calls are end-to-end encrypted. Only people in this chat can read, listen to, or share "
                + "them.", "Weir Crew: Ivo added you", "Ivo: the gate is open",
            "Mila: Mila changed the group name to “Weir Crew”", "~\u{202F}Tove: hello",
            "~\u{202F}Tove: ~\u{202F}Tove left",
            "Piet: You added Piet", "Ivo: Ivo added Rika", "Ivo: image omitted", "Ivo: Missed voice call",
            "Ivo: Voice call. 12 min",
            "Piet: Piet, Rika were added", "Ivo: Ivo changed this group's icon", "Weir Crew: You're now an admin",
        ]

        let (result, texts) = try await iOS(lines, title: "Weir Crew", into: bench)

        #expect(texts == ["Ivo: the gate is open", "Tove: hello"])
        #expect(result.report.skipped[.mediaLeftOut] == 1)
        #expect(result.report.skipped[.notice] == 11)
        #expect(
            try await bench.store.identities().map(\.name).compactMap { $0 }.sorted() == ["Ivo", "Tove"])
    }

    @Test(arguments: [
        [
            "Bootsgruppe: Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt. Mehr erfahren",
            "Bootsgruppe: Du wurdest hinzugefügt",
        ],
        ["Bootsgruppe: Съобщенията са криптирани от край до край", "Bootsgruppe: Иво прикачи нещо тук"],
        ["Bootsgruppe: メッセージと通話はエンドツーエンド暗号化されています。", "Bootsgruppe: Ivoさんが何かをしました"],
        ["Bootsgruppe: Zprávy a hovory jsou opatřeny koncovým šifrováním.", "Bootsgruppe: Přidán/a Ivo"],
    ])
    func theGroupIsNobodyInAnyLanguage(lines: [String]) async throws {
        let (result, texts) = try await iOS(lines + ["Ivo: ahoj", "Mila: hej"], title: "Bootsgruppe")

        #expect(texts == ["Ivo: ahoj", "Mila: hej"])
        #expect(result.report.skipped == [.notice: 2])
    }

    @Test func aPersonWithTheNameOfTheGroupKeepsTheirWords() async throws {
        let lines = [
            "Mara: Messages and calls are end-to-end encrypted. No one outside of this chat, not even WhatsApp, can read or "
                + "listen to them.", "Mara: Ivo added you", "Mara: see you at the gate", "Ivo: yes", "Tove: me too",
        ]

        let (_, texts) = try await iOS(lines, title: "Mara")

        #expect(texts == ["Mara: see you at the gate", "Ivo: yes", "Tove: me too"])
    }

    @Test func aChatOfTwoBeginsWithANoticeOfTheOther() async throws {
        let lines = [
            "Ada: Messages and calls are end-to-end encrypted. Only people in this chat can read, listen to, or share them.",
            "Ben: hello", "Ada: hi", "Ada: Your security code with Ada changed. Tap to learn more.",
        ]

        let (result, texts) = try await iOS(lines, title: "Ada")

        #expect(texts == ["Ben: hello", "Ada: hi"])
        #expect(result.report.skipped == [.notice: 2])
    }

    @Test(arguments: [
        "Messages and calls are end-to-end encrypted: no one outside of this chat can read them.",
        "ההודעות והשיחות מוצפנות מקצה-לקצה: אף אחד מחוץ לצ'אט זה לא יכול לקרוא אותן.",
        "الرسائل والمكالمات مشفرة تمامًا بين الطرفين.", "Ben added Cyd", "Ben changed the subject to \"Pumps: all\"",
        "Ada: Messages and calls are end-to-end encrypted. No one outside of this chat, not even WhatsApp, can read them.",
    ])
    func noticesWithAColonHaveNoAuthor(line: String) async throws {
        let result = try await android([line, "Ben: hello", "Ada: hi"])

        #expect(result.report.skipped == [.notice: 1])
        #expect(result.report.insertedMessages == 2)
    }

    @Test func readsAnExportInArabic() async throws {
        let mark = "\u{200F}"
        let lines = [
            "٢٤\(mark)/١٢\(mark)/٢٠٢٣، ٦:٠٥ م - الرسائل والمكالمات مشفرة تمامًا بين الطرفين.",
            "٢٤\(mark)/١٢\(mark)/٢٠٢٣، ٦:٠٦ م - هدى: الاجتماع غدا",
            "٢٤\(mark)/١٢\(mark)/٢٠٢٣، ٦:٠٧ م - سامي: <تم استبعاد الوسائط>",
            "٢٤\(mark)/١٢\(mark)/٢٠٢٣، ٦:٠٨ م - سامي: تم حذف هذه الرسالة",
            "٢٥\(mark)/١٢\(mark)/٢٠٢٣، ١٢:٠٨ ص - هدى: مرحبا",
        ]
        let file = try bench.write(lines.map { mark + $0 }.joined(separator: "\n"), to: "دردشة واتساب مع فريق.txt")

        let result = try await bench.run(file)

        #expect(result.rejects.isEmpty)
        #expect(result.report.skipped == [.notice: 1, .mediaLeftOut: 1])
        #expect(result.report.deletedMessages == 1)
        #expect(
            try await bench.lines(of: file, as: "هدى") == [
                "2023-12-24T18:06:00 هدى: الاجتماع غدا", "2023-12-25T00:08:00 هدى: مرحبا",
            ])
    }

    @Test func shortNoticesAreAPersonsWordsWhereTheApplicationHasNoAuthor() async throws {
        let result = try await android(["Ben: Missed voice call", "Ada: Ada left", "Ben: Ben added Cyd"])

        #expect(result.report.insertedMessages == 3)
    }

    @Test func phoneNumbersAreAuthors() async throws {
        let (_, texts) = try await iOS(
            ["\u{202A}+49\u{A0}170\u{A0}1234567\u{202C}: hello", "+1 (415) 555‑0123: hi", "Ada: hey"], title: "Boats")

        #expect(texts.count == 3)
        #expect(texts.contains("+49\u{A0}170\u{A0}1234567: hello"))
    }
}
