/// Words too frequent to tell messages apart, folded as ``TextAnalyzer`` folds them; a question's terms leave them out.
///
/// English holds the question words and the pieces that contractions are cut into ("don't" is don and t); "may" is
/// missing because it is a month. German holds the spellings without umlauts too ("fuer").
enum StopWords {
    /// Returns whether a folded word is a stop word of `language`.
    static func contains(_ word: String, language: TextLanguage) -> Bool {
        switch language {
        case .english: english.contains(word)
        case .german: german.contains(word)
        case .japanese, .other: false
        }
    }

    static let english = words(
        """
        a about above after again against ain all also am an and any are aren as at be because been before being below
        between both but by can cannot could couldn d did didn do does doesn doing don down during each either else ever
        few for from further had hadn has hasn have haven having he her here hers herself him himself his how however i
        if in into is isn it its itself just ll m many me might mightn mine more most much must mustn my myself needn
        neither no nor not now o of off on once only onto or other our ours ourselves out over own re s same shall shan
        she should shouldn since so some such t than that the their theirs them themselves then there these they this
        those though through to too under until up upon us ve very was wasn we were weren what whatever when where
        whether which while who whom whose why will with within without won would wouldn y yet you your yours yourself
        yourselves
        """)

    static let german = words(
        """
        ab aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf aus bei beim
        bereits bin bis bist bitte da dabei dafur dafuer damit dann daran darauf darum das dass davon dazu dein deine
        deinem deinen deiner deines dem den denen denn der deren des dessen dich die dies diese diesem diesen dieser
        dieses dir doch dort du durch ein eine einem einen einer eines einige einigem einigen einiger einmal er es etwas
        euch euer eure eurem euren eurer fur fuer gab gegen gewesen gibt hab habe haben habt hast hat hatte hatten
        hattest hattet haette haetten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins
        ist ja jede jedem jeden jeder jedes jene jenem jenen jener jetzt kann kannst kein keine keinem keinen keiner
        konnen koennen konnt konnte konnten koennte koennten machen man manche manchem manchen mancher mein meine meinem
        meinen meiner meines mich mir mit muss mussen muessen musste mussten nach nein nicht nichts noch nun nur ob oder
        ohne schon sehr sein seine seinem seinen seiner seines seit selbst sich sie sind so solche solchem solchen
        solcher soll sollen sollte sollten sondern sonst uber ueber um und uns unser unsere unserem unseren unter viel
        viele vom von vor wahrend waehrend wann war waren warst warum was wegen weil welche welchem welchen welcher
        welches wem wen wenn wer werde werden weshalb wessen wie wieder wieso will wir wird wirst wo woher wohin wollen
        wollte wollten womit woran worden woruber worueber wurde wurden wuerde wuerden zu zum zur zwar zwischen
        """)

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
