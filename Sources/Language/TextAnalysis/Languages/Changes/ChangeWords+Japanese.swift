extension ChangeWords {
    static let japanese: ChangeWords = {
        var words = ChangeWords()
        words.strong = phraseSet(
            """
            変更, 変わりました, 変わります, 変わった, 延期, 延びました, 延びた, 前倒し, 繰り上げ, 繰り下げ, ずらし, ずれ, ではなく, じゃなく, の代わりに, かわりに,
            やっぱり, やはり, 訂正, 代わりました, 代わります, 交代, 切り替え, 移しました, 移します, やめて, やめました, 戻します, 戻しました, 戻りました, のまま, 引き上げ,
            引き下げ, 値上げ, 値下げ, にしました, にします, 改め, 見直し
            """)
        words.reversals = phraseSet("ではなく, じゃなく, の代わりに, かわりに, やっぱり, やはり, やめて, 戻します, 戻しました, のまま")
        words.weak = phraseSet("今は, 今, 新しく, になりました, になります, これから, 今後")
        words.endings = phraseSet("中止, 取りやめ, 取り消し, やめました, やめます, やめた, なくなりました, なしになり, 見送り, 撤回, 白紙, キャンセル, しないことに")
        words.formerMarks = phraseSet("ではなく, じゃなく, の代わり, からの変更, をやめ, はやめ, ではありません, ではない")
        words.proposals = phraseSet(
            """
            ませんか, ましょうか, でしょうか, ほうがいい, 方がいい, と思います, と思う, なら, もし, かもしれ, たいです, いいですか, ですか, ますか, どうですか, いかがですか, 場合, たら,
            提案
            """)
        words.acceptances = phraseSet("はい, 了解, 大丈夫です, 承知, いいですね, わかりました, 分かりました, お願いします, 賛成, オッケー")
        words.refusals = phraseSet("いいえ, いや, 無理, できません, 難しい, だめ, ダメ")
        words.decisions = phraseSet("決定, 決まり, 決めました, 決めた, にしました, にします, 採用, 承認, 合意")
        words.roles = phraseSet("担当, 引き継, がやります, がやる, がします, 任せ, 係, 責任者, 代わりました, 当番")
        words.placeMarks = phraseSet("でや, で行, で開, で集, で販, で売, での")
        words.rooms = phraseSet("会議室, 号室, 階, 教室, 番線, 号館")
        words.plain = phraseSet(
            """
            変更, 延期, 予定, 担当, 場所, 時間, 日程, 開始, 今日, 明日, 来週, 今週, 毎日, 話, 決, 行, 訂正, 今, 人, 名, 今年, 月, 日, 時, 曜日, 値段
            """)
        words.replacedBy = "変更後:"
        return words
    }()
}
