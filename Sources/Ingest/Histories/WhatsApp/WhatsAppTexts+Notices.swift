extension WhatsAppTexts {
    /// Texts of the application about the chat that no person writes word for word: calls, waiting, first steps.
    static let notices = """
        missed voice call | שיחה קולית שלא נענתה | пропущенный аудиозвонок | appel vocal manqué |
        chiamata vocale persa | chamada de voz perdida | llamada perdida | αναπάντητη φωνητική κλήση |
        αναπάντητη βιντεοκλήση | пропущений аудіодзвінок | verpasster sprachanruf | مكالمة صوتية فائتة |
        ভয়েস কল মিস করেছেন | 未接語音通話 | 未接语音通话 | مسڈ وائس کال | cevapsız sesli arama | สายที่ไม่ได้รับ |
        missat röstsamtal | zmeškaný hovor | nieodebrane poł. głosowe | apel vocal ratat | gemist spraakgesprek |
        tapt taleanrop | panggila suara terlepas | panggilan suara terlepas | मिस्ड व्हॉइस कॉल | 부재중 전화 | 音声通話不在着信 |
        nem fogadott hanghívás | panggilan suara tak terjawab | propušteni glasovni poziv | वॉइस कॉल मिस हुई |
        मिस्ड वॉइस कॉल | છૂટી ગયેલો વોઇસ કૉલ | છૂટેલો વોઇસ કૉલ | guthghlao caillte | glao gutha caillte |
        vastaamaton äänipuhelu | تماس صوتی پاسخ داده نشده | ubesvaret taleopkald | trucada de veu perduda |
        apel vocal nepreluat | మిస్సేడ్ వాయిస్ కాల్ | nakaligtaang voice call | zmeškaný hlasový hovor | 不在着信 |
        αναπάντητη κλήση | neatbildēts balss zvans | mistet opkald | жауапсыз қоңырау | છૂટી ગયેલ ધ્વનિ કૉલ |
        छूटी हुई ध्वनि कॉल | o'tkazib yub. ovozli qo'ng'iroq | nieodebrane połączenie | thirrje e shmangur |
        zgrešen klic | چھوٹی ہوئی صوتی کال | simu ya sauti uliyoikosa | தவறிய குரல் அழைப்பு |
        praleistas balso skambutis | llamada de voz perdida | vastamata häälkõne | propušten glasovni poziv |
        gemiste spraakoproep | пропуснато гласово обаждане | মিসড ভয়েস কল | stemoproep gemis | buraxılmış zəng |
        വിളി നഷ്ടപ്പെട്ടു | пропуштен гласовен повик | ತಪ್ಪಿದ ಧ್ವನಿ ಕರೆ | пропуштен гласовни позив |
        ਮਿਸ ਹੋਈ ਆਵਾਜ਼ ਕਾਲ | missed video call | שיחת וידאו שלא נענתה | пропущенный видеозвонок |
        appel vidéo manqué | videochiamata persa | videochamada perdida | videollamada perdida |
        пропущений відеодзвінок | verpasster videoanruf | مكالمة فيديو فائتة | ভিডিও কল মিস করেছেন | 未接視像通話 |
        未接视频通话 | cuộc gọi nhỡ video | مسڈ ویڈیو کال | cevapsız görüntülü arama | วิดีโอคอลที่ไม่ได้รับ |
        missat videosamtal | zmeškaný videohovor | nieodebrane poł. wideo | apel video ratat |
        chamada de vídeo perdida | gemist videogesprek | tapt videoanrop | panggilan video terlepas |
        मिस्ड व्हिडिओ कॉल | 부재중 영상통화 | ビデオ通話不在着信 | nem fogadott videohívás | panggilan video tak terjawab |
        propušteni videopoziv | मिस्ड वीडियो कॉल | છૂટી ગયેલ વિડિયો કૉલ | físghlao caillte |
        vastaamaton videopuhelu | تماس تصویری بیپاسخ | ubesvaret videoopkald | videotrucada perduda |
        apel video nepreluat | తప్పిన వీడియోకాల్ | nakaligtaang video call | trucada de vídeo perduda |
        neatbildēts video zvans | mistede video opkald | жауапсыз видео қоңырау | છૂટી ગયેલ વિડિઓ કૉલ |
        छूटी हुई विडियो कॉल | o'tkazib yub. videoqo'ng'iroq | videothirrje e shmangur | neodgovorjen video klic |
        چھوٹی ہوئی ویڈیو کال | simu ya video uliyoikosa | தவறிய காணொலி அழைப்பு | สายโทรวิดีโอที่ไม่ได้รับ |
        تماس تصویری پاسخ داده نشده | praleistas video skambutis | tapt videosamtale | vastamata videokõne |
        propušten video poziv | nem fogadott videóhívás | gemiste video-oproep | пропуснато видео обаждане |
        মিস করা ভিডিও কল | video-oproep gemis | buraxılmış video zəng | നഷ്ടമായ വീഡിയോ കാൾ | пропуштен видео повик |
        ತಪ್ಪಿದ ದೃಶ್ಯ ಕರೆ | пропуштен видео позив | ਮਿਸ ਹੋਈ ਵੀਡੀਓ ਕਾਲ |
        wag tans vir hierdie boodskap. dit mag 'n rukkie neem | في انتظار هذه الرسالة، قد يستغرق ذلك بعض الوقت |
        i̇smarıc üçün gözlənilir. bu biraz vaxt apara bilər |
        изчакване на съобщението. това може да отнеме известно време |
        বার্তাটির জন্য অপেক্ষা করা হচ্ছে। এটার জন্য কিছুক্ষন সময় লাগতে পারে |
        esperant aquest missatge. això pot trigar una estona | čekání na tuto zprávu. tato akce může chvíli trvat |
        venter på denne besked. det kan tage lidt tid | warte auf diese nachricht. das kann einen moment dauern |
        αναμονή για το μήνυμα. αυτό μπορεί να διαρκέσει λίγο | esperando el mensaje. esto puede tomar tiempo |
        ootab seda sõnumit. see võib aega võtta | در انتظار برای این پیام. ممکن است قدری طول بکشد |
        odotetaan tätä viestiä. tässä saattaa kestää hetki |
        en attente de ce message. ceci pourrait prendre un moment |
        આ સંદેશ માટે રાહ જોવાઈ રહી છે. આ માટે ક્ષણભર નો સમય લાગી શકે છે |
        ממתין להודעה זו. פעולה זו עשויה להימשך מספר דקות |
        इस संदेश के लिए प्रतीक्षा कर रहे है. इसमें थोड़ा समय लग सकता है | čekam na ovu poruku. ovo može potrajati |
        várakozás az üzenetre. ez eltarthat egy ideig |
        menunggu pesan ini. ini mungkin membutuhkan waktu beberapa saat |
        in attesa del messaggio. potrebbe volerci un po' di tempo | メッセージを待っています。しばらく時間がかかることがあります |
        осы хат күтілуде. бұл біраз уақыт алуы мүмкін |
        ಈ ಸಂದೇಶಕ್ಕಾಗಿ ಕಾಯಲಾಗುತ್ತಿದೆ. ಇದು ಸ್ವಲ್ಪ ಸಮಯ ತೆಗೆದುಕೊಳ್ಳಬಹುದು | 메시지 암호화 대기중입니다. 다소 시간이 소요될 수 있습니다 |
        laukiama šios žinutės. tai gali užtrukti | gaida ziņu. tas var aizņemt kādu brīdi |
        се чека пораката. ова може да потрае | ഈ സന്ദേശത്തിനായി കാത്തിരിക്കുന്നു. കുറച്ചു സമയമെടുത്തേക്കാം |
        हा संदेश येण्याची वाट पाहत आहे. यासाठी थोडा वेळ लागू शकतो | menunggu mesej ini. ini akan mengambil masa |
        venter på denne meldingen. dette kan ta en stund | wachten op dit bericht. dit kan even duren |
        ਇਸ ਸੁਨੇਹੇ ਦੀ ਉਡੀਕ ਕੀਤੀ ਜਾ ਰਹੀ ਹੈ। ਇਸ ਨੂੰ ਕੁਝ ਸਮਾਂ ਲੱਗ ਸਕਦਾ ਹੈ |
        oczekiwanie na tę wiadomość. to może chwilę potrwać | aguardando esta mensagem. isso pode demorar um pouco |
        a aguardar pela mensagem. pode demorar alguns minutos |
        în așteptarea mesajului. procesul poate dura un timp |
        ожидание сообщения. это может занять некоторое время |
        čaká sa na túto správu. táto akcia môže chvíľu trvať | čakamo na to sporočilo. to bi lahko malce trajalo |
        duke pritur mesazhin. kjo mund të zgjasë pak | чека се порука. ово може потрајати |
        väntar på detta meddelande. detta kan ta en stund | inasubiri ujumbe huu. hii inaweza ikachukua muda |
        இத்தகவலுக்கு காத்திருக்கிறோம். சற்று நேரமாகலாம் | సందేశం కోసం ఎదురుచూస్తున్నాం. కొంత సమయం పట్టచ్చు |
        กำลังรอข้อความนี้ อาจใช้เวลาสักครู่ | naghihintay sa mensahe. maaaring ito ay magtagal |
        mesaj bekleniyor. bu biraz zaman alabilir | очікування повідомлення. це може зайняти деякий час |
        اس پیغام کا انتظار ہے۔ اس میں کچھ وقت لگ سکتا ہے | ushbu xabar kutilmoqda. bu bir oz vaqtni olishi mumkin |
        đang chờ tin nhắn này. có thể mất một lúc | 正在等待信息，此可能需要一段时间 | 正在等待訊息，此可能需要一段時間 |
        waiting for this message. this may take a while |
        jy het aangesluit deur hierdie groep se uitnodigingskakel te gebruik |
        أنت انضميت إلى المجموعة عبر استخدامك رابط الدعوة الخاص بها |
        siz qrupun dəvət keçidindən istifadə edərək qoşuldunuz |
        присъединихте се използвайки линка за покана на групата |
        আপনি এই গোষ্ঠীর আমন্ত্রণ লিংক ব্যবহার করে যুক্ত হয়েছেন |
        t'has unit fent servir aquest enllaç de convit del grup |
        k této skupině jste se připojil/a pomocí zvacího odkazu | du deltager via denne gruppes invitations link |
        du bist dieser gruppe mit dem einladungslink beigetreten |
        συμμετέχετε χρησιμοποιώντας τον σύνδεσμο πρόσκλησης της ομάδας |
        te uniste usando el enlace de invitación de este grupo | liitusid kasutades selle grupi kutsu linki |
        شما با استفاده از لینک دعوت به گروه ملحق شدید | liityit ryhmään kutsulinkillä |
        vous avez intégré le groupe en utilisant le lien d'invitation | તમે આ સમૂહની આમંત્રણ લિંક વડે જોડાયા છો |
        הצטרפת לקבוצה זו באמצעות קישור ההזמנה שלה | इस समूह के निमंत्रण लिंक का उपयोग कर के आप शामिल हुए |
        pridružili ste se ovoj grupi putem pozivnice | csatlakoztál a csoporthoz a meghívó linkkel |
        anda telah bergabung menggunakan tautan undangan grup ini | sei entrato usando il link d'invito al gruppo |
        このグループの招待リンクを使用して参加しました | сіз осы топқа шақыру сілтемесі арқылы қосылдыңыз |
        ನೀವು ಈ ಗುಂಪಿನ ಆಹ್ವಾನ ಕೊಂಡಿ ಬಳಸಿ ಸೇರಿದ್ದೀರಿ | 이 그룹 초대 링크로 참여했습니다 |
        jūs prisijungėte pasinaudoję šios grupės pakvietimo nuoroda |
        pievienojāties šai grupai izmantojot uzaicinājuma saiti |
        се приклучи користејќи го линкот за покана на групата | ഈ ഗ്രൂപ്പിന്റെ ലിങ്ക് വഴി നിങ്ങൾ ചേർന്നു |
        तुम्ही या गटाचा आमंत्रण दुवा वापरून सामील झाला आहात |
        anda telah menyertai menggunakan pautan jemputan grup ini |
        du ble med i gruppen ved å bruke gruppens invitasjonslenke |
        u bent deelnemer geworden via de uitnodigingslink van deze groep |
        ਤੁਸੀਂ ਇਸ ਗਰੁੱਪ ਦੇ ਸੱਦੇ ਵਾਲੇ ਲਿੰਕ ਰਾਹੀਂ ਹਿੱਸਾ ਬਣੇ ਹੋ |
        dołączyłeś(aś) używając linku z zaproszeniem do grupy | você entrou usando o link de convite deste grupo |
        entrou no grupo através da ligação de convite | v-ați alăturat grupului utilizând acest link de invitație |
        вы присоединились к группе, используя приглашение |
        k tejto skupine ste sa pripojili pomocou pozývacieho odkazu | tej skupini ste se pridružili preko povezave |
        ju i jeni bashkuar grupit përmes ftesës | придружио/ла си се користећи позивну везу ове групе |
        du anslöt genom att använda denna gruppens inbjudningslänk |
        umejiunga ukitumia kiungo cha kualikia cha kikundi hiki |
        இக்குழுவின் அழைப்பிதழ் இணைப்பைக் கொண்டு சேர்ந்தீர்கள் |
        ఈ కూటమి ఆహ్వాన వినతి(లింకు)ని వినియోగించి మీరు చేరినారు | คุณเข้าร่วมโดยใช้ลิงค์เชิญของกลุ่มนี้ |
        sumali ka gamit ang invite link ng grupo | bu grubun davet bağlantısını kullanarak katıldınız |
        ви приєдналися до групи, використовуючи запрошення | آپ اس گروپ کی دعوتی لنک کا استعمال کر کے شامل ہوئے |
        siz guruh taklif havolasidan foydalanib qo'shildingiz | bạn đã tham gia nhóm này bằng liên kết mời |
        您使用了群组邀请连结加入群组 | 您使用了群組邀請連結加入群組 | you joined using this group's invite link | jy het "%" groep geskep |
        أنت أنشأت مجموعة "%" | "%" qrupunu yaratdınız | създадохте групата "%" | আপনি "%" গোষ্ঠীটি তৈরী করেছেন |
        has creat el grup "%" | du oprettede gruppen "%" | du hast die gruppe "%" erstellt |
        δημιουργήσατε την ομάδα "%" | creaste el grupo "%" | lõid grupi "%" | شما گروه "%" را ایجاد کردید |
        loit ryhmän "%" | vous avez créé le groupe "%" | તમે "%" સમૂહ બનાવ્યું | את/ה יצרת את הקבוצה "%" |
        आपने "%" समूह बनाया | stvorili ste grupu "%" | létrehoztál egy csoportot: "%" | anda membuat grup "%" |
        hai creato il gruppo "%" | グループ "%"を作成しました | сіз "%" тобын аштыңыз | ನೀವು ರಚಿಸಿರುವ ಗುಂಪು "%" |
        "%"그룹을 만들었습니다 | jūs sukūrėte grupę "%" | jūs izveidojāt grupu "%" | ја создаде групата "%" |
        നിങ്ങൾ "%" എന്ന ഗ്രൂപ്പുണ്ടാക്കി | आपण "%" हा गट बनवला | anda telah mencipta grup "%" |
        du laget gruppen "%" | ਤੁਸੀਂ "%" ਗਰੁੱਪ ਬਣਾਇਆ | utworzyłeś(aś) grupę "%" | você criou o grupo "%" |
        criou o grupo "%" | ați creat grupul "%" | вы создали группу "%" | ustvarili ste skupino "%" |
        ju krijuat grupin "%" | направио/ла си групу "%" | du skapade gruppen "%" | umeunda kikundi "%" |
        தாங்கள் உருவாக்கிய குழு "%" | คุณได้สร้างกลุ่ม "%" | binuo mo ang grupong "%" | "%" grubunu oluşturdunuz |
        ви створили групу "%" | آپ نے "%" گروپ بنایا | siz "%" guruhini yaratdingiz | bạn đã tạo nhóm "%" |
        你创建了群组"%" | 您建立了群組 "%" | you created group "%" | jy het die onderwerp verander na "%" |
        أنت غيرت اسم المجموعة إلى "%" | mövzunu "%" olaraq dəyişdirdiniz | променихте темата на "%" |
        আপনি বিষয় পরিবর্তন করে "%" করেছেন | has canviat l'assumpte per "%" | du ændrede emnet til "%" |
        du hast den betreff zu "%" geändert | αλλάξατε το θέμα σε "%" | cambiaste el asunto a "%" |
        sa seadsid teemaks "%" | شما موضوع را به "%" تغییر داده اید | vaihdoit aiheeksi "%" |
        vous avez changé le sujet en "%" | તમે વિષય બદલીને "%" કર્યો | את/ה שינית את נושא הקבוצה ל-"%" |
        आपने विषय को "%" में बदला | promijenili ste naslov u "%" | megváltoztattad a témát erre: "%" |
        anda telah mengubah subjek menjadi "%" | hai cambiato l'oggetto in "%" | グループ名を "%"に変更しました |
        сіз топ атауын "%" деп өзгерттіңіз | ನೀವು ಗುಂಪಿನ ವಿಷಯವನ್ನು "%" ಕ್ಕೆ ಬದಲಿಸಿದ್ದೀರಿ | 그룹 이름을 "%"(으)로 변경했습니다 |
        jūs pakeitėtė temą į "%" | jūs nomainījāt tematu uz "%" | го промени насловот во "%" |
        താങ്കൾ വിഷയം "%" എന്നാക്കി മാറ്റിയിരിക്കുന്നു | आपण विषय बदलुन "%" केला |
        anda telah mengubah subjek ke "%" | du endret emnet til "%" | ਤੁਸੀਂ ਵਿਸ਼ਾ ਬਦਲਕੇ "%" ਕੀਤਾ |
        zmieniłeś(aś) temat na "%" | você alterou o nome para "%" | alterou o assunto da conversa para "%" |
        ați schimbat subiectul grupului în "%" | вы изменили тему на "%" | zadevo ste spremenili v "%" |
        ju e ndryshuat titullin në "%" | променио/ла си тему у "%" | du ändrade ämnet till "%" |
        umebadili mada kuwa "%" | தலைப்பை "%" என்று மாற்றியுள்ளீர் | คุณได้เปลี่ยนหัวข้อเป็น "%" |
        binago mo ang paksa at pinalitan ng "%" | konuyu "%" olarak değiştirdiniz | ви змінили тему на "%" |
        آپ نے موضوع کو "%" سے تبدیل کر دیا ہے | siz mavzuni "%"ga o'zgartirdingiz | bạn đã đổi tên nhóm thành "%" |
        您将群组主题更改为"%" | 您將主題更改為 "%" | you changed the subject to "%" | jy het die onderwerp verander van "%" na "%" |
        أنت غيرت اسم المجموعة من "%" إلى "%" | siz "%" mövzusunu "%" olaraq dəyişdirdiniz |
        променихте темата от "%" на "%" | আপনি বিষয় বদলিয়ে "%" থেকে "%" করেছেন |
        has canviat l'assumpte de "%" a "%" | du ændrede emnet fra "%" til "%" |
        du hast den betreff von "%" zu "%" geändert | αλλάξατε το θέμα από "%" σε "%" |
        cambiaste el asunto de "%" a "%" | muutsid vestluse teema "%" teemaks "%" |
        شما موضوع را از "%" به "%" تغییر دادید | vaihdoit aiheen "%" aiheeksi "%" |
        vous avez changé le sujet "%" en "%" | તમે વિષયને "%"થી બદલીને "%" કર્યું છે | שינית את הנושא מ-"%" ל-"%" |
        आपने विषय को "%" से "%" में बदला है | promijenili ste naslov iz "%" u "%" |
        megváltoztattad a témát erről: "%", erre: "%" | anda mengubah subjek dari "%" menjadi "%" |
        hai cambiato l'oggetto da "%" a "%" | 件名を"%"から"%"に変更しました | сіз "%" деген топ атауын "%" деп өзгерттіңіз |
        ನೀವು ವಿಷಯವನ್ನು "%" ನಿಂದ "%" ಕ್ಕೆ ಬದಲಾಯಿಸಿದ್ದೀರಿ | 그룹 이름을 "%"에서 "%"로 변경했습니다 |
        jūs pakeitėte temą iš "%" į "%" | jūs nomainījāt tematu no "%" uz "%" | го промени насловот од "%" во "%" |
        നിങ്ങൾ "%" എന്ന വിഷയം "%" എന്നാക്കി മാറ്റി | आपण विषय बदलुन "%" चा "%" केला |
        anda telah mengubah subjek dari "%" ke "%" | du har endret emne fra "%" til "%" |
        ਤੁਸੀਂ ਵਿਸ਼ੇ ਨੂੰ "%" ਤੋਂ ਬਦਲ ਕੇ "%" ਕੀਤਾ | zmieniłeś(aś) temat z "%" na "%" |
        você alterou o nome de "%" para "%" | alterou o assunto do grupo "%" para "%" |
        ați schimbat subiectul din "%" în "%" | вы изменили тему с "%" на "%" | zadevo ste spremenili iz "%" v "%" |
        ju keni ndryshuar titullin nga "%" to "%" | променио/ла си тему из "%" у "%" |
        du ändrade ämnet från "%" till "%" | umebadili mada kutoka "%" kuwa "%" |
        தாங்கள் தலைப்பை "%" என்பதிலிருந்து "%" என்று மாற்றியுள்ளீர் | คุณได้เปลี่ยนหัวข้อจาก "%" เป็น "%" |
        iniba mo ang paksa, dating "%", ngayon ay "%" | "%" olan konuyu "%" olarak değiştirdiniz |
        ви змінили тему з "%" на "%" | آپ نے موضوع کو"%" سے "%"میں تبدیل کیا |
        siz mavzuni "%"dan "%"ga o'zgartirdingiz | bạn đã đổi tên nhóm từ "%" thành "%" | 您把主题从 "%" 改为 "%" |
        您將主題由 "%" 改為 "%" | you changed the subject from "%" to "%" | missed voice call. tap to call back |
        missed video call. tap to call back | missed group voice call | missed group video call |
        voice call. no answer | video call. no answer | voice call. # min | voice call. # sec | voice call. # hr |
        video call. # min | video call. # sec | video call. # hr | voice call, # min | video call, # min |
        silenced voice call | silenced video call | verpasster sprachanruf. zum zurückrufen tippen |
        verpasster videoanruf. zum zurückrufen tippen | sprachanruf. keine antwort | videoanruf. keine antwort |
        sprachanruf. # min | sprachanruf. # sek | videoanruf. # min | videoanruf. # sek |
        you created the group "%" | you changed the group name to "%" | you changed the group name from "%" to "%" |
        you turned on disappearing messages. % | you turned off disappearing messages. % |
        you updated the message timer. % | this chat is with a business account |
        this chat is with a business account. tap to learn more |
        this business uses a secure service from meta to manage this chat. % |
        you received a view once message. for added privacy, you can only open it on your phone |
        recibiste un mensaje de visualización única. para mayor privacidad, solo puedes abrirlo en tu teléfono |
        du hast den gruppennamen zu "%" geändert | cambiaste el nombre del grupo de "%" a "%" |
        te uniste mediante el enlace de invitación de este grupo | você mudou o nome do grupo para "%" |
        vous avez modifié le nom du groupe en "%" | hai cambiato il nome del gruppo in "%" |
        je hebt de groepsnaam gewijzigd in "%" | вы изменили название группы на "%" |
        bu grubun adını "%" olarak değiştirdiniz
        """

    /// First sentences about the security code of a person.
    static let securities = """
        your security code with % changed | קוד האבטחה עם % שונה | ваш код безопасности с контактом % изменился |
        votre code de sécurité avec % a changé | il tuo codice di sicurezza con % è cambiato |
        o seu código de segurança partilhado com % mudou | cambió tu código de seguridad con % |
        ο κωδικός ασφαλείας σας με % άλλαξε | код безпеки з контактом % змінився |
        deine sicherheitsnummer für % hat sich geändert | تغير رمز أمانك المستخدم مع % |
        %-এর সাথে আপনার নিরাপত্তা কোড পরিবর্তিত হয়েছে | 您與%之間的安全代碼已變更 | 您與 % 的安全碼已變更 | 您和 % 的安全代码已更改 |
        mã bảo mật của bạn với % đã thay đổi | % کے ساتھ آپ کا سیکیورٹی کوڈ تبدیل ہوگیا ہے |
        % ile aranızdaki güvenlik kodu değişti | รหัสความปลอดภัยของคุณกับ % มีการเปลี่ยนแปลง |
        bezpečnostný kód, ktorý zdieľate s používateľom %, bol zmenený |
        twój kod zabezpieczeń z użytkownikiem % zmienił się | seu código de segurança com % mudou |
        uw beveiligingscode voor % is gewijzigd | sikkerhetskoden med % ble endret |
        kod keselamatan anda dengan % telah berubah | तुमचा % संबंधित सुरक्षा कोड बदलला आहे | %님과의 보안 코드가 변경되었습니다 |
        %とのセキュリティコードが変更されました | % biztonsági kódja megváltozott | kode keamanan anda dengan % telah berubah |
        vaš sigurnosni kôd za kontakt % promijenio se | % के लिए आपका सुरक्षा कोड बदल गया है |
        % સાથેનો તમારો સુરક્ષા કોડ બદલાઈ ગયો | athraíodh an cód slándála atá agat le % |
        turvanumerosi muuttui henkilön % kanssa | کد امنیتی شما با % تغییر کرد |
        din sikkerhedskode for % har ændret sig | bezpečnostní kód mezi vámi a uživatelem % byl změněn |
        el teu codi de seguretat amb % ha canviat | % se sekuriteitskode het verander | تغير رمز أمان % |
        % şəxsinin təhlükəsizlik kodu dəyişilib | кодът за сигурност на % е сменен |
        %'র নিরাপত্তা কোড পরিবর্তিত হয়েছে | el codi de seguretat de % ha canviat |
        bezpečnostní kód uživatele % byl změněn | %'s sikkerheds kode blev ændret |
        die sicherheitsnummer von % hat sich geändert | ο κωδικός ασφαλείας του % έχει αλλάξει |
        el código de seguridad de % cambió | kontakti % turvakood muutus | کد رمز% تغییر کرد |
        henkilön % turvanumero muuttui | le code de sécurité de % a changé | %નું સુરક્ષા કોડ બદલાયું |
        קוד האבטחה של % השתנה | % का सुरक्षा कोड बदल गया है | sigurnosni kôd kontakta % je promjenjen |
        kode keamanan % berubah | il codice sicurezza di % è cambiato | % のセキュリティコードが変更されました |
        % қауіпсіздік коды өзгертілді | %'ರ ಭದ್ರತಾ ಕೋಡ್ ಬದಲಾಗಿದೆ | %님의 보안 코드가 변경되었습니다 | % saugumo kodas pasikeitė |
        %'s drošības kods nomainīts | безбедносниот код на % е променет |
        % ന്റെ സെക്യൂരിറ്റി കോഡ് മാറിയിരിക്കുന്നു | % यांचा सुरक्षा कोड बदलला | kod keselamatan % telah ditukar |
        %'s sikkerhetskode er endret | %'s beveiligingscode is gewijzigd | % ਦਾ ਸੁਰੱਖਿਆ ਕੋਡ ਬਦਲਿਆ |
        kod zabezpieczenia % uległ zmianie | o código de segurança de % mudou |
        o código de segurança de % foi alterado | codul de securitate pentru % a fost schimbat |
        код безопасности пользователя % изменился | bezpečnostný kód používateľa % bol zmenený |
        varnostna koda osebe % se je spremenila | kodi i sigurisë nga % ka pësuar ndryshim |
        безбедносни кôд од % је промењен | %:s säkerhetskod har ändrats | msimbo wa usalama wa % umebadilika |
        % பாதுகாப்புக் குறியீடு மாறியது | % యెక్క భద్రతా సంఖ్య మారింది |
        รหัสความปลอดภัยของ % ถูกเปลี่ยน แตะเพื่อข้อมูลเพิ่มเติม | ang security code ni % ay nagbago |
        % kişisinin güvenlik kodu değişti | код безпеки користувача % змінився | % کا حفاظتی کوڈ بدل دیا گیا |
        %ning xavfsizlik kodi o'zgardi | mã bảo mật của % đã thay đổi | % 的安全编码已更改，点击获取更多信息 | % 的安全編碼已更改，點擊獲取更多資訊 |
        %'s security code changed
        """

    /// First sentences about encryption, with which every chat begins.
    static let encryptions = """
        messages and calls are end-to-end encrypted | ההודעות והשיחות מוצפנות מקצה-לקצה |
        сообщения и звонки защищены сквозным шифрованием |
        les messages et les appels sont chiffrés de bout en bout |
        i messaggi e le chiamate sono crittografati end-to-end |
        as mensagens e chamadas são encriptadas ponto a ponto |
        los mensajes y las llamadas están cifrados de extremo a extremo |
        τα μηνύματα και οι κλήσεις κρυπτογραφούνται πλήρως |
        повідомлення й дзвінки захищено наскрізним шифруванням |
        nachrichten und anrufe sind ende-zu-ende-verschlüsselt | الرسائل والمكالمات مشفرة تماما بين الطرفين |
        মেসেজ এবং কল এন্ড-টু-এন্ড এনক্রিপ্টেড থাকে | 訊息和通話經端對端加密 | 訊息已受端對端加密保護 | 消息和通话都进行端到端加密 |
        tin nhắn và cuộc gọi được mã hóa đầu cuối | میسجز اور کالز اینڈ ٹو اینڈ اینکرپشن کے ذریعے محفوظ ہیں |
        mesajlar ve aramalar uçtan uca şifrelidir | ข้อความและการโทรได้รับการเข้ารหัสจากต้นทางถึงปลายทาง |
        meddelanden och samtal är komplett krypterade |
        správy a hovory sú zabezpečené šifrovaním počas celého spojenia |
        wiadomości i połączenia są w pełni zaszyfrowane | mesajele și apelurile sunt criptate integral |
        as mensagens e as chamadas são protegidas com a criptografia de ponta a ponta e ficam somente entre você e os participantes desta conversa |
        berichten en gesprekken worden end-to-end versleuteld | meldinger og samtaler er ende-til-ende-krypterte |
        mesej dan panggilan disulitkan hujung ke hujung |
        मेसेजेस आणि कॉल्स एन्ड-टू-एन्ड एन्क्रिप्शनने सुरक्षित केलेले असतात | 메시지 및 전화는 종단간 암호화되어 안전합니다 |
        メッセージと通話はエンドツーエンド暗号化されています | az üzenetek és hívások végpontok közötti titkosítással vannak védve |
        pesan dan panggilan terenkripsi secara end-to-end | poruke i pozivi zaštićeni su potpunom enkripcijom |
        मैसेजेस और कॉल्स एंड-टू-एंड एन्क्रिप्टेड हैं | મેસેજ અને કૉલ શરૂથી અંત સુધી સુરક્ષિત છે |
        déantar criptiúchán ó cheann go ceann ar theachtaireachtaí agus ar ghlaonna |
        viestit ja puhelut salataan täysin | پیامها و تماسها سرتاسر رمزگذاری شدهاند |
        beskeder og opkald er end-to-end-krypterede | zprávy a hovory jsou opatřeny koncovým šifrováním |
        els missatges i les trucades estan xifrats d'extrem a extrem |
        boodskappe aan hierdie groep word nou beveilig met end-tot-end enkripsie |
        باتت الرسائل التي ترسلها إلى هذه المجموعة محمية من خلال التشفير التام |
        bu qrupa göndərdiyiniz ismarıclar artıq bir başdan digərinə qədər şifrələnir |
        съобщенията, които изпращате към тази група, вече са подсигурени с криптиране от край до край |
        এই গোষ্ঠীর বার্তাগুলো দুই দিক থেকে এনক্রিপশানের মাধ্যমে নিরাপদ |
        els missatges d'aquest grup estan ara assegurats amb encriptació d'extrem a extrem |
        zprávy pro tuto skupinu jsou teď zabezpečeny koncovým šifrováním |
        beskeder til denne gruppe er nu sikret med kryptering |
        nachrichten an diese gruppe sind jetzt mit ende-zu-ende-verschlüsselung geschützt |
        τα μηνύματα προς αυτήν την ομάδα είναι τώρα ασφαλή με κρυπτογράφηση |
        los mensajes en este grupo ahora están protegidos con cifrado de extremo a extremo |
        selle grupi sõnumid on nüüd kaitstud otsast otsani krüpteerimisega |
        پیام ها به این گروه هم اکنون با رمزگذاری سرتاسری محفوظ شده اند | viestit tähän ryhmään salataan nyt täysin |
        les messages envoyés dans ce groupe sont désormais protégés avec le chiffrement de bout en bout |
        આ સમૂહના સંદેશાઓ હવે શરૂઆતથી અંત સુધી ગુપ્તીકરણ દ્વારા સુરક્ષિત છે |
        כעת ההודעות הנשלחות בקבוצה זו מאובטחות עם הצפנה מקצה לקצה |
        इस समूह में भेजे गए संदेश शुरू से अंत तक एन्क्रिप्शन से सुरक्षित हैं |
        poruke poslane na ovu grupu sad su osigurane end-to-end metodom šifriranja |
        az ebben a csoportban lévő üzenetek titkosítottak a végpontok között |
        pesan-pesan yang dikirimkan ke grup ini kini diamankan dengan enkripsi end-to-end |
        i messaggi inviati a questo gruppo sono ora protetti con la crittografia end-to-end |
        このグループへのメッセージは、エンドツーエンドの暗号化で保護されています |
        осы топқа жөнелтілген хаттар толығымен шифрлау арқылы қауіпсіз етілді |
        ಈ ಗುಂಪಿಗೆ ಸಂದೇಶಗಳು ಈಗ ಕೊನೆಯಿಂದ-ಕೊನೆವರೆಗೆ ಏನ್ಕ್ರಿಪ್ಷನ್ ನಿಂದ ಭದ್ರಪಡಿಸಲ್ಪಟ್ಟಿವೆ |
        이 그룹의 메시지는 이제 종단간 암호화되어 안전합니다 | žinutės į šią grupę dabar yra apsaugotos ištisiniu šifravimu |
        ziņas šajā grupā tagad ir aizsargātas ar pilnīgu šifrēšanu |
        пораките до оваа група сега се обезбедени со шифрирање крај-до-крај |
        ഈ ഗ്രൂപ്പിലേക്കുള്ള സന്ദേശങ്ങൾ ഇപ്പോൾ ആദ്യാവസാന എൻക്രിപ്ഷൻ വഴി സുരക്ഷിതമാണ് |
        या गटामधील संदेश आता संपूर्णपणे कूटबद्ध करून सुरक्षित केलेले आहेत |
        mesej-mesej ke grup ini kini selamat dengan penyulitan hujung ke hujung |
        meldinger til denne gruppen er nå kryptert fra ende til ende |
        berichten die naar deze groep worden verzonden, zijn nu beveiligd met end-to-end encryptie |
        ਇਹ ਗਰੁੱਪ ਲਈ ਸੁਨੇਹੇ ਹੁਣ ਸਿਰੇ ਤੋਂ ਸਿਰੇ ਤੱਕ ਇੰਕ੍ਰਿਪਸ਼ਨ ਨਾਲ ਸੁਰੱਖਿਅਤ ਕੀਤੇ ਹਨ |
        wiadomości do tej grupy są teraz zabezpieczone przez pełne szyfrowanie |
        as mensagens enviadas a este grupo estão agora protegidas com a criptografia de ponta-a-ponta |
        as mensagens que enviar a este grupo passarão a ser completamente encriptadas |
        mesajele către acest grup sunt acum securizate prin criptare integrală |
        сообщения в данной группе теперь защищены сквозным шифрованием |
        správy pre túto skupinu sú teraz zabezpečené šifrovaním počas celého spojenia |
        sporočila v tej skupini so sedaj zavarovana s šifriranjem od konca do konca |
        mesazhet që i shkëmbeni në këtë grup janë tani të koduara fund-e-krye |
        поруке ка овој групи су сада обезбеђене са шифровањем од почетка-до-краја |
        meddelanden till denna grupp är nu säkrade med komplett kryptering |
        jumbe kwenye kikundi hiki sasa zipo salama kwa ufumbaji wa mwisho-kwa-mwisho |
        இக்குழுவிற்கு தாங்கள் அனுப்பும் தகவல்கள் முழு மறையாக்கத்துடன் பாதுகாக்கப்படுகிறது |
        ఈ వర్గానికి సందేశాలు ఇప్పుడు ఎండ్ టు ఎండ్ ఎన్క్రిప్షన్ తో సురక్షితం ఉంటాయి |
        ข้อความที่คุณส่งถึงกลุ่มนี้ขณะนี้มีความปลอดภัยด้วยการเข้ารหัสจากต้นทางถึงปลายทาง แตะสำหรับข้อมูลเพิ่มเติม |
        ang mensahe sa grupong ito ay secured na, gamit ang end-to-end encryption |
        bu gruba gönderdiğiniz mesajlar artık uçtan uca şifreleme ile korunmaktadır |
        повідомлення у цій групі тепер захищено наскрізним шифруванням |
        اس گروپ کے پیغامات اب شروع سے آخر تک رمزکاری کے ذریعے محفوظ ہیں |
        ushbu guruhdagi xabarlar endi boshidan oxirigacha shifrlash bilan himoyalanadi |
        những tin nhắn gửi tới nhóm này được bảo mật với mã hoá đầu-cuối | 此群组中的信息已进行端到端的加密，点击获取更多信息 |
        此群組中的訊息已進行端對端的加密，點擊獲取更多資訊 | messages to this group are now secured with end-to-end encryption |
        boodskappe aan hierdie gesprek en oproepe word nou beveilig met end-tot-end enkripsie |
        باتت الرسائل التي ترسلها إلى هذه الدردشة والمكالمات التي تجريها ضمنها محمية من خلال التشفير التام |
        bu söhbətə göndərdiyiniz ismarıclar və zənglər artıq bir başdan digərinə qədər şifrələnir |
        съобщенията, които изпращате към този чат и обажданията вече са подсигурени с криптиране от край до край |
        এই চ্যাটের বার্তা এবং কলগুলো দুই দিক থেকে এনক্রিপশানের মাধ্যমে নিরাপদ |
        els missatges i trucades d'aquest xat estan ara assegurades amb encriptació d'extrem a extrem |
        hovory a zprávy v tomto chatu jsou teď zabezpečeny koncovým šifrováním |
        beskeder og opkald til denne chat er nu sikret med kryptering |
        nachrichten in diesem chat sowie anrufe sind jetzt mit ende-zu-ende-verschlüsselung geschützt |
        τα μηνύματα και οι κλήσεις προς αυτήν τη συνομιλία είναι τώρα ασφαλή με κρυπτογράφηση |
        los mensajes y llamadas en este chat ahora están protegidos con cifrado de extremo a extremo |
        selle vestluse sõnumid ja kõned on nüüd kaitstud otsast otsani krüpteerimisega |
        پیام ها و تماس های این چت هم اکنون با رمزگذاری سرتاسری محفوظ شده اند |
        viestit tähän keskusteluun ja puhelut salataan nyt täysin |
        les messages envoyés dans cette discussion et les appels sont désormais protégés avec le chiffrement de bout en bout |
        આ વાતના સંદેશાઓ અને કૉલ્સ હવે શરૂઆતથી અંત સુધી ગુપ્તીકરણ દ્વારા સુરક્ષિત છે |
        כעת השיחות וההודעות הנשלחות בצ'אט זה מאובטחות עם הצפנה מקצה לקצה |
        इस चैट और कॉल मे भेजे गए सन्देश शुरू से अंत तक एन्क्रिप्शन के साथ सुरक्षित है |
        poruke poslane na ovaj razgovor i pozivi sad su osigurani end-to-end metodom |
        az ebben a csevegésben lévő üzenetek és hívások titkosítottak a végpontok között |
        pesan-pesan yang dikirimkan ke chat ini dan panggilan kini diamankan dengan enkripsi end-to-end |
        i messaggi inviati a questa chat sono ora protetti con la crittografia end-to-end |
        このチャットと通話へのメッセージは、エンドツーエンドの暗号化で保護されています |
        осы чатқа жөнелтілген хаттар және қоңыраулар толығымен шифрлау арқылы қауіпсіз етілді |
        ಈ ಪ್ರಸಾರಪಟ್ಟಿಯ ಸಂದೇಶಗಳು ಮತ್ತು ಕರೆಗಳು ಈಗ ಕೊನೆಯಿಂದ-ಕೊನೆವರೆಗೆ ಎನ್ಕ್ರಿಪ್ಷನ್ ನಿಂದ ಭದ್ರಪಡಿಸಲ್ಪಟ್ಟಿವೆ |
        이 대화 및 통화의 메시지는 이제 종단간 암호화되어 안전합니다 |
        žinutės į šį pokalbį ir skambučiai dabar yra apsaugoti ištisiniu šifravimu |
        ziņas un zvani šajā sarakstē tagad ir aizsargāti ar pilnīgu šifrēšanu |
        пораките во овој разговор и повиците сега се обезбедени со шифрирање крај-до-крај |
        ഈ ചാറ്റിലേക്കും വിളിയിലേക്കുമുള്ള സന്ദേശങ്ങൾ ഇപ്പോൾ ആദ്യാവസാന എൻക്രിപ്ഷൻ വഴി സുരക്ഷിതമാണ് |
        या गप्पांमधील संदेश आणि कॉल्स हे आता संपूर्णपणे कूटबद्ध करून सुरक्षित केलेले आहेत |
        mesej-mesej ke sembang ini dan panggilan kini selamat dengan penyulitan hujung ke hujung |
        meldinger til denne samtalen er nå kryptert fra ende til ende |
        berichten en oproepen in deze chat zijn nu beveiligd met end-to-end encryptie |
        ਇਹ ਗੱਲਬਾਤ ਲਈ ਸੁਨੇਹੇ ਅਤੇ ਕਾਲਾਂ ਹੁਣ ਸਿਰੇ ਤੋਂ ਸਿਰੇ ਤੱਕ ਇੰਕ੍ਰਿਪਸ਼ਨ ਨਾਲ ਸੁਰੱਖਿਅਤ ਕੀਤੀਆਂ ਹਨ |
        wiadomości oraz połączenia w tym czacie są teraz zabezpieczone przez pełne szyfrowanie |
        as mensagens e chamadas desta conversa estão agora seguras com criptografia de ponta-a-ponta |
        nesta conversa, as mensagens que enviar e as chamadas que efetuar são completamente encriptadas |
        mesajele către această conversație și apelurile sunt acum securizate prin criptare integrală |
        сообщения в данном чате и звонки теперь защищены сквозным шифрованием |
        hovory a správy v tomto chate sú teraz zabezpečené šifrovaním počas celého spojenia |
        sporočila in klici v tem klepetu so sedaj zavarovani s šifriranjem od konca do konca |
        mesazhet dhe thirrjet që i shkëmbeni në këtë bisedë janë tani të koduara fund-e-krye |
        поруке ка овом ћаскању и позиви су сада обезбеђени са шифровањем од почетка-до-краја |
        meddelanden till denna chatt och samtal är nu säkrade med komplett kryptering |
        jumbe kwenye soga hii na simu unazopiga sasa zipo salama kwa ufumbaji wa mwisho-kwa-mwisho |
        இந்த அரட்டை மற்றும் அழைப்பு முழு மறையாக்கத்துடன் பாதுகாக்கப்படுகிறது |
        ఈ చాట్ కు సందేశాలు మరియు కాల్స్ ఇప్పుడు ఎండ్ టు ఎండ్ ఎన్క్రిప్షన్ తో సురక్షితం ఉంటాయి |
        ข้อความที่ส่งถึงแชทและการโทรนี้ขณะนี้มีความปลอดภัยด้วยการเข้ารหัสจากต้นทางถึงปลายทาง แตะสำหรับข้อมูลเพิ่มเติม |
        ang mga mensahe at tawag sa chat na ito ay secured gamit ang end-to-end encryption |
        bu sohbete gönderdiğiniz mesajlar ve yaptığınız aramalar artık uçtan uca şifreleme ile korunmaktadır |
        повідомлення у цій бесіді та дзвінки тепер захищено наскрізним шифруванням |
        اس بات چیت کے پیغامات اور کالس شروع سے آخر تک رمزکاری کے ذریعے محفوظ ہیں |
        ushbu chatdagi xabarlar va qo'ng'iroqlar endi boshidan oxirigacha shifrlash bilan himoyalanadi |
        các tin nhắn gửi tới cuộc trò chuyện này và các cuộc gọi đã được bảo mật với mã hoá đầu-cuối |
        此对话中的信息和通话已进行端到端的加密，点击获取更多信息 | 此對話中的訊息和通話已進行端對端的加密，點擊獲取更多資訊 |
        messages to this chat and calls are now secured with end-to-end encryption |
        الرسائل والمكالمات مشفرة بالكامل | הודעות ושיחות מוצפנות מקצה לקצה |
        as mensagens e ligações são protegidas com a criptografia de ponta a ponta |
        as mensagens e as chamadas são protegidas com a criptografia de ponta a ponta |
        los mensajes y las llamadas están cifrados | съобщенията и обажданията са криптирани от край до край |
        messages and calls in this chat are end-to-end encrypted | 消息和通话已获得端到端加密 | 消息和通话均已端到端加密
        """
}
