/// Texts of the application in the languages of its users, in lower case, between bars.
///
/// `%` stands for a name or another text, `#` for a number.
///
/// - Source: WhatsApp's own translations: `strings.xml` of 60 languages (Android 2.17, public copy
///   HassanSardar/GBWhatsApp_Raw), `Localizable.strings` of 42 languages (iOS 22.24, collected in starkdmi/whats_json,
///   `patterns.dart`). Later wordings: tables and tests of public parsers, among them gesiscss/WhatsR (`Languages.csv`)
///   and Pustur/whatsapp-chat-parser (issue 258).
enum WhatsAppTexts {
    /// Texts that replace a deleted message.
    static let deletions = """
        hierdie boodskap was uitgevee | تم حذف هذه الرسالة | bu ismarıc silindi | съобщението беше изтрито |
        এই বার্তাটি মুছে ফেলা হয়েছে | aquest missatge està esborrat | tato zpráva byla odstraněna |
        denne besked blev slettet | diese nachricht wurde gelöscht | αυτό το μήνυμα διαγράφηκε |
        este mensaje fue eliminado | see sõnum on kustutatud | این پیام حذف شد | tämä viesti poistettiin |
        ce message a été supprimé | આ સંદેશ રદ્દ કરાયો | הודעה זו נמחקה | यह संदेश मिटाया गया |
        ova poruka je izbrisana | ez az üzenet törlésre került | pesan ini telah dihapus |
        questo messaggio è stato eliminato | このメッセージは削除されました | бұл хат жойылды | ಈ ಸಂದೇಶವು ಅಳಿಸಲ್ಪಟ್ಟಿದೆ |
        이 메시지는 삭제되었습니다 | ši žinutė buvo ištrinta | šī ziņa tika izdzēsta | оваа порака беше избришана |
        ഈ സന്ദേശം ഇല്ലാതാക്കിയതാണ് | हा संदेश हटविण्यात आला होता | mesej ini telah dipadam |
        denne meldingen ble slettet | dit bericht is verwijderd | ਇਸ ਸੁਨੇਹੇ ਨੂੰ ਹਟਾਇਆ ਗਿਆ |
        ta wiadomość została usunięta | esta mensagem foi apagada | esta mensagem foi apagada pelo remetente |
        acest mesaj a fost șters | данное сообщение удалено | táto správa bola odstránená |
        to sporočilo je bilo izbrisano | ова порука је обрисана | detta meddelande raderades | ujumbe huu ulifutwa |
        இத்தகவல் திரும்பப்பெறப்பட்டது | ข้อความนี้ได้ถูกลบ | itong mensahe ay binura na | bu mesaj silindi |
        це повідомлення було видалено | یہ پیغام حذف کیا گیا | ushbu xabar o'chirildi | tin nhắn này đã bị xoá |
        信息已删除 | 此訊息已刪除 | this message was deleted | jy het boodskap uitgevee | أنت حذفت هذه الرسالة |
        siz bu ismarıcı sildiniz | изтрихте това съобщение | আপনি এই বার্তাটি মুছে ফেলেছেন |
        has esborrat aquest missatge | tuto zprávu jste odstranil/a | du slettede denne besked |
        du hast diese nachricht gelöscht | διαγράψατε αυτό το μήνυμα | eliminaste este mensaje |
        kustutasid selle sõnumi | شما این پیام را حذف کردید | poistit tämän viestin |
        vous avez supprimé ce message | તમે આ સંદેશને રદ્દ કર્યો | מחקת הודעה זו | आपने यह संदेश मिटाया |
        izbrisali ste ovu poruku | törölted ezt az üzenetet | anda telah menghapus pesan ini |
        hai eliminato questo messaggio | このメッセージを削除しました | сіз бұл хатты жойдыңыз | ನೀವು ಈ ಸಂದೇಶವನ್ನು ಅಳಿಸಿದ್ದೀರಿ |
        삭제한 메시지입니다 | jūs ištrynėte šią žinutę | jūs izdzēsāt šo ziņu | ја избриша оваа порака |
        ഈ സന്ദേശം നിങ്ങൾ ഇല്ലാതാക്കി | आपण हा संदेश हटविलात | anda telah memadamkan mesej ini |
        du slettet denne meldingen | u hebt dit bericht verwijderd | ਤੁਸੀਂ ਇਹ ਸੁਨੇਹਾ ਹਟਾਇਆ |
        usunąłeś(aś) tę wiadomość | você apagou esta mensagem | ați șters acest mesaj |
        вы удалили данное сообщение | túto správu ste odstránili | to sporočilo ste izbrisali |
        обрисао/ла си ову поруку | du raderade detta meddelande | umefuta ujumbe huu |
        இத்தகவலை தாங்கள் அழித்தீர்கள் | คุณลบข้อความนี้ | binura mo itong mensahe | bu mesajı sildiniz |
        ви видалили це повідомлення | آپ نے اس پیغام کو حذف کیا | siz ushbu xabarni o'chirdingiz |
        bạn đã xoá tin nhắn này | 您删除这个信息 | 您已刪除此訊息 | you deleted this message | se eliminó este mensaje |
        এই মেসেজটি বাদ দেওয়া হয়েছে | 这条消息已被删除 | tin nhắn này đã bị xóa | یہ میسج حذف کر دیا گیا ہے |
        ข้อความนี้ถูกลบแล้ว | det här meddelandet raderades | mensagem apagada | हा मेसेज हटवण्यात आला |
        pesan ini dihapus | ova je poruka izbrisana | यह मैसेज डिलीट कर दिया गया है | આ મેસેજ ડિલીટ કરાયો |
        scriosadh an teachtaireacht seo | این پیام حذف شده است | denne besked er blevet slettet |
        tato zpráva byla smazána | aquest missatge s'ha suprimit | מחקת את ההודעה הזו | вы удалили это сообщение |
        apagou esta mensagem | διαγράψατε το μήνυμα | لقد حذفت هذه الرسالة | আপনি এই মেসেজটি বাদ দিয়েছেন |
        您已删除这条消息 | bạn đã xóa tin nhắn này | آپ نے یہ میسج حذف کر دیا ہے | คุณได้ลบข้อความนี้ |
        du har tagit bort meddelandet | du raderade det här meddelandet | usunąłeś(-ęłaś) tę wiadomość |
        तुम्ही हा मेसेज हटवला | 이 메시지를 삭제했습니다 | ezt az üzenetet törölted | anda menghapus pesan ini |
        आपने यह मैसेज डिलीट किया | તમે આ મેસેજ ડિલીટ કર્યો | scrios tú an teachtaireacht seo |
        du har slettet denne besked | tuto zprávu jste smazal/a | has suprimit aquest missatge | message deleted |
        you deleted this message as admin | this message was deleted by an admin |
        this message was deleted by admin | this message was deleted by admin % | essa mensagem foi apagada |
        você apagou essa mensagem | eliminaste este mensaje como admin | це повідомлення видалено |
        это сообщение было удалено | это сообщение удалено | je hebt dit bericht verwijderd |
        usunięto tę wiadomość | यह मैसेज मिटाया गया | यह मैसेज हटा दिया गया | यह मैसेज डिलीट किया गया |
        آپ نے یہ پیغام حذف کر دیا | یہ پیغام حذف کر دیا گیا | حذفت هذه الرسالة | لقد حذفت أنت هذه الرسالة |
        삭제된 메시지입니다 | 메시지를 삭제했습니다 | 此消息已删除 | 这条消息已删除 | 你已刪除這則訊息 | 您已刪除這則訊息 | 你已删除此消息 | メッセージを削除しました |
        detta meddelande har raderats | du tog bort det här meddelandet | denne meldingen er slettet | mesaj șters |
        това съобщение бе изтрито | това съобщение беше изтрито | poruka je izbrisana | viesti poistettu |
        ההודעה נמחקה | ההודעה נמחקה על ידי %
        """

