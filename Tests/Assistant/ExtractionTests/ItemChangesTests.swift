import ChatCore
import Extraction
import Testing
import TextAnalysis

@Suite("Recognising known items")
struct ItemChangesTests {
    static let moment = Timestamp(microseconds: 1_000_000)

    static func drafts(_ items: String, _ schema: ExtractionSchema = .actionItems) -> [ItemDraft] {
        Talk.read("[\(items)]", schema).drafts
    }

    static func changes(
        _ drafts: [ItemDraft], known: [ExtractedItem] = [], kind: ExtractedItem.Kind = .actionItem,
        apart: Set<ItemID> = [], reread: Set<MessageID> = []
    ) -> ItemChanges {
        var count = 0
        return ItemChanges(
            drafts: drafts, kind: kind, known: known, apart: apart,
            reread: Set(reread.map { MessageKey(conversationID: "ship", messageID: $0) }), at: moment
        ) {
            count += 1
            return ItemID(rawValue: "new\(count)")
        }
    }

    static func item(
        _ id: ItemID, _ messageID: MessageID, _ text: String, person: Participant? = nil,
        kind: ExtractedItem.Kind = .actionItem
    ) -> ExtractedItem {
        ExtractedItem(
            id: id, kind: kind, key: MessageKey(conversationID: "ship", messageID: messageID),
            sentAt: Timestamp(iso8601: "2025-10-22T07:15:00Z") ?? moment, text: text, personName: person?.displayName,
            personID: person?.id, quote: "send the drawings", extractedAt: Timestamp(microseconds: 5))
    }

    static let send =
        #"{"message":2,"task":"Send the drawings to the foundry","assignee":"Bert","deadline":"by Friday","quote":"send the drawings"}"#

    @Test("adds what is new")
    func new() throws {
        let changes = Self.changes(Self.drafts(Self.send))

        let added = try #require(changes.added.first)
        #expect(changes.added.count == 1 && changes.changed.isEmpty && changes.removedIDs.isEmpty)
        #expect(added.id == "new1")
        #expect(added.key.messageID == "m2")
        #expect(added.personName == "Bert Brown" && added.personID == "bert")
        #expect(added.due?.iso8601 == "2025-10-24T21:59:59.000Z")
        #expect(added.quote == "send the drawings")
        #expect(added.status == .open && added.extractedAt == Self.moment)
    }

    @Test("knows the same task of the same message in other words")
    func sameMessage() {
        let known = Self.item("i1", "m2", "Send drawings to foundry", person: Talk.bert)

        let changes = Self.changes(Self.drafts(Self.send), known: [known], reread: ["m2"])

        #expect(changes.added.isEmpty && changes.removedIDs.isEmpty)
        #expect(changes.changed.map(\.id) == ["i1"])
        #expect(changes.changed.map(\.due?.iso8601) == ["2025-10-24T21:59:59.000Z"])
        #expect(changes.changed.map(\.extractedAt.microseconds) == [5])
    }

    @Test("leaves an item of other readers as it is")
    func otherReaders() {
        let known = Self.item("i1", "m1", "Send the drawings to the foundry", person: Talk.bert)
        #expect(Self.changes(Self.drafts(Self.send), known: [known]).added.isEmpty)

        let changes = Self.changes(Self.drafts(Self.send), known: [known], apart: ["i1"])
        #expect(changes.changed.isEmpty)
        #expect(changes.added.map(\.text) == ["Send the drawings to the foundry"])
    }

    @Test("keeps two tasks of one message apart")
    func twoTasks() {
        let known = Self.item("i1", "m2", "Call the foundry about prices", person: Talk.bert)
        let changes = Self.changes(Self.drafts(Self.send), known: [known])
        #expect(changes.added.map(\.text) == ["Send the drawings to the foundry"])
    }

