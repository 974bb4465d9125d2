import Assistant
import ChatCore
import Extraction
import Foundation
import Glibc
import HTTPAPI
import Testing
import TextAnalysis
import WebServer

/// Readers of text that comes from outside, for `scripts/bench growth`, which finds those whose cost grows faster than
/// the text.
///
/// The script sets `NEXUS_GROWTH_SIZE`; without it each reader reads one short text of each kind, and nothing is measured.
@Suite("Growth of readers") struct GrowthTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test func readersReadTextsOfEachKind() {
        let size = Self.environment["NEXUS_GROWTH_SIZE"].flatMap { Int($0) }
        let wanted = Self.environment["NEXUS_GROWTH_READER"]
        var count = 0
        for reader in GrowthReader.all where wanted.map({ reader.name.contains($0) }) ?? true {
            for kind in GrowthText.kinds {
                guard let size else {
                    reader.read(reader.input(GrowthText.text(of: kind, byteCount: 64)))
                    count += 1
                    continue
                }
                let costs = [1, 2, 4].map { factor in
                    Self.cost(of: reader, reading: GrowthText.text(of: kind, byteCount: size * factor))
                }
                print("growth", reader.name, costs[0], costs[1], costs[2], kind.debugDescription, separator: "\t")
                count += 1
            }
        }
        #expect(count > 0)
    }

    /// Returns the least processor time of five readings, in nanoseconds, for the script; no test compares it.
    private static func cost(of reader: GrowthReader, reading text: String) -> Int {
        let input = reader.input(text)
        var least = Int.max
        for _ in 0..<5 {
            let start = threadTime()
            reader.read(input)
            least = min(least, threadTime() - start)
        }
        return least
    }

    private static func threadTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test func textsHaveTheirSize() {
        for kind in GrowthText.kinds {
            let single = GrowthText.text(of: kind, byteCount: 500).utf8.count
            let double = GrowthText.text(of: kind, byteCount: 1_000).utf8.count
            #expect(abs(double - 2 * single) <= 2 * kind.utf8.count, "\(kind)")
            #expect(abs(single - 500) <= kind.utf8.count, "\(kind)")
        }
    }

    @Test func readersHaveDifferentNames() {
        #expect(Set(GrowthReader.all.map(\.name)).count == GrowthReader.all.count)
    }
}

/// Long texts made of one short piece: such texts are what makes a loop quadratic.
private enum GrowthText {
    static let kinds = [
        "a", " ", "a ", "\n", "1", "1 ", "@", "@ ", "@ada ", "@Ada Lovelace ", "[", "[1]", "[1](x) ", "[1, ", "![x](",
        "](", "(", "\"", "\"a\" ", "'", "`", "```\n", "<", "<b>", "&amp;", "&", "http://", "http://a.b/c ", "a.b.",
        "a@b.c ", ":", "://", ",", ", ", "- x\n", "> x\n", "* ", "\\", "{", "[]", "{\"a\":", "[{\"text\":\"a\",",
        "\u{301}", "👩‍👩‍👧‍👦", "é", "京", "。", "「", "月曜日", "in 5 days ", "at 5 ", "from May to ", "5/6/", "UTC+",
        "Friday ", "vor 3 Tagen ", "3時間後", "Ada ", "Ada Lovelace ", "and ", "not ", "? ", ". ", "\u{200B}",
        "\u{202E}", "\u{0}", "A", "-", "_", "0000-", "2.",
    ]

    static func text(of kind: String, byteCount: Int) -> String {
        String(repeating: kind, count: max(1, byteCount / kind.utf8.count))
    }
}

/// Something that reads a text from outside.
private struct GrowthReader: Sendable {
    /// A text in the forms that readers take, made before anything is counted.
    struct Input {
        let text: String
        let bytes: [UInt8]
        let members: [Member]
        let participants: [Participant]
    }

    let name: String
    /// Makes of a text the one that is read, such as a JSON body around it.
    var body: @Sendable (String) -> String = { $0 }
    let read: @Sendable (Input) -> Void

    private static let moment = Timestamp(microseconds: 1_761_117_300_000_000)
    private static let zone = "Europe/Berlin"
    private static let people = [
        Participant(id: "ada", displayName: "Ada Lovelace", aliases: ["Countess"]),
        Participant(id: "ben", displayName: "Ben a b", aliases: ["B."]),
    ]

    func input(_ text: String) -> Input {
        let text = body(text)
        let words = text.split(separator: " ", omittingEmptySubsequences: true).prefix(text.utf8.count / 16)
        let members = words.enumerated().map {
            Member(
                userID: UserID(rawValue: "u\($0.offset)"), displayName: String($0.element.prefix(40)),
                joinedAt: Self.moment)
        }
        let participants = members.map { Participant(id: $0.userID, displayName: $0.displayName) }
        return Input(text: text, bytes: Array(text.utf8), members: members, participants: participants)
    }

    static let all = answers + messages + questions + dates + bodies + headers

    /// What a model writes.
    private static let answers = [
        GrowthReader(name: "answer.citations") { input in
            var numbering = CitationNumbering(sourceCount: 9)
            _ = numbering.read(input.text)
            _ = numbering.finish()
        },
        GrowthReader(name: "answer.citations-by-character") { input in
            var numbering = CitationNumbering(sourceCount: 9)
            for character in input.text { _ = numbering.read(String(character)) }
            _ = numbering.finish()
        },
        GrowthReader(name: "answer.markdown") { input in
            var filter = AnswerFilter(permittedLinks: PermittedLinks(), sourceCount: 9)
            _ = filter.push(input.text)
            _ = filter.finish()
        },
        GrowthReader(name: "answer.markdown-by-scalar") { input in
            var filter = AnswerFilter(permittedLinks: PermittedLinks(), sourceCount: 9)
            for scalar in input.text.unicodeScalars { _ = filter.push(String(scalar)) }
            _ = filter.finish()
        },
        GrowthReader(name: "answer.items") { input in
            let context = ExtractionContext(messages: shown, participants: people, zone: zone)
            for kind in [ExtractedItem.Kind.actionItem, .decision, .deadline] {
                _ = DraftReader(schema: .schema(for: kind), context: context).read(input.text)
            }
        },
        GrowthReader(name: "answer.items-of-list", body: { "[" + $0 + "]" }) { input in
            let context = ExtractionContext(messages: shown, participants: people, zone: zone)
            _ = DraftReader(schema: .schema(for: .actionItem), context: context).read(input.text)
        },
    ]