    /// Texts in angle brackets after an edited text.
    static let edits = """
        this message was edited | diese nachricht wurde bearbeitet | se editó este mensaje |
        este mensaje fue editado | ce message a été modifié | questo messaggio è stato modificato |
        mensagem editada | esta mensagem foi editada | essa mensagem foi editada | dit bericht is bewerkt |
        данное сообщение изменено | это сообщение изменено | сообщение изменено | bu mesaj düzenlendi |
        pesan ini diedit | pesan ini telah diedit | ההודעה נערכה | تم تعديل هذه الرسالة | تم تعديل هذا المحتوى |
        ta wiadomość została zmieniona | wiadomość edytowana | tato zpráva byla upravena |
        táto správa bola upravená | це повідомлення змінено | повідомлення змінено | acest mesaj a fost editat |
        det här meddelandet har redigerats | det här meddelandet redigerades | denne meldingen ble redigert |
        denne besked blev redigeret | tätä viestiä muokattiin | ez az üzenet szerkesztve lett |
        αυτό το μήνυμα τροποποιήθηκε | ข้อความนี้ถูกแก้ไข | tin nhắn này đã được chỉnh sửa | このメッセージは編集されました |
        이 메시지가 수정되었습니다 | 此消息已编辑 | 此訊息已編輯 | यह मैसेज एडिट किया गया | mesej ini telah diedit
        """

