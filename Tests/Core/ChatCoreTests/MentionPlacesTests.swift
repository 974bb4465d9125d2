import ChatCore
import Testing

/// What a text can mention is bounded before anybody is looked up.
@Suite struct MentionPlacesTests {
    @Test func onlySoManyPlacesAndNamesCount() {
        let blanks = MentionPlaces(in: String(repeating: "@ ", count: 130_000))
        let signs = MentionPlaces(in: String(repeating: "@", count: 130_000))
        let names = MentionPlaces(in: String(repeating: "@Ada , hm ! ", count: 40_000))

        #expect(blanks.count == 0 && blanks.names.isEmpty)
        #expect(signs.count <= MemberMention.limit)
        #expect(names.count == MemberMention.limit)
        #expect(names.names.count <= MemberMention.limit * MentionPlaces.nameLimit)
    }

    @Test func eachMemberIsMentionedOnceAndAHundredAtMost() {
        let users = (0..<150).map { UserID(rawValue: "user-\($0)") }
        let text = users.map { "@\($0) @\($0)" }.joined(separator: " and ")
        let known = Dictionary(users.map { ($0.rawValue, $0) }) { first, _ in first }

        let mentions = MentionPlaces(in: text).mentions(of: known)

        // Each name takes two places.
        #expect(mentions.map(\.userID) == Array(users.prefix(MemberMention.limit / 2)))
        #expect(mentions.first?.start == 0 && mentions.first?.end == 7)
    }

    @Test func namesOfSeveralWordsAndWithSignsAreTried() {
        let users: [String: UserID] = ["ada (ops)": "a", "ada": "b", "öykü ışık": "c"]

        #expect(MentionPlaces(in: "@Ada (Ops) hi").mentions(of: users).map(\.userID) == ["a"])
        #expect(MentionPlaces(in: "@Ada Ops hi").mentions(of: users).map(\.userID) == ["b"])
        #expect(MentionPlaces(in: "hi @ÖYKÜ ışık!").mentions(of: users).map(\.userID) == ["c"])
    }

    @Test func manyRunsOfBackticksOfDifferentLengthsAreRead() {
        // Each run of another length has no end: only the names after the last line are spoken.
        let runs = (1...600).map { String(repeating: "`", count: $0) }.joined(separator: " ")

        #expect(MentionPlaces(in: "\(runs) @ada").count == 1)
        let fence = String(repeating: "`", count: 601)
        #expect(MentionPlaces(in: "\(runs) \(fence)@ada\(fence)").count == 0)
    }
}

/// Names and the texts that look for them have the same form.
@Suite struct MemberNameTests {
    private func member(_ name: String, aliases: [String] = []) -> Member {
        Member(userID: "u-7", displayName: name, aliases: aliases, joinedAt: Timestamp(microseconds: 0))
    }

    @Test func aNameIsFoundFromEachOfItsWords() {
        #expect(
            MemberName.parts(of: member("José-María  Núñez", aliases: ["Chema"]))
                == ["jose maria nunez", "maria nunez", "nunez", "chema", "u 7", "7"])
        #expect(MemberName.mentionable(member("Ada LIN", aliases: [""])) == ["ada lin", "u-7"])
    }

    @Test func pairsOfWordsComeFirstAndLongWordsBeforeShortOnes() {
        let found = MemberName.beginnings(in: "What did José Núñez say to Adas?")

        #expect(found.prefix(6) == ["what did", "did jose", "jose nunez", "nunez say", "say to", "to adas"])
        #expect(found.contains("nunez") && found.contains("ada") && !found.contains("to"))
        #expect(MemberName.beginnings(in: "山田さん").contains("山田"))
        #expect(MemberName.beginnings(in: String(repeating: "x1 y2 ", count: 4_000)).count <= 2 * MemberName.wordLimit)
    }

    @Test func aTextWithoutWordsBeginsNoName() {
        #expect(MemberName.beginning("#!") == nil)
        #expect(MemberName.beginning("  Jo S") == "jo s")
    }
}
