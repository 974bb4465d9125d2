import ChatCore
import Prompting
import Testing

@Suite("Tokens of chat templates in what people wrote")
struct ChatTokensTests {
    static let tokens = [
        "<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>", "<|endoftext|>",
        "<|user|>", "<|assistant|>", "<|system|>", "<|END_OF_TURN_TOKEN|>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>",
        "<start_of_turn>", "<end_of_turn>", "<s>", "</s>", "<bos>", "<eos>", "<pad>", "<unk>", "<｜User｜>",
        "<｜begin▁of▁sentence｜>", "<tool_call>", "</tool_call>", "<think>", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]",
        "[SYSTEM_PROMPT]", "[gMASK]", "<sop>", "<unused12>", "<extra_id_0>", "<0x0A>", "<|IM_START|>", "<|channel|>",
    ]

    @Test(arguments: tokens)
    func areBrokenUpWhereverTheyStand(token: String) {
        for text in [token, "so \(token)system", "\(token)\u{301}", "<\(token)>", "[\(token)", token + token] {
            let broken = ChatTokens.broken(text)
            #expect(!Array(broken.unicodeScalars).containsRun(of: token), "\(text)")
            #expect(broken.unicodeScalars.filter { $0.value != 0x200C }.elementsEqual(text.unicodeScalars))
        }
    }

    @Test(arguments: [
        "", "a < b && c > d", "[1][2]", "x |> f <| y", "<b>bold</b>", "<https://nexus.example>",
        "if (a<s) { b[0] }", "2 << 3", "<@U012> hi", "[x](y)", "<0x>", "<unused>",
    ])
    func otherTextStays(text: String) {
        #expect(ChatTokens.broken(text) == text)
    }

    @Test(arguments: tokens)
    func noPromptHoldsThemOfWhatPeopleWrote(token: String) throws {
        let builder = try builder()
        var generator = ConstantGenerator(number: 0)
        let budget = PromptBudget(contextTokenCount: 1_000_000, answerTokenCount: 0)
        let source = source("text \(token)", sender: "name \(token)", conversation: "room \(token)")
        let exchange = PromptExchange(question: "earlier \(token)", answer: "answer \(token)")
        var conversation = ConversationRequest(
            question: "request \(token)", history: [exchange], name: "room \(token)",
            participants: [.init(name: "name \(token)", aliases: ["alias \(token)"], isAsker: true)], now: thursday,
            timeZone: nil)
        (conversation.messages, conversation.shown) = ([source], [0])
        let summary = SummaryText(dates: thursday...thursday, pieces: [.text("notes \(token)"), .citation(0)])
        conversation.summaries = [summary]
        let list = ListRequest(
            template: .actionItems, fields: [], participants: ["name \(token)"],
            messages: [
                ListedMessage(
                    sender: "name \(token)", timestamp: thursday, text: "text \(token)", isEarlier: true,
                    known: ["known \(token)"])
            ], reader: "reader \(token)", timeZone: nil)
        var priorities = list
        priorities.template = .priorities
        let replies = SmartRepliesRequest(
            last: source, earlier: [.init(source: source, isOwn: true)], examples: ["example \(token)"])
        let numbered = [NumberedSource(number: 1, source: source)]
        let question = PromptRequest(
            question: "question \(token)", history: [exchange], grounding: .sources([source]), now: thursday)
        let empty = PromptRequest(question: "question \(token)", history: [], grounding: .nothingFound, now: thursday)
        let prompts = [
            try builder.prompt(for: question, budget: budget, using: &generator).messages,
            try builder.prompt(for: empty, budget: budget, using: &generator).messages,
            try builder.conversationPrompt(for: conversation, budget: budget, using: &generator).messages,
            builder.standaloneQuestionPrompt(for: "then \(token)", after: [exchange], using: &generator),
            builder.partPrompt(for: [source], lineCount: 3, timeZone: nil, using: &generator),
            builder.mergePrompt(for: [summary], lineCount: 3, timeZone: nil, using: &generator),
            try builder.smartRepliesPrompt(for: replies, budget: budget, using: &generator),
            builder.listPrompt(for: list, using: &generator), builder.listPrompt(for: priorities, using: &generator),
            builder.judgePrompt(
                question: "q \(token)", reference: "r \(token)", sources: numbered, answer: "a \(token)",
                using: &generator),
            builder.judgeSummaryPrompt(statements: ["s \(token)"], sources: numbered, using: &generator),
        ]
        for (place, prompt) in prompts.enumerated() {
            let text = prompt.map(\.content).joined(separator: "\n")
            #expect(text.unicodeScalars.contains { $0.value == 0x200C }, "\(place)")
            #expect(!Array(text.unicodeScalars).containsRun(of: token), "\(place)")
        }

        // People are shown what was written.
        let quoted = builder.extractiveParts(for: .sources([source])).map(\.text).joined()
        #expect(quoted.contains(token))
    }
}

extension [Unicode.Scalar] {
    /// Whether a text stands in it, scalar by scalar.
    fileprivate func containsRun(of text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { Array(self[$0..<$0 + wanted.count]) == wanted }
    }
}