    /// Words before the colon in `<attached: …>`.
    static let labels = """
        المرفق | attached | pièce jointe | прикреплено | پیوستہ | allegato | anexo | adjunto | επισυνάφθηκε |
        додано | anhang | 附件 | đính kèm | príloha | załączono | atașare | anexado | bijgevoegd | vedlagt |
        dilampir | संलग्न केले | 첨부됨 | 添付ファイル | csatolva | terlampir | priloženo | अटैच किया गया | જોડાયેલ |
        ceangailte | liite | پیوست | vedhæftet | příloha | adjunt | แนบ | מצורף | angehängt | eklendi | bifogat |
        bilaga | attachment | archivo adjunto | bijlage | вложение | прикачен файл | прикачено | ekli | ekli dosya |
        załącznik | lampiran | 添付 | 첨부 | bifogad | مرفق | המצורף
        """

    /// Texts in brackets after a file's name.
    static let notes = """
        lêer aangeheg | الملف مرفق | fayl əlavə olunub | прикачен файл | ফাইল সংযুক্ত হয়েছে | arxiu adjunt |
        soubor byl přiložen | fil vedhæftet | datei angehängt | συνημμένο αρχείο | archivo adjuntado |
        fail lisatud | liitetiedosto | fichier joint | ફાઇલ જોડાયેલ | קובץ מצורף | फाइल अटैच कर दी गई है |
        datoteka u privitku | fájl csatolva | file terlampir | file allegato | 添付ファイル有り | қосымша файл |
        ಕಡತ ಸೇರಿಸಲಾಯಿತು | 파일 첨부됨 | byla prisegta | pievienots fails | прикачен фајл | ഫയൽ ചേർത്തു | फाइल संलग्न |
        fail dilampirkan | vedlagt fil | bestand bijgevoegd | ਅਟੈਚ ਕੀਤੀ ਫਾਇਲ | załączony plik | arquivo anexado |
        ficheiro anexado | fișier atașat | файл добавлен | súbor pripojený | priložena datoteka | skedë e ngjitur |
        прикачена датотека | bifogad fil | faili limeambatanishwa | ఫైల్ జోడించబడినది | ไฟล์ที่แนบ |
        nakalakip na file | dosya ekli | файл додано | پیوستہ فائل | fayl biriktirildi | tệp đính kèm | 文件附件 |
        附件檔案 | file attached | archivo adjunto | plik załączony | 添付ファイル | 附件 | फ़ाइल अटैच की गई | файл прикреплен |
        문서 첨부됨
        """

