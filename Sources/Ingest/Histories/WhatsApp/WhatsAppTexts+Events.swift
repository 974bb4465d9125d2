extension WhatsAppTexts {
    /// Events of a group, with the names of people and groups.
    static let events = """
        % het "%" groep geskep | % أنشأ مجموعة "%" | % "%" qrupunu yaratdı | % създаде групата "%" |
        % "%" গোষ্ঠীটি তৈরি করেছে | % ha creat el grup "%" | % vytvořil/a skupinu % | % oprettede gruppen "%" |
        % hat die gruppe "%" erstellt | % δημιούργησε την ομάδα "%" | % creó el grupo "%" | % lõi grupi "%" |
        % گروه "%" را به وجود آورد | % loi ryhmän "%" | % a créé le groupe "%" | %એ સમૂહ "%" બનાવ્યું |
        % יצר/ה את הקבוצה "%" | % ने "%" समूह बनाया | % je stvorio/la grupu "%" |
        % létrehozta a következő csoportot: "%" | % membuat grup "%" | % ha creato il gruppo "%" |
        %がグループ"%"を作成しました | % "%" тобын ашты | % ಗುಂಪು "%" ನ್ನು ರಚಿಸಿದ್ದಾರೆ | %님이 "%"그룹을 만들었습니다 |
        % sukūrė grupę "%" | % izveidoja grupu "%" | % ја создаде групата "%" | %, "%" എന്ന ഗ്രൂപ്പുണ്ടാക്കി |
        % यांनी "%" हा गट तयार केला | % telah mencipta grup "%" | % opprettet gruppen "%" |
        % heeft de groep '%' aangemaakt | % ਨੇ "%" ਗਰੁੱਪ ਬਣਾਇਆ | % utworzył(a) grupę "%" | % criou o grupo "%" |
        % a creat grupul "%" | % создал(-а) группу "%" | % vytvoril/a skupinu % | oseba % je ustvarila skupino "%" |
        % ka krijuar grupin "%" | % је направио/ла групу "%" | % skapade gruppen "%" | % ameunda kikundi "%" |
        % உருவாக்கிய குழு "%" | % ได้สร้างกลุ่ม "%" | binuo ni % ang grupong may paksang "%" |
        % , "%" grubunu oluşturdu | % створив групу "%" | % نے گروپ "%" بنایا | % "%" guruhini yaratdi |
        % đã tạo nhóm "%" | % 创建了 "%" 群组 | % 建立了 "%" 群組 | % created group "%" |
        % het die groepsbeskrywing verander | % غير وصف المجموعة | % qrup barədə məlumatı dəyişdirdi |
        % смени темата на групата | % গোষ্ঠীর বর্ণনা পরিবর্তন করেছেন | % ha canviat la descripció del grup |
        % změnil/a popis skupiny | % ændrede gruppe beskrivelsen | % hat die gruppenbeschreibung geändert |
        % άλλαξε την ονομασία της ομάδας | % cambió la descripción del grupo | % vahetas grupi kirjeldust |
        % شرح گروه را تغییر داد | % muutti ryhmän kuvausta | % a changé la description du groupe |
        %એ સમૂહનું વર્ણન બદલ્યું | % שינה/תה את תיאור הקבוצה | % ने समूह का वर्णन बदला |
        % je promijenio/la opis grupe | % megváltoztatta a csoport témáját | % telah mengubah deskripsi grup |
        % ha cambiato la descrizione del gruppo | % がグループの説明を変更しました | % топ сипаттамасын өзгертті |
        % ಗುಂಪಿನ ವಿವರಣೆಯನ್ನು ಬದಲಾಯಿಸಿದ್ದಾರೆ | %님이 그룹 설명을 변경했습니다 | % pakeitė grupės aprašymą |
        % nomainīja grupas aprakstu | % го смени описот на групата | % ഗ്രൂപ്പ് വിവരണം മാറ്റി |
        % ने समूहाचे चिन्ह बदलले | % endret gruppebeskrivelsen | % heeft het groepsonderwerp gewijzigd |
        % ਨੇ ਗਰੁੱਪ ਦਾ ਵੇਰਵਾ ਬਦਲਿਆ | % zmienił(a) opis grupy | % alterou a descrição do grupo |
        % a schimbat descrierea grupului | % изменил(-а) описание группы | % zmenil/a popis skupiny |
        oseba % je spremenila opis skupine | % је променио/ла опис групе | % ändrade gruppens beskrivning |
        % amebadili maelezo ya kikundi | % குழு விவரிப்பை மாற்றினார் | % ได้เปลี่ยนคำอธิบายของกลุ่ม |
        binago ni % ang deskripsyon ng grupo | % grup açıklamasını değiştirdi | % змінив опис групи |
        % نے گروپ کی تفصیل میں تبدیلی کی | % guruh tavsifini o'zgartirdi | % đã thay đổi mô tả nhóm | %更改了群组描述 |
        % 更改了群組描述 | % changed the group description | % het hierdie groep se ikoon verander |
        % غير أيقونة هذه المجموعة | % bu qrupun təsvirini dəyişdi | % промени иконката на чата |
        % এই গোষ্ঠীর আইকন পরিবর্তন করেছেন | % ha canviat la icona del grup | % změnil/a ikonu této skupiny |
        % ændrede denne gruppes ikon | % hat das gruppenbild geändert | % άλλαξε αυτής της ομάδας το εικονίδιο |
        % cambió el icono de este grupo | % muutis selle grupi ikooni | % علامت گروه را تغییر داد |
        % vaihtoi ryhmän kuvaketta | % a changé l'icône de ce groupe | %એ અા સમૂહનું ચિહ્ન બદલ્યું |
        % החליף/ה את תמונת קבוצה זו | % ने समूह का चिन्ह बदल दिया | % je promijenio/la ikonu grupe |
        % megváltoztatta a csoport ikonját | % telah mengubah ikon grup ini | % ha cambiato l'immagine del gruppo |
        %がグループ画像を変更しました | % осы топтың суретін өзгертті | % ಗುಂಪಿನ ಚಿಹ್ನೆಯನ್ನು ಬದಲಿಸಿದರು | %님이 그룹아이콘을 변경했습니다 |
        % pakeitė grupės piktogramą | % nomainīja grupas ikonu | % ја промени иконата на оваа група |
        % ഗ്രൂപ്പിന്റെ ചിഹ്നം മാറ്റി | % यांनी या गटाचे चिन्ह बदलले | % telah menukar ikon grup |
        % endret gruppeikonet i denne gruppen | % heeft de groepsafbeelding gewijzigd | % ਨੇ ਗਰੁੱਪ ਦਾ ਆਈਕਾਨ ਬਦਲਿਆ |
        % zmienił(a) ikonę tej grupy | % alterou a imagem deste grupo | % alterou o ícone deste grupo |
        % a schimbat imaginea acestui grup | % изменил(-а) картинку группы | % zmenil/a ikonu tejto skupiny |
        % je spremenil/a ikono te skupine | % ndryshoi ikonën e grupit | % је променио/ла иконицу групе |
        % ändrade gruppens ikon | % amebadili ikoni ya kikundi hiki | % குழுவின் சின்னத்தை மாற்றினார் |
        % గ్రూప్ యొక్క ప్రతిమను మార్చారు | % ได้เปลี่ยนไอคอนกลุ่มนี้ | % nagpalit ng icon ng grupo |
        % bu grubun simgesini değiştirdi | % змінив(-ла) іконку цієї групи | % نے اس گروپ کا نشان تبدیل کردیا |
        % guruh rasmini o'zgartirdi | % đã thay đổi biểu tượng nhóm này | % 更改了本群组图标 | % 更改了本群組圖標 |
        % changed this group's icon | % het hierdie groep se ikoon uitgevee | % حذف أيقونة هذه المجموعة |
        % bu qrupun təsvirini sildi | % изтри иконката на групата | % এই গোষ্ঠীর আইকন মুছে ফেলেছেন |
        % ha esborrat la icona d'aquest grup | % odstranil/a ikonu této skupiny | % slettede denne gruppes ikon |
        % hat das gruppenbild gelöscht | % διέγραψε αυτής της ομάδας το εικονίδιο | % eliminó el icono del grupo |
        % kustutas selle grupi ikooni | % علامت گروه را حذف کرد | % poisti ryhmän kuvakkeen |
        % a supprimé l'icône de ce groupe | %એ આ સમૂહનું ચિહ્ન રદ્દ કર્યું | % מחק/ה את תמונת קבוצה זו |
        % ने इस समूह का चिन्ह मिटा दिया है | % je izbrisao/la ikonu grupe | % törölte a csoport ikonját |
        % telah menghapus ikon grup ini | % ha eliminato l'immagine del gruppo | %がグループ画像を削除しました |
        % осы топтың суретін жойды | ಈ ಗುಂಪಿನ ಗುರುತನ್ನು % ಅಳಿಸಿದರು | %님이 그룹 아이콘을 변경하였습니다 |
        % pašalino šios grupės piktogramą | % dzēsa šīs grupas ikonu | % ја избриша иконата на групата |
        % ഈ ഗ്രൂപ്പിൻ്റെ ചിഹ്നം കളഞ്ഞു | % यांनी या गटाचे चिन्ह हटविले | % telah memadam ikon grup ini |
        % slettet dette gruppeikonet | % heeft de groepsafbeelding verwijderd | % ਨੇ ਗਰੁੱਪ ਦੇ ਆਈਕਾਨ ਨੂੰ ਹਟਾਇਆ |
        % usunął(ęła) ikonę tej grupy | % apagou a imagem deste grupo | % apagou o ícone deste grupo |
        % a șters imaginea acestui grup | % удалил(-а) картинку группы | % odstránil/a ikonu tejto skupiny |
        % je izbrisal/a ikono te skupine | % fshiu ikonën e grupit | % је избрисао/ла иконицу групе |
        % raderade gruppens ikon | % amefuta ikoni ya kikundi hiki | % குழு சின்னத்தை நீக்கினார் |
        % గ్రూప్ ఐకాన్ ని తొలగించారు | % ได้ลบไอคอนกลุ่มนี้ | % nagbura ng group icon |
        % bu grubun simgesini sildi | % видалив(-ла) іконку групи | % نے اس گروپ کے نشان کو حذف کردیا |
        % guruh rasmini o'chirdi | % đã xóa biểu tượng nhóm này | % 删除了本群组图标 | % 刪除了本群組圖標 |
        % deleted this group's icon | % was bygevoeg | تمت إضافة % | % əlavə olundu | % беше добавен/а |
        % -কে যোগ করা হয়েছে | s'ha afegit a % | přidán/a % | % blev tilføjet | % wurde hinzugefügt | % προστέθηκε |
        se añadió a % | % lisati | % اضافه شد | % lisättiin | % a été ajouté(e) | % ઉમેરાયા હતા | % נוסף/ה לקבוצה |
        % को शामिल किया गया | % je dodan/a | % csatlakozott | % telah ditambahkan | % è stato aggiunto |
        % が追加されました | % қосылды | % ರನ್ನು ಸೇರಿಸಲಾಗಿದೆ | %님이 추가되었습니다 | % buvo pridėtas | % tika pievienots |
        % е додаден | % നെ ചേർത്തു | % यांना समाविष्ट केले | % telah ditambah | % ble lagt til | % is toegevoegd |
        % ਨੂੰ ਜੋੜਿਆ | % został(a) dodany(a) | % foi adicionado | % foi adicionado a este grupo |
        % a fost adăugat/ă | % был(-а) добавлен(-а) | % pridaný/á | % je bil/a dodan/a | % është shtuar në grup |
        % је додат/а | % har lagts till | % ameongezwa | %சேர்க்கப்பட்டார் | % జోడించబడింది | % ได้เข้าร่วมในกลุ่ม |
        % ay naisali | % eklendi | додано % | % کو شامل کیا گیا | % qo'shildi | % đã được thêm vào nhóm | % 已加入 |
        % was added | jy was bygevoeg | تمت إضافتك | siz əlavə olundunuz | бяхте добавен/а | আপনাকে যোগ করা হয়েছে |
        t'han afegit | byl/a jste přidán/a | du blev tilføjet | du wurdest hinzugefügt | προστεθήκατε |
        se te añadió al grupo | sind lisati | شما اضافه شده اید | sinut lisättiin | vous avez été ajouté(e) |
        તમને ઉમેરવામાં આવ્યા હતા | נוספת לקבוצה | आपको शामिल किया गया | dodani ste | hozzá lettél adva |
        anda telah ditambahkan | sei stato aggiunto | グループに追加されました | сізді топқа қосты | ನಿಮ್ಮನ್ನು ಸೇರಿಸಲಾಗಿದೆ |
        그룹에 추가되었습니다 | jūs buvote pridėti | tikāt pievienots | те додадоа | നിങ്ങളെ ചേർത്തിരിക്കുന്നു |
        तुम्हाला समाविष्ट करण्यात आले | anda telah ditambah | du ble lagt til | u bent toegevoegd |
        ਤੁਹਾਨੂੰ ਸ਼ਾਮਿਲ ਕੀਤਾ ਗਿਆ ਹੈ | zostałeś(aś) dodany(a) | você foi adicionado | foi adicionado a este grupo |
        ați fost adăugat/ă | вы были добавлены | ste v skupine | bili ste dodani | dikush ju ka shtuar në grup |
        додат/а си | du har lagts till | uliongezwa | இணைக்கப்பட்டுள்ளீர் | మీరు చేర్చబడ్డారు |
        คุณได้เข้าร่วมกลุ่ม | kasali ka na | eklendiniz | вас додано | آپ کو شامل کیا گیا | siz qo'shildingiz |
        bạn đã được thêm vào nhóm | 您已被添加 | 您被加到群組 | you were added | % het verlaat | % غادر | % tərk etdi |
        % напусна | % ছেড়েছেন | % ha marxat | % opustil/a skupinu | % forlod | % hat die gruppe verlassen |
        % αποχώρησε | % salió | % lahkus | % ترک کرد | % poistui | % est parti | % છોડી ને ગયા | % עזב/ה |
        % नें छोड़ा | % izašao | % kilépett | % keluar | % ha abbandonato | % が退出 | % топтан шықты |
        % ನಿರ್ಗಮಿಸಿದರು | %님이 퇴장하였습니다 | % išėjo | % aizgāja | % напушти | % പുറത്തു പോയി | % सोडून गेले |
        % forlot gruppen | % heeft de groep verlaten | % ਨੇ ਛੱਡਿਆ | % opuścił(a) | % saiu | % saiu do grupo |
        % a ieșit | % покинул(-а) группу | % je odšel/a | % u largua nga grupi | % напустио | % lämnade | % katoka |
        % விலகினார் | % వీడెను | % ออกจากกลุ่ม | umalis si % | % ayrıldı | % покинув(-ла) групу | % نےچھوڑدیا |
        % tark etdi | % đã rời nhóm | % 退出了 | % left | jy het verlaat | أنت غادرت | siz tərk etdiniz | напуснахте |
        ছেড়ে গেছেন | has marxat | opustil/a jste skupinu | du forlod | du hast die gruppe verlassen | αποχωρήσατε |
        saliste | sa lahkusid | شما از گروه رفتید | sinä poistuit | groupe quitté | તમે છોડયું | את/ה עזבת |
        आपनें छोड़ दिया | izašli ste | kiléptél | anda keluar | hai abbandonato | 退出しました | шықтыңыз |
        ನೀವು ನಿರ್ಗಮಿಸಿದ್ದೀರಿ | 퇴장했습니다 | jūs palikote | jūs aizgājāt | напушти | നിങ്ങൾ ഗ്രൂപ്പ് വിട്ടു |
        आपण गट सोडलात | anda telah keluar | du forlot gruppen | u hebt de groep verlaten | ਤੁਸੀਂ ਛੱਡਿਆ |
        opuściłeś(aś) | você saiu | saiu do grupo | ați ieșit | вы покинули группу | opustili ste skupinu |
        zapustili ste | ju keni dalur nga grupi | напустио/ла си | du lämnade | umejitoa | விலகினீர் | మీరు వీడారు |
        คุณออกจากกลุ่มแล้ว | umalis ka | ayrıldınız | ви вийшли | آپ نے چھوڑ دیا | siz tark etdingiz |
        bạn đã rời nhóm | 您已退出群组 | 您已退出群組 | you left | % was verwyder | تمت إزالة % | % silindi |
        % беше премахнат/а | % কে সরানো হয়েছে | % ha estat esborrat | % odebrán/a | % blev fjernet |
        % wurde entfernt | % καταργήθηκε | se eliminó a % | % eemaldati | % حذف شد | % poistettiin |
        % a été retiré(e) | % ને કાઢી નંખાયું | % הוסר/ה | % को हटा दिया गया | % je uklonjen/a | % eltávolítva |
        % telah dikeluarkan | % è stato rimosso | % が削除されました | % топтан шығарылды | %ರನ್ನು ತೆಗೆಯಲಾಯಿತು | %님 강제 퇴장 |
        % buvo pašalintas | % tika noņemts | % е отстранет | % നെ നീക്കം ചെയ്തു | % यांना काढून टाकण्यात आले |
        % telah dibuang | % ble fjernet | % is verwijderd | % ਨੂੰ ਹਟਾ ਦਿੱਤਾ ਗਿਆ | % został(a) usunięty(a) |
        % foi removido | % a fost eliminat(ă) | % был(-а) удален(-а) | % odobraný/á | % je bil odstranjen |
        % është hequr nga grupi | % је уклоњен/а | % togs bort | % iliondolewa | % நீக்கப்பட்டது |
        % ని తీసివేయటమైనది | % ได้ถูกลบออกแล้ว | inalis si % | % çıkarıldı | % видалено | % کو ہٹاﻳﺎ ﮜﻴﺎ |
        % o'chirildi | % đã bị bỏ | % 被移除了 | % was removed | jy was verwyder | تمت إزالتك | çıxarıldınız |
        бяхте премахнат/а | আপনাকে অপসারন করা হয়েছে | has estat esborrat | byli jste odebráni | du blev fjernet |
        du wurdest entfernt | καταργηθήκατε | se te eliminó del grupo | sind eemaldati | شما حذف شده اید |
        sinut poistettiin | vous avez été retiré(e) | તમને કાઢી નખાયા | הוסרת מהקבוצה | आप को हटा दिया गया है |
        uklonjeni ste | el lettél távolítva | anda telah dikeluarkan | sei stato rimosso | グループから削除されました |
        сізді топтан шығарып тастады | ನಿಮ್ಮನ್ನು ತೆಗೆದುಹಾಕಲಾಯಿತು | 강제 퇴장되었습니다 | buvote pašalintas |
        jūs tikāt noņemts | те отстранија | നിങ്ങളെ ഒഴിവാക്കി | आपणास काढून टाकण्यात आले | anda telah dibuang |
        du ble fjernet | u bent verwijderd | ਤੁਹਾਨੂੰ ਹਟਾਇਆ ਗਿਆ | zostałeś(aś) usunięty(a) | você foi removido |
        foi removido do grupo | ați fost eliminat/ă | вы были удалены | boli ste odobraný/á | bili ste odstranjeni |
        ju jeni dëbuar nga grupi | уклоњен/а си | du togs bort | ulitolewa | நீங்கள் நீக்கபட்டீர்கள் |
        మీరు తొలగించబడ్డారు | คุณถูกลบออกจากกลุ่ม | ikaw ay inalis | çıkarıldınız | вас видалено |
        آپ کو ہٹایا گیا تھا | siz o'chirildingiz | bạn đã bị bỏ | 您已被移除 | you were removed | % het % bygevoeg |
        % أضاف % | % əlavə etdi: % | % добави % | % % -কে যোগ করেছেন | % ha afegit % | % přidal/a uživatele % |
        % tilføjede % | % hat % hinzugefügt | % πρόσθεσε % | % añadió a % | % lisas % | % توسط % اضافه شد |
        % lisäsi henkilön % | % a ajouté % | % એ %ને ઉમેર્યો | % הוסיף/ה את % | % ने % को जोडा | % dodao/la % |
        % hozzáadta % | % menambahkan % | % ha aggiunto % | %が%を追加しました | % топқа % қосты | % %ರನ್ನು ಸೇರಿಸಿದರು |
        %님이 %님을 추가했습니다 | % pridėjo % | % pievienoja % | % го додаде % | %, % നെ ചേര്ത്തു | % तर्फे % समाविष्ट |
        % telah menambah % | % la til % | % heeft % toegevoegd | % ਨੇ % ਨੂੰ ਜੋੜਿਆ | % dodał(a) % | % adicionou % |
        % adicionou % a este grupo | % a adăugat % | % добавил(-а) % | % pridal/a používateľa % | % je dodal/a % |
        % ka shtuar % | % је додао % | % lade till % | % amemuongeza % | % % என்பவரை இதில் இணைத்தார் |
        % % ని చేర్చారు | % ได้เพิ่ม % เข้ากลุ่ม | % nakapasok % | %, % kişisini ekledi | % додав(-ла) % |
        % نے % کو شامل کیا | % %ni qo'shdi | % đã thêm % vào nhóm | % 添加了 % | % added % | % het jou bygevoeg |
        % أضافك | % sizi əlavə etdi | % ви добави | % আপনাকে যোগ করেছেন | % t'ha afegit | % vás přidal/a |
        % tilføjede dig | % hat dich hinzugefügt | % σας πρόσθεσε | % te añadió | % lisas sind |
        % شما را اضافه کرد | % lisäsi sinut | % vous a ajouté | % એ તમને ઉમેર્યા | % הוסיף/ה אותך |
        % आपको शामिल किया | % te je dodao | % hozzáadott téged | % telah menambahkan anda | % ti ha aggiunto |
        %があなたを追加しました | % топқа қосты | % ನಿಮ್ಮನ್ನು ಸೇರಿಸಿದ್ದಾರೆ | %님에게 초대받았습니다 | % pridėjo tave | % pievienoja jūs |
        % те додаде | % നിങ്ങളെ ചേര്ത്തു | % यांनी तुम्हाला समाविष्ट केले | % telah menambah anda | % la deg til |
        % heeft u toegevoegd | % ਨੇ ਤੁਹਾਨੂੰ ਸ਼ਾਮਲ ਕੀਤਾ | % dodał(a) cię | % adicionou você |
        foi adicionado a este grupo por % | % v-a adăugat | % добавил(-а) вас | % vás pridal/a | % vas je dodal |
        ju jeni shtuar nga % | % те је додао | % lade till dig | % alikuongeza wewe |
        % இக்குழுவில் தங்களை சேர்த்தார் | % మిమ్మల్ని చేర్చారు | % ได้เพิ่มคุณเข้ากลุ่ม | dinagdag ka ni % |
        % sizi ekledi | % додав(-ла) вас | % نے آپ کو شامل کیا | % sizni qo'shdi | % đã thêm bạn vào nhóm | % 添加了您 |
        % 新增了您 | % added you | % het vir % verwyder | % أزال % | % % tərəfindən çıxarıldı | % премахна % |
        % , % কে আপসারন করেছেন | % ha expulsat a % | % odebral(a) uživatele % | % fjernede % | % hat % entfernt |
        % κατάργησε % | % eliminó a % | % eemaldas % | % % را حذف کرد | % poisti henkilön % | % a retiré % |
        % એ %ને કાઢી નાખ્યું | % הסיר/ה את % | % ने % को हटा दिया | % je uklonio % | % eltávolította % |
        % mengeluarkan % | % ha rimosso % | %が%を削除しました | % % топтан шығарды | % ರನ್ನು % ತೆಗೆದುಹಾಕಿದರು |
        %님이 %님을 그룹에서 퇴장시켰습니다 | % pašalino % | % noņēma % | % го отстрани % | %, % നെ നീക്കം ചെയ്തു |
        % यांनी % यांना काढले | % telah mengeluarkan % | % fjernet % | % heeft % verwijderd | % ਨੇ % ਹਟਾ ਦਿੱਤਾ ਹੈ |
        % usunął(ęła) % | % removeu % | % removeu % deste grupo | % a eliminat pe % | % удалил(-а) % |
        % odobral/a používateľa % | % je odstranil/a % | % u dëbua nga % | % је уклонио % | % tog bort % |
        % amemuondoa % | % % என்பவரை இதிலிருந்து நீக்கினார் | % % ని తొలగించారు | % ได้ลบ % ออก | inalis ni % si % |
        %, % kişisini çıkardı | % видалив(-ла) % | % نے % کو ہٹایا | % %ni o'chirdi | % đã bỏ % khỏi nhóm |
        % 移除了 % | % removed % | % het jou verwyder | % أزالك | % sizi çıxartdı | % ви премахна |
        % আপনাকে অপসারন করেছেন | % t'ha expulsat | % vás odebral(a) | % fjernede dig | % hat dich entfernt |
        % σαςκατάργησε | % te eliminó | % eemaldas sind | % شما را حذف کرد | % poisti sinut | % vous a retiré |
        % એ તમને કાઢી નાખ્યા | % הסיר/ה אותך | % ने आपको हटा दिया | % vas je uklonio/la |
        % eltávolított a csoportból | % telah mengeluarkan anda | % ti ha rimosso | %があなたを削除しました |
        % сізді топтан шығарды | % ನಿಮ್ಮನ್ನು ಹೊರಹಾಕಿದ್ದಾರೆ | %님에게 퇴장당했습니다 | % pašalino jus | % noņēma jūs |
        % те отстрани | % നിങ്ങളെ നീക്കം ചെയ്തു | % यांनी आपल्याला काढले | % fjernet deg | % heeft u verwijderd |
        % ਨੇ ਤੁਹਾਨੂੰ ਹਟਾਇਆ | % usunął(ęła) cię | % removeu você | foi removido deste grupo por % | % v-a eliminat |
        % удалил(-а) вас | % vás odobral/a | % vas je odstranil/a | % ju ka larguar nga grupi | % те је уклонио |
        % tog bort dig | % amekuondoa wewe | % தங்களை நீக்கினார் | % మిమ్మల్ని తొలగించారు | % ได้ลบคุณออก |
        inalis ka ni % | % sizi çıkardı | % видалив(-ла) вас | % نے آپ کو ہٹایا | % sizni o'chirdi |
        % đã bỏ bạn ra khỏi nhóm | % 移除了您 | % removed you | jy het % bygevoeg | أنت أضفت % | % qrupa əlavə etdiniz |
        вие добавихте % | আপনি যোগ করেছেন %কে | has afegit a % | přidal/a jste uživatele % | du tilføjede % |
        du hast % hinzugefügt | προσθέσατε % | añadiste a % | % lisatud sinu poolt | شما % را اضافه کردید |
        lisäsit henkilön % | vous avez ajouté % | તમે % ને ઉમેર્યા | הוספת את % | आपने % को शामिल किया |
        dodali ste % | % hozzáadva | anda menambahkan % | hai aggiunto % | %を追加しました | % топқа қостыңыз |
        ನೀವು % ರನ್ನು ಸೇರಿಸಿದ್ದೀರಿ | %님을 추가했습니다 | jūs pridėjote % | pievienojāt % | го додаде % |
        നിങ്ങൾ % നെ ചേര്ത്തു | आपण % यांना समाविष्ट केले | anda telah menambah % | du la til % |
        u hebt % toegevoegd | ਤੁਸੀਂ % ਨੂੰ ਜੋੜਿਆ ਹੈ | dodałeś(aś) % | você adicionou % | adicionou % a este grupo |
        ați adăugat pe % | вы добавили % | pridali ste používateľa % | ju keni shtuar % | додао/ла си % |
        du lade till % | umemuongeza % | % என்பவரை சேர்த்துள்ளீர் | మీరు %ను చేర్చారు | คุณได้เพิ่ม % เข้ากลุ่ม |
        idinagdag mo si % | % kişisini eklediniz | ви додали % | آپ نے% کو شامل کیا | siz %ni qo'shdingiz |
        bạn đã thêm % vào nhóm | 您添加了 % | 您新增了 % | you added % | jy het % verwyder | أنت أزلت % |
        % sizin tərəfinizdən silindi | вие премахнахте % | আপনি % কে সরিয়েছেন | has esborrat a % |
        odebrali jste uživatele % | du fjernede % | du hast % entfernt | καταργήσατε % | eliminaste a % |
        % eemaldatud sinu poolt | شما % را حذف کردید | poistit henkilön % | vous avez retiré % | તમે % ને કાઢયા |
        הסרת את % | आपने % को हटाया | uklonili ste % | eltávolítottad őt: % | anda mengeluarkan % | hai rimosso % |
        %を削除しました | сіз топтан % шығардыңыз | ನೀವು % ಅವರನ್ನು ಹೊರತೆಗೆದಿದ್ದೀರಿ | %님을 퇴장 시켰습니다 | jūs pašalinote % |
        jūs noņēmāt % | го отстрани % | നിങ്ങൾ % നെ നീക്കം ചെയ്തു | आपण % यांना काढले | anda telah mengeluarkan % |
        du fjernet % | u hebt % verwijderd | ਤੁਸੀਂ % ਨੂੰ ਹਟਾ ਦਿੱਤਾ | usunąłeś(ęłaś) % | você removeu % |
        removeu % deste grupo | ați eliminat pe % | вы удалили % | odobrali ste používateľa % | odstranili ste % |
        ju keni larguar % | уклонио/ла си % | du tog bort % | umemwondoa % | % என்பவரை நீக்கிவிட்டீர் |
        మీరు %ని తొలగించారు | คุณได้ลบ % ออก | inalis mo si % | % kişisini çıkardınız | ви видалили % |
        آپ نے % کو ہٹایا | siz %ni o'chirdingiz | bạn đã bỏ % khỏi nhóm | 您移除了 % | you removed % |
        % het die onderwerp verander na "%" | % غير اسم المجموعة إلى "%" | % mövzunu "%" olaraq dəyişdirdi |
        % промени темата на "%" | % বিষয় পরিবর্তন করে "%" করছে | % ha canviat l'assumpte a "%" |
        % změnil/a téma na % | % ændrede emnet til "%" | % hat den betreff zu "%" geändert |
        % άλλαξε το θέμα σε "%" | % cambió el asunto a "%" | % seadis teemaks "%" | % موضوع را به "%" تغییر داد |
        % vaihtoi aiheeksi "%" | % a modifié le sujet en "%" | %એ વિષયને "%"માં બદલ્યું | % החליף/ה את הנושא ל-"%" |
        % ने विषय को "%" में बदला | % je promijenio naslov u "%" | % megváltoztatta a témát erre: "%" |
        % mengubah subjek menjadi "%" | % ha cambiato l'oggetto in "%" | % がグループ名を"%"に変更しました |
        % топ атауын "%" деп өзгертті | % ರವರು ವಿಷಯವನ್ನು "%" ಕ್ಕೆ ಬದಲಾಯಿಸಿದರು | %님이 그룹 이름을 "%"로 변경했습니다 |
        % pakeitė temą į "%" | % nomainīja tematu uz "%" | % го промени насловот во "%" |
        %, വിഷയം "%" എന്നാക്കി മാറ്റിയിരിക്കുന്നു | % यांनी विषय बदलुन "%" केला | % mengubah subjek grup ke "%" |
        % endret emnet til "%" | % heeft het onderwerp gewijzigd naar '%' | % ਨੇ ਵਿਸ਼ਾ ਬਦਲ ਕੇ "%" ਕਰ ਦਿੱਤਾ |
        % zmienił(a) temat na "%" | % alterou o nome do grupo para "%" | % alterou o assunto da conversa para "%" |
        % a schimbat subiectul în "%" | % изменил(-а) тему на "%" | % zmenil/a tému na % |
        oseba % je spremenila zadevo v "%" | % ndryshoi titullin në "%" | % је променио/ла тему у "%" |
        % ändrade ämnet till "%" | % amebadilisha mada kuwa "%" | % தலைப்பை "%" என்று மாற்றியுள்ளார் |
        % ได้เปลี่ยนหัวข้อเป็น "%" | binago ni % ang paksa: "%" | % grup konusunu "%" olarak değiştirdi |
        % змінив(-ла) тему на "%" | % نے گروپ کا موضوع "%" میں تبدیل کر دیا ہے | % mavzuni "%"ga o'zgartirdi |
        % đã đổi tên nhóm thành "%" | % 更改了主题为 "%" | % 更改了主題為 "%" | % changed the subject to "%" |
        % het die onderwerp van "%" na "%" verander | % غير اسم المجموعة من "%" إلى "%" |
        % "%" mövzusunu "%" olaraq dəyişdirdi | % промени темата от "%" на "%" | % বিষয় পাল্টে "%" থেকে "%" করেছে |
        % ha canviat l'assumpte de "%" a "%" | % změnil/a téma % na % | % ændrede emnet fra "%" til "%" |
        % hat den betreff von "%" zu "%" geändert | % άλλαξε το θέμα από "%" σε "%" |
        % cambió el asunto de "%" a "%" | % muutis vestluse teema "%" teemaks "%" |
        % موضوع را از "%" به "%" تغییر داد | % vaihtoi aiheen "%" aiheeksi "%" | % a modifié le sujet "%" en "%" |
        %એ વિષયને "%"થી બદલીને "%" કર્યું | % החליף/ה את נושא הקבוצה מ-"%" ל-"%" |
        % ने विषय को "%" से "%" में बदला | % je promijenio naslov iz "%" u "%" |
        % megváltoztatta a témát erről: "%", erre: "%" | % telah mengubah subjek dari "%" menjadi "%" |
        % ha cambiato l'oggetto da "%" a "%" | % が件名を"%"から"%"に変更しました | % "%" деген топ атауын "%" етіп өзгертті |
        % ರವರು ವಿಷಯವನ್ನು "%" ರಿಂದ "%" ಕ್ಕೆ ಬದಲಾಯಿಸಿದ್ದಾರೆ | %님이 그룹 이름을 "%"에서 "%"로 변경했습니다 |
        % pakeitė temą iš "%" į "%" | % nomainīja tematu no "%" uz "%" | % го промени насловот од "%" во "%" |
        %, "%" എന്ന വിഷയം "%" എന്നാക്കി മാറ്റി | % यांनी विषय बदलुन "%" चा "%" केला |
        % telah mengubah subjek dari "%" ke "%" | % endret emne fra "%" til "%" |
        % heeft het onderwerp gewijzigd van '%' naar '%' | % ਨੇ ਵਿਸ਼ੇ ਨੂੰ ਬਦਲ ਕੇ "%" ਤੋਂ "%" ਕਰ ਦਿੱਤਾ ਹੈ |
        % zmienił(a) temat z "%" na "%" | % alterou o nome de "%" para "%" |
        % alterou o assunto do grupo "%" para "%" | % a schimbat subiectul din "%" în "%" |
        % изменил(-а) тему с "%" на "%" | % zmenil/a tému % na % | oseba % je spremenila zadevo iz "%" v "%" |
        % ka ndryshuar titullin nga "%" to "%" | % је променио/ла тему из "%" у "%" |
        % ändrade ämnet från "%" till "%" | % amebadili mada kutoka "%" kuwa "%" |
        % தலைப்பை "%" என்பதிலிருந்து "%" என்று மாற்றியுள்ளார் | % ได้เปลี่ยนหัวข้อ "%" เป็น "%" |
        iniba ni % ang paksa, dating "%" ngayon ay "%" | %, "%" olan konuyu "%" olarak değiştirdi |
        % змінив(-ла) тему з "%" на "%" | % نے موضوع کو "%" سے "%"میں تبدیل کیا |
        % mavzuni "%"dan "%"ga o'zgartirdi | % đã đổi tên nhóm từ "%" thành "%" | % 把主题从 "%" 改为 "%" |
        % 將主題由 "%" 改為 "%" | % changed the subject from "%" to "%" |
        % het aangesluit deur hierdie groep se uitnodigingskakel te gebruik |
        % انضم إلى المجموعة عبر استخدام رابط الدعوة الخاص بها | % dəvət keçidindən istifadə edərək qoşuldu |
        % се присъедини използвайки линка за покана на групата | % গোষ্ঠীর আমন্ত্রণ লিংক ব্যবহার করে যুক্ত হয়েছেন |
        % s'ha unit utilitzant aquest enllaç de convit al grup |
        % se připojil/a k této skupině pomocí zvacího odkazu | % tilsluttede sig via denne gruppes invitation link |
        % ist dieser gruppe mit dem einladungslink beigetreten |
        % συμμετέχει χρησιμοποιώντας τον σύνδεσμο πρόσκλησης της ομάδας |
        % se unió usando el enlace de invitación de este grupo | % liitus kasutades selle grupi kutsu linki |
        % با استفاده از لینک دعوت به گروه ملحق شد | % liittyi ryhmään kutsulinkillä |
        % a intégré ce groupe grâce au lien d'invitation | % સમૂહમાં આમંત્રણ લિંકથી જોડાયો છે |
        % הצטרף/ה באמצעות קישור ההזמנה של קבוצה זו | समूह निमंत्रण लिंक का उपयोग कर के % जुड़े |
        % se pridružio/la koristeći pozivnicu grupe | % csatlakozott a csoporthoz a meghívó linkkel |
        % telah bergabung menggunakan tautan undangan grup ini | % è entrato usando il link d'invito al gruppo |
        % がこのグループの招待リンクから参加しました | % осы топқа шақыру сілтемесі арқылы қосылды |
        % ಈ ಗುಂಪಿನ ಕರೆಯ ಕೊಂಡಿಯನ್ನು ಬಳಸಿ ಸೇರಿದ್ದಾರೆ | %님이 이 그룹 초대 링크로 참여했습니다 |
        % prisijungta naudojantis šia gruopės pakvietimo nuoroda |
        % pievienojās grupai izmantojot uzaicinājuma saiti |
        % се приклучи користејќи го линкот за покана на групата | ഈ ഗ്രൂപ്പിന്റെ ലിങ്ക് വഴി % ചേർന്നിരിക്കുന്നു |
        या गटाचा आमंत्रण दुवा वापरून % सामील झाले | % telah menyertai menggunakan pautan jemputan grup ini |
        % ble med ved bruk av denne gruppens invitasjonslenke |
        % is deelnemer geworden via de uitnodigingslink van deze groep |
        % ਇਸ ਗਰੁੱਪ ਦੇ ਸੱਦਾ ਲਿੰਕ ਦੀ ਵਰਤੋਂ ਕਰਕੇ ਹਿੱਸਾ ਬਣਾਇਆ | % dołączył(a) do grupy używając linku z zaproszeniem |
        % entrou usando o link de convite deste grupo | % entrou no grupo através da ligação de convite |
        % s-a alăturat grupului utilizând acest link de invitație |
        % присоединился(-ась) к группе, используя приглашение |
        % sa pripojil/a k tejto skupine pomocou pozývacieho odkazu | % se je pridružil/a klepetu preko povezave |
        % i është bashkëngjitur grupit përmes ftesës | % се придружио/ла користећи позивну везу ове групе |
        % anslöt genom att använda denna gruppens inbjuningslänk |
        % amejiunga akitumia kiungo cha mwaliko wa kikundi hiki |
        % இக்குழுவின் அழைப்பிதழ் இணைப்பின் மூலம் சேர்ந்தார் | % ఈ కూటమి యొక్క ఆహ్వాన వినతి ద్వార చెరినారు |
        % เข้าร่วมโดยใช้ลิงค์เชิญของกลุ่มนี้ | si % ay sumali gamit ang invite link ng grupo |
        % bu grubun davet bağlantısını kullanarak katıldı |
        % приєднався(-лася) до групи, використовуючи запрошення |
        % نے اس گروپ کی دعوتی لنک کا استعمال کرکےشمولیت اختیار کی |
        % ushbu guruh taklif havolasidan foydalanib qo'shildi | % đã tham gia nhóm này bằng liên kết mời |
        % 使用了群组邀请连结加入群组 | % 使用了群組邀請連結加入群組 | % joined using this group's invite link | % het verander na % |
        تم تغيير رقم الهاتف من % إلى % | % nömrəsini % olaraq dəyişdirdi | номер % е променен на % |
        % পরিবর্তিত হয়ে % হয়েছে | % ha canviat al % | % používá nové číslo % | % ændrede til % |
        % hat zu % gewechselt | % άλλαξε σε % | % cambió a % | % on nüüd % | % به % تغییر پیدا کرد |
        % muuttui numeroon % | % est passé à % | % બદલાઇ ને % થયો | % השתנה ל-% | % अब % में बदल गया है |
        % promijenjen u % | % megváltozott erre: % | % diganti menjadi % | % è stato cambiato con % | %は%に変更されました |
        % нөмірі % нөміріне ауыстырылды | % ಇಂದ % ಗೆ ಬದಲಾಯಿಸಲಾಗಿದೆ | %번에서 %번으로 변경되었습니다 | % pakeitė į % |
        % nomainīts uz % | % го промени во % | %, % ലേക്ക് മാറിയിരിക്കുന്നു | % बदलून % झाले |
        % telah diubah kepada % | % endret til % | % is gewijzigd naar % | % ਨੂੰ % ਵਿੱਚ ਬਦਲਿਆ ਗਿਆ |
        % zmienił(a) numer na % | % alterado para % | % mudou o número para % | % s-a schimbat cu % |
        % изменен на % | % je zmenené na % | % spremenjena v % | % u ndryshua në % | % је промениo/ла број у % |
        % har bytt till % | % imebadilishwa kuwa % | % % ஆக மாற்றப்பட்டது | % సంఖ్య % కు మార్చబడింది |
        % ได้ถูกเปลี่ยนเป็น % | % ay pinalitan ng % | %, numarasını % olarak değiştirdi | % змінено на % |
        % % پر تبدیل ہو چکا ہے | % % ga o'zgartirdi | % đã được đổi thành % | % 已更改为 % | % 已變更為 % | % changed to % |
        % were added | jy is nou 'n admin | أصبحت الآن مشرفا | siz artıq inzibatçısınız | вече сте администратор |
        আপনি এখন একজন পরিচালক | ara ets admin | nyní jste správcem | du er nu admin | du bist jetzt ein admin |
        είστε τώρα διαχειριστής | ahora eres un administrador | sa oled nüüd admin | اکنون شما مدیر هستید |
        olet nyt ylläpitäjä | vous êtes maintenant un administrateur | હવે તમે સંચાલક છો | את/ה כעת מנהל/ת |
        अब आप एक प्रशासक हैं | sad ste administrator | admin lettél | anda sekarang adalah admin |
        ora sei un amministratore | 管理者になりました | сіз енді администраторсыз | ಈಗ ನೀವು ನಿರ್ವಾಕರಾಗಿದ್ದೀರಿ | 그룹장이 되었습니다 |
        dabar jūs esate administratorius | tagad esat administrators | сега си администратор |
        ഇപ്പോൾ നിങ്ങൾ അഡ്മിൻ ആണ് | आता आपण प्रशासक आहात | anda kini adalah pentadbir | du er nå en administrator |
        u bent nu beheerder | ਹੁਣ ਤੁਸੀਂ ਪ੍ਰਸ਼ਾਸ਼ਕ ਹੋ | jesteś teraz administratorem |
        você agora é um administrador | passou a ser administrador deste grupo | sunteți acum admin. de grup |
        теперь вы админ | teraz ste správcom skupiny | sedaj ste upravitelj | ju tani jeni administrator |
        сада си админ | du är nu administratör | sasa wewe ni mtawala | நீங்கள் தற்போது நிர்வாகி |
        మీరు ఇప్పుడు నిర్వాహకులు | ขณะนี้คุณเป็นผู้ดูแลกลุ่มนี้แล้ว | isa ka ng admin | artık yöneticisiniz |
        тепер ви адміністратор | اب آپ ایک منتظم ہیں | siz endi adminsiz | bạn hiện là quản trị viên | 您已成为群组管理员 |
        您已成為群組管理員 | you're now an admin | jy is nie meer 'n admin nie | أنت لم تعد مشرفا |
        artıq qrupun inzibatçısı deyilsiniz | вече не сте администратор | আপনি আর এখন পরিচালক নন |
        ja no ets administrador | nejste již správcem skupiny | du er ikke længere admin | du bist kein admin mehr |
        δεν είστε πλέον διαχειριστής | ya no eres administrador | sa ei ole enam admin |
        شما دیگر در این گروه ادمین نمی باشید | et ole enää ylläpitäjä | vous n'êtes plus un administrateur |
        તમે હવે સંચાલક નથી રહ્યા | את/ה כבר לא מנהל/ת | अब आप एक प्रशासक नही रहे हैं | niste više administrator |
        nem vagy többé admin | anda bukan lagi seorang admin | non sei più un amministratore | 管理者ではなくなりました |
        енді сіз администратор емессіз | ಇನ್ನು ಮುಂದೆ ನೀವು ನಿರ್ವಾಹಕರಲ್ಲ | 더이상 그룹장이 아닙니다 |
        jūs nebeesate administratorius | vairs neesat administrators | не си повеќе администратор |
        ഇനിമുതൽ നിങ്ങൾ അഡ്മിൻ അല്ല | आपण यापुढे अॅडमीन नाही | anda bukan lagi pentadbir |
        du er ikke en administrator lenger | u bent geen beheerder meer | ਤੁਸੀਂ ਹੁਣ ਪ੍ਰਸ਼ਾਸ਼ਕ ਨਹੀਂ ਹੋ |
        nie jesteś już administratorem | você não é mais um administrador |
        deixou de ser administrador deste grupo | nu mai sunteți admin. de grup | вы больше не являетесь админом |
        už nie ste správcom skupiny | niste več upravitelj | nuk jeni më një administrator |
        ниси више администратор | du är inte längre administratör | wewe sio mtawala tena |
        நீங்கள் இனி நிர்வாகி அல்ல | మీరు ఇకనుండి నిర్వాహకులు కారు | คุณไม่ได้เป็นผู้ดูแลแล้ว | hindi ka na admin |
        artık bir yönetici değilsiniz | ви більше не адміністратор | آپ اب ایک منتظم نہیں رہے |
        siz ortiq admin emassiz | bạn không còn là quản trị viên | 您已不是群组管理员 | 您已不是本群組管理員 |
        you're no longer an admin | you created this group | you changed this group's icon |
        you deleted this group's icon | you changed the group description |
        you changed this group's settings to allow % | you turned off disappearing messages | you pinned a message |
        you blocked this contact | you unblocked this contact | you joined from the community |
        du hast das gruppenbild geändert | du hast die gruppenbeschreibung geändert |
        cambiaste el ícono de este grupo | fijaste un mensaje | você criou este grupo |
        você mudou a imagem deste grupo | você fixou uma mensagem | % created this group | % created the group "%" |
        % changed the group name to "%" | % changed the group name from "%" to "%" | % changed the group name |
        % changed this group's settings to allow % | % left the group | % pinned a message | % started a call |
        % started a video call | % started a voice call | % joined from the community |
        % joined using a group link | % joined using your invite | % joined via an invite link |
        % requested to join | % was added by % | % is now an admin | % was made an admin |
        % turned on disappearing messages. % | % turned off disappearing messages. % |
        % turned off disappearing messages | % updated the message timer. % |
        % turned on admin approval to join this group | % turned off admin approval to join this group |
        % reset this group's invite link |
        % changed their phone number to a new number. tap to message or add the new number |
        % changed their phone number | % is a contact | % added this group to the community: % |
        % hat den gruppennamen zu "%" geändert | % hat den gruppennamen von "%" zu "%" geändert |
        % hat eine neue telefonnummer. tippe, um eine nachricht zu schreiben oder die neue nummer hinzuzufügen |
        % hat einen anruf gestartet | % hat einen videoanruf gestartet | % hat eine nachricht angeheftet |
        % ist der gruppe mit dem einladungslink beigetreten | % ist jetzt admin | % cambió el ícono de este grupo |
        % cambió el nombre del grupo de "%" a "%" | % cambió el nombre del grupo a "%" | % salió del grupo |
        % fijó un mensaje | % mudou a imagem deste grupo | % mudou o nome do grupo de "%" para "%" |
        % mudou o nome do grupo para "%" | % mudou a descrição do grupo | % fixou uma mensagem |
        % criou este grupo | % a modifié le nom du groupe en "%" | % a quitté le groupe | % a épinglé un message |
        % ha cambiato il nome del gruppo in "%" | % ha abbandonato il gruppo | % ha fissato un messaggio |
        % heeft de groepsnaam gewijzigd in "%" | % heeft een bericht vastgemaakt |
        % изменил(-а) название группы на "%" | הקבוצה נוצרה על ידי % | שם הקבוצה השתנה על ידי % |
        תמונת הקבוצה השתנתה על ידי % | תיאור הקבוצה שונה על ידי % | צורפת על ידי % | צירפת את % |
        % הצטרף/ה לקבוצה באמצעות קישור ההזמנה | % הוחלף למספר חדש. הקש/י כדי לשלוח הודעה או להוסיף מספר חדש
        """
}