    @Test("knows a reminder of the same task, but no task with other numbers or for somebody else")
    func otherMessage() {
        let known = Self.item("i1", "m1", "Order 12 gears", person: Talk.bert)
        func added(_ task: String, _ person: String) -> Int {
            Self.changes(
                Self.drafts(#"{"message":3,"task":"\#(task)","assignee":"\#(person)","quote":"order 12 gears"}"#),
                known: [known]
            ).added.count
        }

        #expect(added("Order 12 gears!", "Bert") == 0)
        #expect(added("Order 14 gears", "Bert") == 1)
        #expect(added("Order 12 gears", "Ada") == 1)
        #expect(added("Write the manual", "Bert") == 1)
    }

    @Test("never overwrites what a person changed")
    func edited() {
        var known = Self.item("i1", "m2", "Mail the plans", person: Talk.ada)
        known.editedFields = [.text, .person, .due]

        let changes = Self.changes(Self.drafts(Self.send), known: [known], reread: ["m2"])

        #expect(changes == ItemChanges())
    }

    @Test("does not bring back what a person took away")
    func dismissed() {
        var known = Self.item("i1", "m2", "Send the drawings to the foundry", person: Talk.bert)
        known.isDismissed = true
        #expect(Self.changes(Self.drafts(Self.send), known: [known], reread: ["m2"]) == ItemChanges())
    }

    @Test("removes what a message says no more, unless a person cared for it")
    func removed() {
        let gone = Self.item("i1", "m2", "Buy oil")
        var edited = Self.item("i2", "m2", "Buy coal")
        edited.editedFields = [.due]
        var done = Self.item("i3", "m2", "Buy rope")
        done.status = .done
        let elsewhere = Self.item("i4", "m3", "Buy sand")

        let changes = Self.changes([], known: [gone, edited, done, elsewhere], reread: ["m2"])

        #expect(changes.removedIDs == ["i1"])
        #expect(changes.added.isEmpty && changes.changed.isEmpty)
    }

    @Test("marks decisions that a later one takes the place of")
    func superseded() {
        let brass = Self.item("i1", "m1", "Ship with brass gears", kind: .decision)
        let steel =
            #"{"message":4,"decision":"Ship with steel gears","decidedBy":"Cara","supersedes":1,"quote":"steel gears"}"#

        let changes = Self.changes(Self.drafts(steel, .decisions), known: [brass], kind: .decision)

        #expect(changes.added.map(\.id) == ["new1"])
        #expect(changes.changed.map(\.id) == ["i1"])
        #expect(changes.changed.map(\.supersededByID) == ["new1"])

        // Of two decisions in one message, the one that is spoken of.
        let colour = Self.item("i2", "m1", "Paint the hull red", kind: .decision)
        let both = Self.changes(Self.drafts(steel, .decisions), known: [colour, brass], kind: .decision)
        #expect(both.changed.map(\.id) == ["i1"])

        // The later one goes: the earlier one is valid again.
        let later = Self.changes(
            [], known: changes.changed + changes.added, kind: .decision, reread: ["m4"])
        #expect(later.removedIDs == ["new1"])
        #expect(later.changed.map(\.supersededByID) == [nil])
    }

    @Test("collapses two items of a reply that say the same in two messages")
    func duplicatesInReply() {
        let reply = Talk.read(
            """
            [{"message":2,"task":"Send the drawings to the foundry","assignee":"Bert","quote":"send the drawings"},
             {"message":3,"task":"Send drawings to the foundry","assignee":"Bert","quote":"Bert"}]
            """)
        #expect(reply.drafts.map(\.message.key.messageID) == ["m2"])
        #expect(Talk.faults(reply) == ["2:duplicate!"])
    }

    @Test("takes a deadline that is moved for another one")
    func movedDeadline() {
        let drafts = Self.drafts(
            """
            {"message":2,"what":"The drawings are due","when":"by Friday","quote":"by Friday"},
            {"message":3,"what":"The drawings are due","when":"tomorrow 5pm","quote":"tomorrow 5pm"}
            """, .deadlines)
        #expect(drafts.map(\.message.key.messageID) == ["m2", "m3"])
        guard drafts.count == 2 else { return }

        let first = Self.changes([drafts[0]], kind: .deadline).added

        #expect(Self.changes([drafts[0]], known: first, kind: .deadline).added.isEmpty)
        #expect(Self.changes([drafts[1]], known: first, kind: .deadline).added.map(\.due) == [drafts[1].due])
    }

    static func draft(
        _ what: String, due: String, in id: MessageID, at time: String, moving old: MessageID? = nil
    ) -> ItemDraft {
        var draft = drafts(send)[0]
        draft.message = Talk.message(id, Talk.ada, what, at: time)
        (draft.text, draft.quote, draft.due, draft.person) = (what, what, Timestamp(iso8601: due), nil)
        draft.supersedes = old.map { MessageKey(conversationID: "ship", messageID: $0) }
        return draft
    }

    @Test("lets a later date for the same thing take the place of the one that was still to come")
    func movedDate() {
        let old = Self.changes(
            [Self.draft("The drawings are due", due: "2025-11-07T12:00:00Z", in: "m1", at: "2025-11-01T08:00:00Z")],
            kind: .deadline
        ).added
        func later(
            _ what: String = "The drawings are due", at time: String = "2025-11-03T08:00:00Z",
            moving key: MessageID? = nil, known: [ExtractedItem]
        ) -> ItemChanges {
            Self.changes(
                [Self.draft(what, due: "2025-11-14T12:00:00Z", in: "m9", at: time, moving: key)], known: known,
                kind: .deadline)
        }

        let moved = later(known: old)
        #expect(moved.added.count == 1)
        #expect(moved.changed.map(\.id) == old.map(\.id))
        #expect(moved.changed.map(\.supersededByID) == moved.added.map(\.id))
        // Named by the model, in other words.
        let named = later("Hand in all plans", moving: "m1", known: old)
        #expect(named.changed.map(\.supersededByID) == named.added.map(\.id))
        // Another thing; the next one of a row; done, or set by a person.
        #expect(later("The gears are due", known: old).changed.isEmpty)
        #expect(later(at: "2025-11-10T08:00:00Z", known: old).changed.isEmpty)
        var done = old
        done[0].status = .done
        #expect(later(moving: "m1", known: done).changed.isEmpty)
        var edited = old
        edited[0].editedFields = [.due]
        #expect(later(known: edited).added.isEmpty)
    }

    @Test("keeps the date of what an item without a date replaces")
    func keptDate() {
        func draft(_ what: String, due: String?, in id: MessageID, moving old: MessageID? = nil) -> ItemDraft {
            var draft = Self.draft(what, due: due ?? "", in: id, at: "2025-11-03T08:00:00Z", moving: old)
            draft.keepsDate = due == nil
            return draft
        }
        let first = draft("Hand in the drawings", due: "2025-11-07T12:00:00Z", in: "m1")
        let known = Self.changes([first], kind: .deadline).added

        for kind in [ExtractedItem.Kind.deadline, .actionItem] {
            let later = Self.changes(
                [draft("Hand in all plans at the pier", due: nil, in: "m9", moving: "m1")], known: known, kind: kind)
            #expect(later.added.map(\.due?.iso8601) == ["2025-11-07T12:00:00.000Z"])
            #expect(later.changed.map(\.supersededByID) == later.added.map(\.id))
        }
        // Both in one reply.
        let both = Self.changes(
            [first, draft("Hand in all plans at the pier", due: nil, in: "m9", moving: "m1")], kind: .deadline)
        #expect(both.added.map(\.due?.iso8601) == Array(repeating: "2025-11-07T12:00:00.000Z", count: 2))
        #expect(both.added[0].supersededByID == both.added[1].id)
        // A new date counts, and one that a person set is kept.
        let moved = draft("Hand in all plans at the pier", due: "2025-11-14T12:00:00Z", in: "m9", moving: "m1")
        #expect(Self.changes([moved], known: known, kind: .deadline).added.map(\.due) == [moved.due])
        // Without the replaced item there is no date, and a deadline needs one.
        let lost = draft("Hand in all plans", due: nil, in: "m9", moving: "m5")
        #expect(Self.changes([lost], known: known, kind: .deadline).added.isEmpty)
        #expect(Self.changes([lost], known: known, kind: .actionItem).added.map(\.due) == [nil])
    }

    @Test("moves the date of a task that a later message names again, but not the one that a person set")
    func movedTask() {
        let old = Self.changes(
            [Self.draft("Order the gears", due: "2025-11-07T12:00:00Z", in: "m1", at: "2025-11-01T08:00:00Z")]
        ).added
        let again = Self.draft("Order the gears", due: "2025-11-14T12:00:00Z", in: "m9", at: "2025-11-03T08:00:00Z")

        let moved = Self.changes([again], known: old)
        #expect(moved.added.isEmpty)
        #expect(moved.changed.map(\.due?.iso8601) == ["2025-11-14T12:00:00.000Z"])
        var edited = old
        edited[0].editedFields = [.due]
        #expect(Self.changes([again], known: edited).changed.isEmpty)
        // An earlier message that is read again sets nothing back.
        let before = Self.draft("Order the gears", due: "2025-11-05T12:00:00Z", in: "m0", at: "2025-10-30T08:00:00Z")
        #expect(Self.changes([before], known: old).changed.isEmpty)
    }
}