    private static let shown = [
        NumberedMessage(
            key: MessageKey(conversationID: "c", messageID: "m"), senderID: "ada", senderName: "Ada", timestamp: moment,
            text: "Ben, send the plan by Friday", isContext: false)
    ]

    /// What people write, and how it is indexed.
    private static let messages = [
        GrowthReader(name: "message.mentions") { input in
            _ = MentionPlaces(in: input.text).mentions(of: ["ada": "ada", "ada lovelace": "ada"])
        },
        GrowthReader(name: "message.mentions-of-members") { input in
            _ = MemberMentionReader(input.members).mentions(in: input.text)
        },
        GrowthReader(name: "message.terms") { input in
            for language in TextLanguage.allCases { _ = TextAnalyzer.terms(of: input.text, language: language) }
        },
        GrowthReader(name: "message.language") { _ = LanguageGuess.language(of: $0.text) },
        GrowthReader(name: "message.visible") { _ = VisibleText.of($0.text) },
        GrowthReader(name: "message.sentence") { input in
            _ = FoundSentence.range(in: input.text, terms: ["ada", "friday"], languages: [.english], passage: nil)
        },
        GrowthReader(name: "message.excerpt") { input in
            let middle = input.text.utf8.count / 2
            _ = TextExcerpt.range(around: middle..<middle, of: input.text, limit: 300)
        },
        GrowthReader(name: "message.links") { _ = PermittedLinks(in: [$0.text]) },
        GrowthReader(name: "names.of-member") { input in
            for member in input.members {
                _ = MemberName.mentionable(member)
                _ = MemberName.parts(of: member)
            }
        },
        GrowthReader(name: "names.of-group") { _ = NameIndex($0.participants) },
        GrowthReader(name: "names.in-text") { _ = MemberName.beginnings(in: $0.text) },
    ]

    /// What people ask.
    private static let questions = [
        GrowthReader(name: "question.cues") { input in
            _ = QuestionCues(
                reading: input.text, names: NameIndex(people), conversations: ConversationNames([("c", "Ada a b")]),
                askedAt: moment, zone: zone)
        },
        GrowthReader(name: "question.terms") { input in
            _ = TextAnalyzer.terms(of: input.text, languages: TextLanguage.allCases)
        },
        GrowthReader(name: "question.phrases") { _ = QuotedPhrases.find(in: $0.text) },
        GrowthReader(name: "question.follow-up") { input in
            _ = FollowUp.standalone(input.text, after: [input.text, input.text], names: NameIndex(people))
        },
        GrowthReader(name: "question.dependence") { _ = QuestionDependence.standsAlone($0.text) },
    ]

    /// Times in texts.
    private static let dates = [
        GrowthReader(name: "dates.due") { _ = DueDates.find(in: $0.text, saidAt: moment, zone: zone) },
        GrowthReader(name: "dates.asked") { _ = DateExpressions.find(in: $0.text, askedAt: moment, zone: zone) },
        GrowthReader(name: "dates.end-of-day") { _ = DueDates.endOfDay($0.text, zone: zone) },
        GrowthReader(name: "dates.iso") { _ = Timestamp(iso8601: $0.text) },
        GrowthReader(name: "dates.zone") { _ = DateExpressions.dateWords(of: moment, zone: $0.text) },
    ]

    /// Bodies of requests.
    private static let bodies = [
        GrowthReader(name: "body.json") { _ = try? JSONParser.parse($0.bytes) },
        GrowthReader(name: "body.nested", body: { "[" + $0 + "]" }) { _ = try? JSONParser.parse($0.bytes) },
        GrowthReader(name: "body.text", body: { #"{"data":{"question":"# + Extremes.quoted($0) + "}}" }) { input in
            _ = ReadBody.reads(input.bytes)
        },
        GrowthReader(name: "body.talk", body: { #"{"model":"nexus","input":"# + Extremes.quoted($0) + "}" }) { input in
            _ = ReadBody.readsTalk(input.bytes)
        },
        GrowthReader(
            name: "body.prompt",
            body: { #"{"model":"nexus","messages":[{"role":"user","content":"# + Extremes.quoted($0) + "}]}" },
            read: { _ = ReadBody.readsTalk($0.bytes) }),
        GrowthReader(name: "body.limit") { _ = TextLimit.question.fault(of: $0.text) },
    ]

    /// Values of headers and of queries.
    private static let headers = [
        GrowthReader(name: "header.host") { _ = Authority($0.text) },
        GrowthReader(name: "header.origin", body: { "https://" + $0 }) { _ = Authority(origin: $0.text) },
        GrowthReader(name: "header.forwarded") { input in
            _ = ClientAddress(proxies: []).client(peer: "127.0.0.1", forwarded: [input.text])
        },
        GrowthReader(name: "query.cursor") { _ = ChangeCursor($0.text) },
        GrowthReader(name: "query.cursor-of-numbers", body: { "1-1" + String(repeating: ".1", count: $0.utf8.count) }) {
            _ = ChangeCursor($0.text)
        },
    ]
}
