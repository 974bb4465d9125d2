import ChatCore
import Prompting
import Testing

@Suite struct PromptOrderTests {
    /// By rank: the third and the last are in the conversation of the first, and older.
    static let sources = [
        source("b2", conversation: "B", after: 20), source("a2", conversation: "A", after: 15),
        source("b1", conversation: "B", after: 10), source("c1", conversation: "C", after: -100),
        source("a1", conversation: "A", after: 5), source("b0", conversation: "B", after: -9),
    ]

    @Test func rankStaysAsItIs() {
        #expect(PromptOrder.places(of: Self.sources, layout: .byRank) == [0, 1, 2, 3, 4, 5])
    }

    @Test func conversationsStandInOrderOfTheirBestAndWithinThemTime() {
        #expect(PromptOrder.places(of: Self.sources, layout: .byConversation) == [5, 2, 0, 4, 1, 3])
    }

    @Test func leavingOutTheLastByRankKeepsTheOrderOfTheOthers() {
        let whole = PromptOrder.places(of: Self.sources, layout: .byConversation)
        for count in 0...6 {
            let places = PromptOrder.places(of: Self.sources.prefix(count), layout: .byConversation)
            #expect(places == whole.filter { $0 < count })
        }
    }

    @Test func messagesOfOneMomentStandByRank() {
        let sources = ["x", "y", "z"].map { source($0, conversation: "A") }
        #expect(PromptOrder.places(of: sources, layout: .byConversation) == [0, 1, 2])
    }

    @Test func conversationsOfOneNameAreNotMixed() {
        let sources = [
            source("1", id: "one", after: 9), source("2", id: "two", after: 5), source("3", id: "one", after: 1),
        ]
        #expect(PromptOrder.places(of: sources, layout: .byConversation) == [2, 0, 1])
    }

    @Test func aSliceCountsFromItsOwnStart() {
        let slice = Self.sources[1...4]
        #expect(PromptOrder.places(of: slice, layout: .byRank) == [0, 1, 2, 3])
        #expect(PromptOrder.places(of: slice, layout: .byConversation) == [3, 0, 1, 2])
    }
}
