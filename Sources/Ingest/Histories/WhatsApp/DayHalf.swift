/// A half of the day, or a part of it, as the languages of phones write it around a time of 12 hours.
///
/// - Source: day periods of CLDR 44 for the languages of WhatsApp; further ones from exports.
enum DayHalf {
    case morning
    case afternoon
    /// Midday: it begins before 12.
    case noon
    /// Night: it ends after midnight.
    case night
    /// Forenoon and afternoon in a language whose dates begin with the year.
    case yearFirstMorning
    case yearFirstAfternoon

    /// Reads the words around a time; nil if they are not a half of the day.
    init?(_ words: String) {
        guard !words.isEmpty else { return nil }
        let letters = Self.letters(of: words)
        guard let half = Self.halves[letters] else { return nil }
        self = half
    }

    /// Small letters without full stops, commas and blanks.
    static func letters(of words: String) -> String {
        let kept = words.lowercased().unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
            switch scalar {
            case ".", ",", "،": nil
            case "״": "\""
            case "’": "'"
            default: InvisibleMarks.isBlank(scalar) || (0x200B...0x200D).contains(scalar.value) ? nil : scalar
            }
        }
        return String(String.UnicodeScalarView(kept))
    }

    /// Whether dates of this language begin with the year, also with two digits.
    var isOfYearFirst: Bool { self == .yearFirstMorning || self == .yearFirstAfternoon }

    /// The hour of 24; nil for one that this half has not.
    func hour(_ hour: Int) -> Int? {
        switch self {
        case .morning, .yearFirstMorning: hour <= 12 ? hour % 12 : nil
        case .afternoon, .yearFirstAfternoon: hour <= 12 ? hour % 12 + 12 : hour
        case .noon: hour <= 5 ? hour + 12 : hour
        case .night: hour == 12 ? 0 : (6...11).contains(hour) ? hour + 12 : hour
        }
    }

    private static let halves: [String: DayHalf] = {
        var halves: [String: DayHalf] = [:]
        let kinds: [(DayHalf, String)] = [
            (.morning, mornings), (.afternoon, afternoons), (.noon, noons), (.night, nights),
            (.yearFirstMorning, "오전 午前"), (.yearFirstAfternoon, "오후 午後"),
        ]
        for (half, words) in kinds {
            for word in words.split(whereSeparator: \.isWhitespace) { halves[String(word)] = half }
        }
        return halves
    }()

    private static let mornings = """
        'sochtends aamulla aamup aamupäivällä alfajiri am ap asubuhi aðmorgni damadrugada damanhã damañá de
        delamadrugada delamañana dieoggend dimattina dimineața dop dopol dopoldan dopoledne dopoludnia dumatin
        délelőtt ekuseni emëngjesit entathakusa eparadites ertalab fh fm form goizald goizaldeko goizeko
        hommikul inthemorning madaling-araw manhã mat matin matinada matí mg morg morgens mrg ngumaga norīta
        omformiddagen ommorgenen pagi pd pg priekšp priekšpusdienā priešpiet prijepodne prp przedpoł
        przedpołudniem påformiddagen påförm påförmiddagen påmorg påmorgenen påmorgonen rano reggel rn rytas ráno
        sa sabah sáng sübh səhər to ujutro ujutru vm vorm vormittags zjut zjutraj öö öğledenönce πμ πρωί τοπρωί
        дп наобяд наутро преподне претпл претпладне проб ранку сутринта таңкы таңғы тң утра ујутру эртеңменен
        эртңмн үө өглөө առավոտյան առվ בבוקר בוקר לפנה"צ بامداد ص صباحا صباحًا صبح صبحمیں فجرًا فيالصباح ق
        قبلازظهر قظ प पहाट पू पूर्वाह्न बिहान स सकाळ सुबह পূর্বাহ্ণ ভোর ভোরবেলায় সকাল সকালবেলায় ਸਵੇਰੇ સવારે
        அதிகாலை கா காலை முற்பகல் ఉదయం ಪೂರ್ವಾಹ್ನ ಬೆಳಗ್ಗೆ പുലർച്ചെ രാവിലെ උ උදේ පා පාන්දර පෙ පෙව ก่อนเที่ยง เช้า
        ในตอนเช้า ກ່ອນທ່ຽງ ຕອນເຊົ້າ နံနက် დილ დილით ጠ ጥዋት នៅពេលព្រឹក 上午 凌晨 早上 朝 清晨 아침
        """

    private static let afternoons = """
        'savonds abends akşam akşamüstü arrats arratsaldeko axşamüstü aðkvöldi ch datarde delatarde
        delpomeriggio dieaand disera du dusoir eh em embrëmjes epasdites este illalla iluntz iluntzeko in
        intheevening ip jioni kechqurun kv kveld md nachm nachmittags navečer nm noite ntambama odp omaftenen
        petang pm pop popiet popodne ptg påkvelden påkvällen pēcp pēcpusdienā seara soir sore tarda tk tối uveče
        vakaras vakarā vespre več večer wiecz wieczorem zveč zvečer õhtul ös απόγ μμ τοαπόγευμα веч вечера
        вечерта вечора кечинде кечк кешкі навечер орой попл поподне пп слоб тк түштөнкийинки увече үх երեկոյան
        երկ אחה"צ אחרהצהריים בערב ערב ب بظ بعدازظهر بعدالظهر سہپہر شام شاممیں عصر م مساء مساءً अपराह्न बेलुकी
        शाम सं संध्याकाळ साँझ অপরাহ্ণ বিকাল সন্ধ্যা সন্ধ্যাবেলায় ਸ਼ਾਮੀਂ સાંજે அந்திமா அந்திமாலை பிற் பிற்பகல்
        மா மாலை సాయంత్రం ಅಪರಾಹ್ನ ಸಂಜೆ ഉച്ചതിരിഞ്ഞ് വൈകുന്നേരം സന്ധ്യ ප පව හ හවස ค่ำ บ่าย หลังเที่ยง เย็น
        ในตอนเย็น ຕອນແລງ ຫຼັງທ່ຽງ ညနေ საღ საღამოს በምሽት ከ ከሰዓት នៅពេលល្ងាច 下午 傍晚 夕方 晚上 저녁
        """

    private static let noons = """
        'smiddags adhuhuri amiază apm après-midi chiều del'après-midi delmediodía diemiddag dipomeriggio
        domediodía după-amiaza dél délután eguerd eguerdiko emesditës emini etterm gündüz günorta hádegi iltap
        iltapäivällä intheafternoon keskip keskipäivällä keskpäeval kp kunduzi laamiază mchana meio-dia
        mezzogiorno midi migdia mittags nap napol napoludnie nghapon noon odpoledne omeftermiddagen opold
        opoldne perpiet podne pol poledne popietė popol popoldan popoludní popoł popołudniu poslijepodne pusd
        pusdienlaikā pärastlõunal påefterm påeftermiddagen påettermiddagen pēcpusd saasitazamchana sd siang
        síðdegis tanghaling-tapat tarde tengahhari tr trưa tushpayti wpoł wpołudnie öğle öğledensonra μεσημ
        τομεσημέρι дня напл напладне подне полд полдень попладне следобед түскі түстенкейінгі түшткйн
        түштөнкийин чактүш чт үддунд өдөр կեսօր կեսօրին կօ․ ցերեկը ցերեկվա ցրկ בצהריים צהריים دوپہر دوپہرمیں ظهر
        ظهرًا अपरान्ह दु दुपार दोपहर मध्यान्ह দুপুর দুপুরবেলায় ਦੁਪਹਿਰੇ બપોરે நண் நண்பகல் மதி மதியம் మధ్యాహ్నం
        ಮಧ್ಯಾಹ್ನ ഉച്ച ഉച്ചയ്ക്ക് ද දවල් ම මධ්යාහ්නය เที่ยง ในตอนบ่าย ຕອນທ່ຽງ ຕອນບ່າຍ နေ့လယ် မွန်းတည့် ნაშუადღ
        ნაშუადღევს შუადღ შუადღეს ቀ ቀትር ថ្ងៃត្រង់ នៅពេលរសៀល 中午 昼 正午 정오
        """

    private static let nights = """
        'snachts atnight axşam aðnóttu danoite delanoche dienag dinotte ebusuku emesnatës enatës gaueko gauerd
        gauerdia gece geceyarısı gecə gecəyarı hajnal hatinggabi kechasi keskiyöllä keskööl ky lamiezulnopții
        madrugada malam meia-noite mezzanotte mi middernacht middernag midn midnat midnatt midnight miezulnopții
        minuit mitjanit mitternacht miðnætti mn nachts naktis naktī natt nggabi nit noaptea noću nt nửađêm
        omnatten opoln opolnoci opolnoči opółn opółnocy ponoć ponoći ponoči pusnaktī pånatten půl půln půlnoc
        saasitazausiku tengahmalam usiku vidurnaktis vn vnoci wnocy yarimtun yöllä éjfél éjjel öösel đêm βράδυ
        τοβράδυ ночи ночі ноћу ноќе полн полночь полноќ полунощ поноћ презнощта түн түнгі түнжарымы түничинде
        түнорт түнортосу шөнө шөнөдунд գիշերը գիշերվա գշր կգ․ կեսգիշեր կեսգիշերին בלילה חצות לילה לפנותבוקר
        آدھیرات رات راتمیں شب فيالمساء ليلاً منتصفالليل نصفشب نیمهشب मध्यरात मध्यरात्र मध्यरात्रि मरा रा रात
        रात्र রাত্রি রাত্রিবেলায় ਅੱਧੀਰਾਤ ਰਾਤੀਂ મધ્યરાત્રિ મરાત્રિ રાત્રે இர இரவு நள் நள்ளிரவு అర్ధరాత్రి రాత్రి
        ಮಧ್ಯರಾತ್ರಿ ರಾತ್ರಿ അ അർദ്ധരാത്രി രാത്രി මැ මැදියම මැදියමටපසු රෑ กลางคืน เที่ยงคืน ກາງຄືນ ຕອນກາງຄືນ
        ທ່ຽງຄືນ ည သန်းခေါင်ယံ ღამ ღამით შუაღამეს በሌሊት እኩለሌሊት នៅពេលយប់ អធ្រាត្រ 午夜 半夜 夜 夜中 深夜 真夜中 밤 자정
        """
}

/// Words around a time that say nothing about it: "at", "o'clock", an era.
enum TimeWords {
    private static let before: Set<String> = [
        "", "klo", "kl", "um", "alle", "at", "à", "a", "alas", "ore", "às", "as", "в", "о", "u", "ob", "στις", "pukul",
        "jam",
        "lúc", "om", "saat", "sa", "בשעה", "ב", "الساعة", "ساعت", "г", "год", "р", "y", "m", "gada", "ad", "ce", "be",
        "ah",
        "ap", "sh", "هـ", "ه", "م", "هش", "พศ", "คศ", "ฮศ", "年", "日",
    ]
    private static let after: Set<String> = ["", "ч", "uhr", "uur", "h", "น", "val", "óra", "horas", "годин", "u"]

    /// Whether words may stand between date and time.
    static func standBeforeTime(_ words: String) -> Bool { before.contains(DayHalf.letters(of: words)) }

    /// Whether words may stand between the time and the dash after it.
    static func standAfterTime(_ words: String) -> Bool { after.contains(DayHalf.letters(of: words)) }
}
