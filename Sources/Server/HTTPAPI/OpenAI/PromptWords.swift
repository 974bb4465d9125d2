/// The words by which an order of a program is known: what it wants, of what, how long, and in which form.
///
/// A person may use some of them in a question, but not all of them together.
struct PromptWords {
    /// The longest order; programs describe them shortly.
    private static let limit = 4_096

    private let text: String

    init(_ text: String) {
        self.text = text.utf8.count > 4 * Self.limit ? "" : text.lowercased()
    }

    /// Whether it names something that programs want of a chat.
    var nameProduct: Bool { has(Self.products) }

    /// Whether it orders a text about the chat, and limits its length and its form.
    var areOrder: Bool {
        text.count <= Self.limit && has(Self.titles) && has(Self.subjects) && limitsLength
            && (has(Self.onlyThis) || has(Self.forms))
    }

    /// Whether it orders something of the chat that follows.
    var areShortOrder: Bool {
        text.count <= Self.limit && nameProduct && (limitsLength || has(Self.onlyThis) || has(Self.forms))
    }

    private func has(_ words: [String]) -> Bool { words.contains { text.contains($0) } }

    /// Whether it says how many words or characters are allowed.
    private var limitsLength: Bool {
        text.contains(
            /(\d+|\b(two|three|four|five|six|seven|eight|ten)|zwei|drei|vier|fünf|sechs|[一二两三四五六七八九十])[ -]?(words?|wörter|worte|mots|palabras|palavras|parole|слов|characters?|chars|zeichen|caract|символ|个?字|个?词|文字|語|단어|글자)/
        ) || text.contains("word-or-less") || text.contains("words or less") || text.contains("words or fewer")
            || text.contains("words max") || text.contains("字以内")
    }

    /// The first heading of a task.
    static let taskHeadings = [
        "task", "aufgabe", "tâche", "tarea", "tarefa", "compito", "taak", "zadanie", "задача", "задание", "görev", "任务",
        "任務", "タスク", "작업", "مهمة",
    ]

    private static let titles = [
        "title", "titel", "titre", "título", "titulo", "titolo", "tytuł", "заголов", "назван", "başlı", "标题", "標題",
        "主题", "タイトル", "제목", "عنوان", "headline",
    ]

    private static let products =
        titles + [
            "tags", "schlagw", "étiquettes", "etiquetas", "тег", "标签", "follow-up", "follow up", "followup",
            "folgefrage",
            "anschlussfrage", "questions de suivi", "seguimiento", "追问", "后续问题", "search quer", "suchanfrage",
            "queries", "autocomplet", "emoji", "image prompt",
        ]

    private static let subjects = [
        "conversation", "chat", "message", "discussion", "exchange", "dialog", "thread", "unterhaltung", "gespräch",
        "nachricht", "conversación", "mensaje", "conversa", "mensagem", "échange", "conversazione", "разговор",
        "диалог",
        "сообщени", "对话", "對話", "聊天", "会话", "这句话", "消息", "会話", "チャット", "대화",
    ]

    private static let onlyThis = [
        "only", "nothing else", "no explanation", "without any", "exclusively", "strictly", "ausschließlich", "nur ",
        "nichts weiter", "uniquement", "seulement", "rien d'autre", "solo ", "sólo", "únicamente", "apenas", "somente",
        "только", "ничего", "只", "仅", "直接返回", "不要解释", "のみ", "だけ",
    ]

    private static let forms = [
        "punctuation", "quotation mark", "quotes", "json", "title case", "sentence case", "special character",
        "markdown",
        "satzzeichen", "anführungszeichen", "ponctuation", "guillemets", "puntuación", "comillas", "pontuação", "aspas",
        "кавыч", "标点", "引号", "句読点",
    ]
}
