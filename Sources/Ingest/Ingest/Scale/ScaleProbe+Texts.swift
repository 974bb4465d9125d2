/// The texts, in five languages; none is from a chat.
extension ScaleProbe {
    /// What a team asks and writes.
    package static let standard = ScaleProbe([english, german, french, spanish, japanese])

    private static let english = Part(
        pairs: [
            (
                "When does the supplier deliver the new screws?",
                "The screws come on Thursday, they told me on the phone."
            ),
            (
                "Who has the key to the archive?",
                "Jonas keeps the archive key in his desk."
            ),
            (
                "How much did the trip to the fair cost?",
                "The fair cost us 1,840 euros with the hotel."
            ),
            (
                "Why was the test run on Monday stopped?",
                "We stopped the test because the pump got too hot."
            ),
            (
                "Which version runs on the old printer?",
                "The printer still has firmware 3.2."
            ),
            (
                "Where do we meet before the concert?",
                "Half past six at the fountain, then we walk over to the hall."
            ),
            (
                "What did the doctor say about the vaccination list?",
                "She says the list must be complete by the end of the month."
            ),
            (
                "Has anybody called the insurance about the broken window?",
                "Yes, they pay for the new glass, I called this morning."
            ),
        ],
        messages: [
            "The coffee machine on the second floor is leaking again.",
            "I am on holiday from the 3rd to the 17th, Maria covers for me.",
            "Could you all fill in the time sheets by Friday, please?",
            "The night train was forty minutes late, so I took a taxi.",
            "We moved the backup to the new server and everything is green.",
            "Please don't park in front of the loading door.",
            "Thanks, that helped a lot!",
            "The choir sings on Sunday at six, bring your own chairs.",
            "I pushed the fix for the login page, it needs a review.",
            "The landlord wants the rent by bank transfer from now on.",
            "Lunch today is lentil soup or pasta with tomatoes.",
            "Our budget for next year was accepted without changes.",
            "Ok, see you tomorrow.",
            "The new colleague starts in May and will sit beside Tom.",
            "It rained so hard that the field is closed for training.",
            "The customer sent the wrong drawings, we are waiting for new ones.",
        ])

    private static let german = Part(
        pairs: [
            (
                "Wann kommt die Lieferung mit den neuen Reifen?",
                "Die Reifen kommen am Donnerstag, sagt der Händler."
            ),
            (
                "Wer hat den Schlüssel zum Lager?",
                "Jonas hat den Lagerschlüssel im Schreibtisch."
            ),
            (
                "Wie teuer war die Reise zur Messe?",
                "Die Messe hat uns mit Hotel 1.840 Euro gekostet."
            ),
            (
                "Warum wurde der Probelauf am Montag abgebrochen?",
                "Wir haben abgebrochen, weil die Pumpe zu heiß wurde."
            ),
            (
                "Welche Fassung des Vertrags gilt jetzt?",
                "Es gilt der Entwurf vom 12. März, den hat der Anwalt geprüft."
            ),
            (
                "Wo treffen wir uns vor der Vorstellung?",
                "Um halb sieben am Brunnen, dann gehen wir zusammen hinein."
            ),
            (
                "Was hat die Ärztin zur Impfliste gesagt?",
                "Sie sagt, die Liste muss bis Monatsende vollständig sein."
            ),
            (
                "Hat jemand wegen der kaputten Scheibe die Versicherung angerufen?",
                "Ja, die zahlen das neue Glas, ich habe heute früh dort angerufen."
            ),
        ],
        messages: [
            "Die Kaffeemaschine im zweiten Stock tropft schon wieder.",
            "Ich bin vom 3. bis 17. im Urlaub, Maria vertritt mich.",
            "Bitte tragt eure Stunden bis Freitag ein.",
            "Der Nachtzug hatte vierzig Minuten Verspätung, ich bin Taxi gefahren.",
            "Die Sicherung läuft jetzt auf dem neuen Server, alles grün.",
            "Bitte nicht vor der Laderampe parken.",
            "Danke, das hat sehr geholfen!",
            "Der Chor singt am Sonntag um sechs, bringt eigene Stühle mit.",
            "Die Korrektur für die Anmeldeseite ist hochgeladen und braucht eine Durchsicht.",
            "Der Vermieter möchte die Miete künftig per Überweisung.",
            "Heute gibt es Linsensuppe oder Nudeln mit Tomaten.",
            "Unser Haushalt für nächstes Jahr wurde ohne Änderung angenommen.",
            "Ok, bis morgen.",
            "Die neue Kollegin fängt im Mai an und sitzt neben Tom.",
            "Es hat so geregnet, dass der Platz für das Training gesperrt ist.",
            "Der Kunde hat die falschen Zeichnungen geschickt, wir warten auf neue.",
        ])

