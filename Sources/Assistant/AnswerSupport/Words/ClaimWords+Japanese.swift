extension ClaimWords {
    /// Looked up in the text as written, longest first; there are no blanks.
    static let japanese: ClaimWords = {
        var words = ClaimWords()
        words.numbers = wordTable("1 一, 2 二, 3 三, 4 四, 5 五, 6 六, 7 七, 8 八, 9 九, 0 〇")
        words.multipliers = ["十": 10, "百": 100, "千": 1_000, "万": 1e4, "億": 1e8, "兆": 1e12]
        words.halves = ["半"]
        words.amounts = ["半年": (6, Unit(.months)), "半日": (720, Unit(.time)), "半月": (15 * 1_440, Unit(.time))]
        words.units = [
            "秒": .init(.time, 1.0 / 60), "分間": .init(.time), "分": .init(.time), "時間": .init(.time, 60),
            "日間": .init(.time, 1_440), "週間": .init(.time, 10_080), "か月": .init(.months), "ヶ月": .init(.months),
            "カ月": .init(.months), "ヵ月": .init(.months), "年間": .init(.months, 12), "円": .init(.yen),
            "ドル": .init(.dollar), "ユーロ": .init(.euro), "パーセント": .init(.percent), "割": .init(.percent, 10),
            "キロ": .init(.mass, 1_000), "キログラム": .init(.mass, 1_000), "グラム": .init(.mass),
            "トン": .init(.mass, 1e6), "メートル": .init(.length), "ミリ": .init(.length, 0.001),
            "センチ": .init(.length, 0.01), "度": .init(.temperature), "リットル": .init(.volume),
        ]
        words.negations = [
            "ません", "ない", "なく", "ず", "なし", "なかった", "ぬ", "無し", "未", "不要",
        ]
        words.rejections = ["ではなく", "じゃなく", "代わりに", "以前は", "今は", "普段は", "去年は"]
        words.opposites = oppositePairs(
            """
            前に 前 / 後に 後
            上が 上げ 増え 値上げ 広が / 下が 下げ 減 据え置き 変わりません 狭
            開い 開け / 閉ま 閉じ
            可決 承認 了承 大丈夫 / 否決 却下 断り
            勝 / 負
            無料 / 有料
            安い 安く / 高い 高く
            朝 / 夜
            始ま 開始 動いて 実行中 / 終わ 終了
            来週 来月 来年 / 先週 先月 去年
            行き 行きは / 帰り 帰りは
            中止 欠航 運休 / 予定通り あります
            オンライン / 対面
            長い / 短い
            故障 壊れ / 正常
            春 / 秋
            夏 / 冬
            必要 / 済 不要
            """)
        words.impliedNegations = [
            "中止", "欠航", "運休", "無料", "据え置き", "断り", "否決", "却下", "必要です", "足り", "欠席", "お休み", "禁止",
        ]
        words.fillers = [
            "予定", "期間", "約", "場所", "方", "時", "人", "者", "当日", "担当", "間", "分", "件", "等", "今回", "現在", "現地",
        ]
        words.reports = ["書きました", "言いました", "によると", "頼んで", "考えて", "思", "感じて", "述べ", "伝え"]
        words.writer = ["私", "僕", "俺", "自分"]
        words.ignorance = [
            "わかりません", "分かりません", "見つかりません", "情報がありません", "情報はありません", "記載がありません", "記載されていません",
            "不明です",
        ]
        words.courtesies = ["こんにちは", "ありがとう", "はい", "どうぞ", "お役に立", "質問があれば", "お気軽に", "お知らせください"]
        return words
    }()
}
