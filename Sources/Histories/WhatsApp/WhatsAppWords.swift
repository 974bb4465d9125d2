extension WhatsAppNotice {
    /// Texts that replace a deleted message, folded.
    static let deletions: Set<String> = [
        "this message was deleted", "you deleted this message", "diese nachricht wurde gelöscht",
        "du hast diese nachricht gelöscht", "se eliminó este mensaje", "eliminaste este mensaje",
        "este mensaje fue eliminado", "ce message a été supprimé", "vous avez supprimé ce message",
        "questo messaggio è stato eliminato", "hai eliminato questo messaggio", "mensagem apagada",
        "esta mensagem foi apagada", "você apagou esta mensagem", "apagou esta mensagem", "dit bericht is verwijderd",
        "je hebt dit bericht verwijderd", "данное сообщение удалено", "вы удалили данное сообщение",
        "bu mesaj silindi", "bu mesajı sildiniz", "ta wiadomość została usunięta", "usunięto tę wiadomość",
        "pesan ini telah dihapus", "anda telah menghapus pesan ini", "تم حذف هذه الرسالة", "यह मैसेज मिटाया गया",
        "このメッセージは削除されました", "삭제된 메시지입니다", "此訊息已刪除", "此消息已删除",
        "detta meddelande har raderats", "denne besked blev slettet", "tämä viesti poistettiin",
    ]

    /// Texts after an edited text, folded.
    static let editMarks: Set<String> = [
        "this message was edited", "diese nachricht wurde bearbeitet", "se editó este mensaje",
        "ce message a été modifié", "questo messaggio è stato modificato", "mensagem editada",
        "esta mensagem foi editada", "dit bericht is bewerkt", "данное сообщение изменено", "bu mesaj düzenlendi",
    ]

    /// Words before the colon in `<attached: …>`, in lower case.
    static let attachedLabels: Set<String> = [
        "attached", "angehängt", "anhang", "adjunto", "archivo adjunto", "pièce jointe", "allegato", "bijlage",
        "anexado", "anexo", "вложение", "прикреплено", "ekli", "załącznik", "lampiran", "添付ファイル", "附件",
        "첨부", "bifogad", "vedhæftet", "vedlagt", "liite",
    ]

    /// Texts in brackets after a file's name, in lower case.
    static let attachedNotes: Set<String> = [
        "file attached", "datei angehängt", "archivo adjunto", "fichier joint", "file allegato", "bestand bijgevoegd",
        "arquivo anexado", "ficheiro anexado", "файл добавлен", "dosya ekli", "plik załączony", "file terlampir",
        "添付ファイル", "檔案已附加", "附件", "파일 첨부됨", "bifogad fil", "फ़ाइल अटैच की गई",
    ]

    /// Texts that replace media that were left out, in lower case.
    static let omissions: Set<String> = [
        "<media omitted>", "<medien ausgeschlossen>", "<medien weggelassen>", "<multimedia omitido>",
        "<archivo omitido>", "<médias omis>", "<media omessi>", "<media weggelaten>", "<mídia oculta>",
        "<arquivo de mídia oculto>", "<ficheiro não revelado>", "<без медиафайлов>", "<medya dahil edilmedi>",
        "<pominięto multimedia>", "<media tidak disertakan>", "<メディアなし>", "<已忽略多媒體檔>", "<미디어 파일을 제외한 내용>",
        "<तस्वीरें व दूसरी मीडिया फ़ाइलें मौजूद नहीं है>", "<view once message omitted>", "<einmalansicht ausgeschlossen>",
        "null",
    ]

    /// Endings of iOS lines that replace media that were left out, in lower case.
    static let omittedEndings = [
        " omitted", " weggelassen", " omitida", " omitido", " absente", " absent", " omessa", " omesso", " omessi",
        " weggelaten", " ocultada", " ocultado", " oculta", " oculto", " не добавлено", " не добавлен", " pominięto",
        " dahil edilmedi", " tidak disertakan", " utelämnad",
    ]
}