    /// Texts in angle brackets that replace media that were left out, on Android.
    static let omissions = """
        media weggelaat | تم استبعاد الوسائط | media çıxarılmışdır | без файл | মিডিয়া বাদ দেওয়া হয়েছে |
        mitjans omesos | média vynechána | mediefil udeladt | medien weggelassen | εξαίρεση πολυμέσων |
        archivo omitido | meedia ära jäetud | پيوست نما/آهنگ حذف شد | media jätetty pois | fichier omis |
        મીડિયા અવગણાયું | מדיה הושמטה | मीडिया के बिना | medijski zapis izostavljen | hiányzó médiafájl |
        media tidak disertakan | media omesso | メディアは含まれていません | файл қосылған жоқ | ಮೀಡಿಯಾ ಕೈಬಿಡಲಾಗಿದೆ |
        미디어 파일을 생략한 대화내용 | praleistas medijos turinys | bez multivides | без фајл | മീഡിയ ഒഴിവാക്കി | मीडिया वगळले |
        media disingkirkan | uten vedlegg | media weggelaten | ਮੀਡੀਆ ਛੱਡਿਆ ਗਿਆ | pliki pominięto | mídia omitida |
        ficheiro não revelado | conținut media omis | файл пропущен | médiá vynechané | medij izpuščen | pa media |
        медији су изостављени | media har utelämnats | media imerukwa | ஊடகங்கள் நீக்கப்பட்டது |
        మాధ్యమం విస్మరించబడింది | สื่อถูกลบ | walang kalakip na media | medya atlanmış | медіа пропущено |
        میڈیا چھوڑ دیا گیا | fayl o'tkazib yuborildi | bỏ qua media | 省略多媒体文件 | 忽略多媒體檔 | media omitted |
        medien ausgeschlossen | multimedia omitido | médias omis | fichier multimédia exclu | media omessi |
        mídia oculta | arquivo de mídia oculto | без медиафайлов | медиафайл пропущен | medya dahil edilmedi |
        pominięto multimedia | multimedia pominięto | média vynechány | メディアなし | 已忽略多媒體檔 | 省略多媒體檔案 | 媒体省略 |
        媒体文件已省略 | 미디어 파일을 제외한 내용 | तस्वीरें व दूसरी मीडिया फ़ाइलें मौजूद नहीं है | view once message omitted |
        view once voice message omitted | video message omitted | video note omitted |
        einmalansicht ausgeschlossen | המדיה הוסרה | המדיה הושמטה | המדיה לא נכללה | медіа відсутня |
        без медіафайлів | média manquante | media mancante | medien fehlen | ملفات مفقودة | فایل رسانهای حذف شد |
        media utelatt | medier udeladt | mediefiler utelämnade | файловете не са включени | без мултимедия
        """