    private static let french = Part(
        pairs: [
            (
                "Quand le fournisseur livre-t-il les nouvelles vis ?",
                "Les vis arrivent jeudi, ils me l'ont dit au téléphone."
            ),
            (
                "Qui a la clé des archives ?",
                "C'est Jonas qui garde la clé des archives dans son bureau."
            ),
            (
                "Combien a coûté le voyage au salon ?",
                "Le salon nous a coûté 1 840 euros avec l'hôtel."
            ),
            (
                "Pourquoi l'essai de lundi a-t-il été arrêté ?",
                "On a tout arrêté parce que la pompe chauffait trop."
            ),
            (
                "Quelle version du contrat est valable ?",
                "C'est la version du 12 mars, l'avocat l'a relue."
            ),
            (
                "Où se retrouve-t-on avant le concert ?",
                "À six heures et demie à la fontaine, puis on entre ensemble."
            ),
            (
                "Qu'a dit le médecin de la liste de vaccination ?",
                "Elle dit que la liste doit être complète à la fin du mois."
            ),
            (
                "Quelqu'un a-t-il appelé l'assurance pour la vitre cassée ?",
                "Oui, ils remboursent la vitre, j'ai appelé ce matin."
            ),
        ],
        messages: [
            "La machine à café du deuxième étage fuit encore.",
            "Je suis en vacances du 3 au 17, Maria me remplace.",
            "Merci de remplir vos feuilles d'heures avant vendredi.",
            "Le train de nuit avait quarante minutes de retard, j'ai pris un taxi.",
            "La sauvegarde tourne sur le nouveau serveur, tout est vert.",
            "Ne vous garez pas devant la porte de livraison, s'il vous plaît.",
            "Merci, ça m'a bien aidé !",
            "La chorale chante dimanche à six heures, apportez vos chaises.",
            "J'ai envoyé le correctif de la page de connexion, il faut le relire.",
            "Le propriétaire veut le loyer par virement désormais.",
            "Ce midi, c'est soupe de lentilles ou pâtes à la tomate.",
            "Notre budget de l'an prochain a été accepté sans changement.",
            "D'accord, à demain.",
            "La nouvelle collègue commence en mai, à côté de Tom.",
            "Il a tant plu que le terrain est fermé pour l'entraînement.",
            "Le client a envoyé les mauvais plans, on attend les nouveaux.",
        ])

    private static let spanish = Part(
        pairs: [
            (
                "¿Cuándo entrega el proveedor los tornillos nuevos?",
                "Los tornillos llegan el jueves, me lo dijeron por teléfono."
            ),
            (
                "¿Quién tiene la llave del archivo?",
                "La llave del archivo la tiene Jonas en su mesa."
            ),
            (
                "¿Cuánto costó el viaje a la feria?",
                "La feria nos costó 1.840 euros con el hotel."
            ),
            (
                "¿Por qué se paró la prueba del lunes?",
                "La paramos porque la bomba se calentaba demasiado."
            ),
            (
                "¿Qué versión del contrato vale ahora?",
                "La del 12 de marzo, la que revisó el abogado."
            ),
            (
                "¿Dónde quedamos antes del concierto?",
                "A las seis y media en la fuente y entramos juntos."
            ),
            (
                "¿Qué dijo la médica de la lista de vacunas?",
                "Dice que la lista tiene que estar completa a fin de mes."
            ),
            (
                "¿Alguien ha llamado al seguro por el cristal roto?",
                "Sí, pagan el cristal nuevo, llamé esta mañana."
            ),
        ],
        messages: [
            "La cafetera del segundo piso vuelve a gotear.",
            "Estoy de vacaciones del 3 al 17, me sustituye María.",
            "Rellenad las horas antes del viernes, por favor.",
            "El tren nocturno llegó con cuarenta minutos de retraso y cogí un taxi.",
            "La copia de seguridad ya corre en el servidor nuevo, todo en verde.",
            "No aparquéis delante de la puerta de carga, por favor.",
            "¡Gracias, me ha servido mucho!",
            "El coro canta el domingo a las seis, traed vuestras sillas.",
            "He subido el arreglo de la página de acceso, falta revisarlo.",
            "El casero quiere el alquiler por transferencia a partir de ahora.",
            "Hoy hay sopa de lentejas o pasta con tomate.",
            "El presupuesto del año que viene se aprobó sin cambios.",
            "Vale, hasta mañana.",
            "La compañera nueva empieza en mayo y se sienta al lado de Tom.",
            "Llovió tanto que el campo está cerrado para entrenar.",
            "El cliente mandó los planos equivocados, esperamos los nuevos.",
        ])

    private static let japanese = Part(
        pairs: [
            (
                "新しいネジはいつ納品されますか？",
                "ネジは木曜日に届くと電話で言われました。"
            ),
            (
                "資料室の鍵は誰が持っていますか？",
                "資料室の鍵は佐藤さんが机に入れています。"
            ),
            (
                "展示会への出張はいくらかかりましたか？",
                "展示会はホテル込みで18万4千円でした。"
            ),
            (
                "月曜日の試運転はなぜ中止になったのですか？",
                "ポンプが熱くなりすぎたので中止しました。"
            ),
            (
                "今有効な契約書はどの版ですか？",
                "3月12日の版です。弁護士が確認済みです。"
            ),
            (
                "コンサートの前にどこで集合しますか？",
                "6時半に噴水の前で集まって一緒に入りましょう。"
            ),
            (
                "予防接種のリストについて先生は何と言っていましたか？",
                "月末までに全員分を揃えるように言われました。"
            ),
            (
                "割れた窓のことで保険会社に電話した人はいますか？",
                "はい、今朝電話しました。ガラス代は出るそうです。"
            ),
        ],
        messages: [
            "二階のコーヒーメーカーがまた水漏れしています。",
            "3日から17日まで休暇を取ります。代わりは真理さんです。",
            "金曜日までに勤務時間を入力してください。",
            "夜行列車が40分遅れたのでタクシーに乗りました。",
            "バックアップは新しいサーバーに移しました。すべて正常です。",
            "搬入口の前に駐車しないでください。",
            "ありがとうございます、助かりました！",
            "合唱団は日曜の6時に歌います。椅子は各自持参で。",
            "ログイン画面の修正を上げたので確認をお願いします。",
            "大家さんが今後は家賃を振込にしてほしいそうです。",
            "今日の昼食はレンズ豆のスープかトマトのパスタです。",
            "来年の予算は変更なしで承認されました。",
            "了解です、また明日。",
            "新しい同僚は5月から来て、トムさんの隣に座ります。",
            "大雨でグラウンドが閉鎖され、練習は休みです。",
            "お客様から違う図面が届いたので、新しいものを待っています。",
        ])
}