    /// Texts that replace media that were left out, with their kind, on iOS; and a live location, on both.
    static let stubs = """
        null | image omitted | התמונה הושמטה | изображение отсутствует | image absente | immagine omessa |
        imagem não revelada | imagen omitida | εικόνα παραλείφθηκε | зображення відсутнє | bild weggelassen |
        لم يتم إدراج الصورة | ইমেজ বাদ দেওয়া হয়েছে | 圖片已略去 | 圖像已省略 | 照片已忽略 | đã bỏ qua hình ảnh |
        تصویر نکال دی گئی ہے | görüntü dahil edilmedi | ไม่มีรูปภาพ | bild utesluten | obrázok vynechaný |
        obraz pominięty | imagine omisă | imagem ocultada | afbeelding weggelaten | bilde ikke inkludert |
        imej tidak dimasukkan | इमेज वगळली | 이미지 생략됨 | 画像は含まれていません | kép küldése sikertelen |
        gambar tidak disertakan | slika izostavljena | फ़ोटो हटाई गई | છબી પડતી મૂકાઈ | íomhá ligthe ar lár |
        تصویر حذف شد | billede udeladt | obrázek vynechán | imatge omesa | video omitted | סרטון הווידאו הושמט |
        видео отсутствует | vidéo absente | video omesso | vídeo não revelado | video omitido |
        βίντεο παραλείφθηκε | відео відсутнє | video weggelassen | لم يتم إدراج الفيديوهات |
        ভিডিও বাদ দেওয়া হয়েছে | 影片已略去 | 影片已省略 | 视频已忽略 | đã bỏ video | ویڈیو نظرانداز | video dahil edilmedi |
        วิดีโอถูกลบ | video utesluten | video vynechané | wideo pominięte | clip video omis | vídeo omitido |
        video weggelaten | video utelatt | video tidak dimasukkan | व्हिडीओ वगळला | 비디오 생략됨 | ビデオは含まれていません |
        videó kihagyva | video tidak disertakan | video izostavljen | वीडियो छोड़ा गया | વિડિયો પડતી મુકાઈ |
        físeán ligthe ar lár | videota ei sisällytetä | ویدیو حذف شد | video udeladt | video vynecháno |
        vídeo omès | audio omitted | קטע קול הושמט | аудиофайл отсутствует | audio omis | audio omesso |
        ficheiro de áudio não revelado | audio omitido | ήχος παραλείφθηκε | аудіо відсутнє | audio weggelassen |
        لم يتم إدراج المقاطع الصوتية | অডিও বাদ দেওয়া হয়েছে | 音訊已略去 | 音訊已省略 | 音频已忽略 | bỏ qua tệp âm thanh |
        آڈیو نظرانداز | ses dahil edilmedi | ไม่มีไฟล์เสียง | ljud utelslutet | zvuk vynechaný | audio pominięte |
        fără audio | áudio ocultado | audio weggelaten | lyd utelatt | audio tidak dimasukkan | ऑडिओ वगळला |
        오디오 생략됨 | 音声は含まれていません | hang kihagyása | audio tidak disertakan | zvuk izostavljen | ऑडियो हटाई गयी |
        ઓડિયો ફાઇલ શામેલ કરી નથી | comhad fuaime ar lár | äänitiedostoa ei sisällytetä | صدا حذف شد | lyd udeladt |
        zvukový soubor vynechán | àudio omès | sticker omitted | סטיקר הושמט | стикер не добавлен | sticker omis |
        sticker non incluso | sticker não revelado | sticker omitido | αυτοκόλλητο παραλήφθηκε |
        наклейку не додано | sticker weggelassen | تم حذف الملصقات | স্টিকার বাদ দেওয়া হয়েছে | 貼圖已略去 | 貼圖已忽略 |
        贴图已省略 | đã bỏ sticker | اسٹیکر نظرانداز | çıkartma dahil edilmedi | ไม่มีสติกเกอร์ | sticker utesluten |
        nálepka vynechaná | pominięto naklejkę | figurinha omitida | sticker weggelaten | klistremerke utelatt |
        pelekat tidak disertakan | स्टिकर वगळले | 스티커 제외됨 | スタンプは含まれていません | matrica kihagyva |
        stiker tidak disertakan | naljepnica izostavljena | स्टिकर छोड़ा गया | સ્ટીકર પડતું મુકાયું |
        fágadh an greamán ar lár | tarraa ei sisällytetty | استیکر حذف شد | klistermærke udeladt |
        nálepka vynechána | adhesiu omès | gif omitted | gif הושמט | gif отсутствует | gif retiré | gif esclusa |
        gif não revelada | gif omitido | παράληψη gif | gif-анімацію пропущено | gif weggelassen |
        لم يتم إدراج صورة gif | জিআইএফ বাদ দেওয়া হয়েছে | gif 已略去 | gif 圖片已被省略 | gif 动态图已被忽略 | đã bỏ qua ảnh gif |
        gif نظرانداز | gif dahil edilmedi | ละเว้น gif | gif utesluten | gif vynechaný | plik gif pominięty |
        gif omis | gif weggelaten | gif utelatt | gif tidak dimasukkan | gif वगळले | gif 생략됨 | gifは含まれていません |
        gif fájl kihagyása | gif tidak disertakan | gif izostavljen | gif छोड़ा गया | gif પડતી મૂકાઈ |
        gif ligthe ar lár | gif-animaatio jätetty pois | gif حذف شد | gif udeladt | gif vynechán | gif omès |
        contact card omitted | כרטיס איש קשר הושמט | карточка контакта отсутствует | fiche contact manquante |
        scheda contatto omessa | contacto não revelado | tarjeta de contacto omitida | η κάρτα επαφής παραλήφθηκε |
        картка контакту відсутня | kontaktkarte ausgelassen | لم يتم إدراج بطاقة جهة اتصال |
        পরিচিতির কার্ড বাদ দেওয়া হয়েছে | 聯絡人卡片已略去 | 聯絡人卡片已省略 | 联系人卡片已忽略 | bỏ qua thẻ liên lạc |
        رابطہ کارڈ نظر انداز | kişi kartı dahil edilmedi | บัตรรายชื่อที่ละเว้น | kontaktkort uteslutet |
        karta kontaktu vynechaná | pominięta wizytówka kontaktu | carte de vizită contact omisă |
        cartão do contato omitido | visitekaartje weggelaten | kontaktkort sløyfet | kad kenalan tidak dimasukkan |
        संपर्क कार्ड वगळले | 연락처 카드 생략됨 | 連絡先カードを省略 | névjegykártya kihagyva | kartu kontak tidak disertakan |
        posjetnica izostavljena | कॉन्टैक्ट कार्ड छोड़ा गया | સંપર્કનું કાર્ડ પડતું મૂકાયું |
        cárta teagmhála ar lár | yhteystietokortti jätettiin pois | برگ مخاطب حذف شد | kontaktkort udeladt |
        vizitka vynechána | targeta de contacte omesa | document omitted | מסמך הושמט | документ отсутствует |
        document manquant | documento omesso | documento não revelado | documento omitido | έγγραφο παραλείφθηκε |
        документ пропущено | dokument weggelassen | لم يتم إدراج المستند | ডকুমেন্ট বাদ দেওয়া হয়েছে | 文件已略去 |
        文件已忽略 | 文档已省略 | đã bỏ qua tài liệu | دستاویز نظرانداز | belge dahil edilmedi | ละเว้นเอกสาร |
        dokument uteslutet | dokument vynechaný | dokument pominięty | document omis | document weggelaten |
        utelatt dokument | dokumen tidak dimasukkan | डॉक्युमेंट वगळले | 문서 생략됨 | ドキュメントは含まれていません |
        dokumentum kihagyva | dokumen tidak disertakan | dokument izostavljen | डॉक्यूमेंट छोड़ा गया |
        ડોક્યુમેન્ટ સામેલ કર્યું નહિ | cáipéis ligthe ar lár | dokumenttia ei sisällytetä | سند حذف شد |
        dokument udeladt | dokument vynechán | document omès | video note omitted | voice message omitted |
        view once message omitted | audio absent | sticker absent | gif absent | document absent | audio oculto |
        vídeo ocultado | documento ocultado | gif omitida | contacto omitido | gif omesso | sticker omesso |
        аудио отсутствует | стикер отсутствует | контакт отсутствует | resim dahil edilmedi | 画像は省略されました |
        動画は省略されました | 音声メッセージは省略されました | スタンプは省略されました | 圖片已省略 | 图片已省略 | 视频已省略 | 語音訊息已省略 | 音频已省略 | 貼圖已省略 | 文件已省略 |
        동영상 생략됨 | המדבקה הושמטה | ההודעה הקולית הושמטה | השמע הושמט | המסמך הושמט | כרטיס איש הקשר הושמט |
        الصورة غير مشمولة | الفيديو غير مشمول | تم استبعاد الملصق | تم استبعاد الصوت | live location shared |
        regstreekse ligging gedeel | تمت مشاركة الموقع المباشر | canlı məkan paylaşılıb |
        местоположение в реално време споделено | লাইভ অবস্থান শেয়ার করা হয়েছে | ubicació en directe compartida |
        byla sdílena aktuální poloha | live placering delt | live-standort wird geteilt |
        η τωρινή τοποθεσία κοινοποιήθηκε | ubicación en tiempo real compartida | hetke asukoht jagatud |
        مکان زنده به اشتراک گذاشته شد | live-sijainti jaettu | localisation en direct partagée |
        જીવંત સ્થાન શેર કરાયું | משתף מיקום בשידור חי | लाइव स्थान साझा किया गया | trenutna lokacija podijeljena |
        tartózkodási hely megosztva | lokasi terkini dibagikan | posizione attuale condivisa | ライブロケーション共有 |
        қазіргі орынмен бөлісті | ನೇರ ಸ್ಥಳ ಹಂಚಿಕೊಳ್ಳಲಾಗಿದೆ | 공유한 실시간 위치 | tiesioginė vieta bendrinama |
        reāllaika atrašanās vieta | споделено локација во живо | ലൈവ് ലൊക്കേഷൻ പങ്കിട്ടു |
        सध्याचे थेट ठिकाण शेअर केले | lokasi terkini dikongsi | posisjon i sanntid delt | live locatie gedeeld |
        ਮੌਜੂਦਾ ਟਿਕਾਣਾ ਸਾਂਝਾ ਕੀਤਾ | udostępniona transmisja położenia | localização atual compartilhada |
        está a partilhar a sua localização | locație în timp real distribuită | геоданные отправлены |
        bola zdieľaná aktuálna poloha | lokacija v živo je bila deljena | vendnodhja aktuale u shpërnda |
        локација уживо подељена | liveposition delad | mahali mubashara pameshirikishwa | இடம் நேரலையாக பகிரபட்டது |
        ప్రత్యక్ష స్థాన భాగస్వామ్యం | ตำแหน่งปัจจุบันถูกแบ่งปัน | ibinahagi ang live na lokasyon |
        mevcut konum paylaşıldı | геодані надіслано | جاری مقام کا اشتراک ہوا | jonli joylashuv ulashildi |
        vị trí hiện thời được chia sẻ | 共享实时位置 | 實時位置已分享
        """
}
