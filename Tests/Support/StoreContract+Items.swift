import ChatCore

extension StoreContract {
    /// Of `ItemRepository`.
    package static let items: [StoreContract] =
        itemExtraction + itemLists + itemsOfMessages + followedItems

    private static let itemExtraction: [StoreContract] = [
        StoreContract("an extraction reads what came since the last one, with what stands before it") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "m1", at: 1), .short("c", "m2", at: 2)])
            let lease = try await store.begin("l1")
            let first = try await store.nextMessages(for: lease, limit: 10, contextLimit: 5)
            try demand(first.messages.map(\.key.messageID), ["m1", "m2"])
            try demand(first.context.map(\.key.messageID), [])
            try demand(first.isLast, true)
            try await store.commit(ItemChanges(), of: lease, through: first.end, until: .second(60), at: .second(3))
            try demand(try await store.nextMessages(for: lease, limit: 10, contextLimit: 5).messages, [])
            try await store.endExtraction(lease)

            try await store.post([.short("c", "m3", at: 5), .short("c", "m4", " ", at: 6)])
            _ = try await store.edit(.of("c", "m1"), text: "hello again", at: .second(7))
            let next = try await store.nextMessages(
                for: try await store.begin("l2", at: 8), limit: 10, contextLimit: 1)
            try demand(next.messages.map(\.key.messageID), ["m1", "m3"])
            try demand(next.context.map(\.key.messageID), [])
            let other = try await store.nextMessages(
                for: try await store.begin("l3", kind: .decision, at: 8), limit: 10, contextLimit: 1)
            try demand(other.messages.map(\.key.messageID), ["m1", "m2", "m3"])
        },
        StoreContract("an extraction begins with the roster, the known items, and the first messages") { store in
            let item = try await store.furnishItem()
            try await store.post([.short("c", "m8", at: 3), .short("c", "m9", at: 4)])
            let first = try await store.nextMessages(
                for: try await store.begin("l1", at: 5), limit: 2, contextLimit: 5)
            let beginning = try await store.beginExtraction(
                of: .actionItem, in: "c", asker: "ada", leaseID: "l2", until: .second(200),
                reading: ExtractionLimits(messages: 2, context: 5, known: 5), at: .second(100))

            try demand(beginning.lease, ExtractionLease(id: "l2", kind: .actionItem, conversationID: "c"))
            try demand(beginning.roster.conversation.id, "c")
            try demand(Set(beginning.roster.members.map(\.userID)), ["ada", "bob"])
            try demand(beginning.items, try await store.items(of: .actionItem, in: .of("ada"), at: .second(100)))
            try demand(beginning.batch, first)
            try demand(beginning.batch.known, [item])
            try demand(Array(beginning.batch.shownItems(limit: 5)), [item])
            try demand(Array(beginning.knownMessages.keys), [item.key])
            let again = try await store.nextMessages(for: beginning.lease, limit: 2, contextLimit: 5)
            try demand(again, first)
        },
        StoreContract(
            "an extraction shows neither dismissed nor finished items, and begins with those that are not dismissed"
        ) {
            store in
            let item = try await store.furnishItem()
            _ = try await store.edit(
                item.id, ItemEdit(status: .done), kind: .actionItem, in: .of("ada"), at: .second(6))
            let limits = ExtractionLimits(messages: 9, context: 0, known: 5)
            let done = try await store.beginExtraction(
                of: .actionItem, in: "c", asker: "ada", leaseID: "l1", until: .second(200), reading: limits,
                at: .second(100))
            try demand(done.items.map(\.id), [item.id])
            try demand(done.knownMessages, [:])
            try await store.endExtraction(done.lease)
            try await store.dismiss(item.id, kind: .actionItem, in: .of("ada"), at: .second(101))
            let dismissed = try await store.beginExtraction(
                of: .actionItem, in: "c", asker: "ada", leaseID: "l2", until: .second(200), reading: limits,
                at: .second(102))
            try demand(dismissed.items, [])
            try demand(dismissed.batch.known.map(\.id), [item.id])
            try demand(dismissed.knownMessages, [:])
        },
        StoreContract("an extraction continues where its last part ended") { store in
            _ = try await store.furnish()
            try await store.post((1...5).map { .short("c", MessageID(rawValue: "m\($0)"), at: $0) })
            let lease = try await store.begin("l1")
            var read: [[MessageID]] = []
            var context: [[MessageID]] = []
            while true {
                let batch = try await store.nextMessages(for: lease, limit: 2, contextLimit: 1)
                read.append(batch.messages.map(\.key.messageID))
                context.append(batch.context.map(\.key.messageID))
                try await store.commit(
                    ItemChanges(), of: lease, through: batch.end, until: .second(60), at: .second(9))
                if batch.isLast { break }
            }
            try demand(read, [["m1", "m2"], ["m3", "m4"], ["m5"]])
            try demand(context, [[], ["m2"], ["m4"]])
        },
        StoreContract("only one extraction of a kind is under way in a conversation") { store in
            _ = try await store.furnish()
            let lease = try await store.begin("l1", at: 0)
            try await demandFailure(.extractionUnderWay("c")) { _ = try await store.begin("l2", at: 59) }
            _ = try await store.begin("l3", kind: .decision, at: 1)
            // The lease of 60 seconds ended: another one takes over, and the first can store nothing any more.
            _ = try await store.begin("l4", at: 60)
            let lost = RepositoryError.extractionUnderWay("c")
            try await demandFailure(lost) {
                _ = try await store.nextMessages(for: lease, limit: 1, contextLimit: 0)
            }
            try await demandFailure(lost) {
                try await store.commit(
                    ItemChanges(), of: lease, through: try await store.latestChange(), until: .second(99),
                    at: .second(61))
            }
            try await store.endExtraction(lease)
            try await demandFailure(.extractionUnderWay("c")) { _ = try await store.begin("l5", at: 61) }
        },
        StoreContract("the commit of the last part can end an extraction") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "m1", at: 1)])
            let lease = try await store.begin("l1", at: 2)
            let part = try await store.nextMessages(for: lease, limit: 9, contextLimit: 0)
            try await store.commit(ItemChanges(), of: lease, through: part.end, until: nil, at: .second(3))
            try await demandFailure(.extractionUnderWay("c")) {
                _ = try await store.nextMessages(for: lease, limit: 9, contextLimit: 0)
            }
            let next = try await store.begin("l2", at: 4)
            try demand(try await store.nextMessages(for: next, limit: 9, contextLimit: 0).messages, [])
        },
        StoreContract("nobody extracts where they may not read") { store in
            _ = try await store.furnish()
            try await demandFailure(.noSuchConversation("c")) { _ = try await store.begin("l1", asker: "eve") }
            try await demandFailure(.noSuchConversation("x")) { _ = try await store.begin("l1", in: "x") }
        },
        StoreContract("what a person edited meanwhile is not overwritten by a commit") { store in
            let item = try await store.furnishItem()
            let lease = try await store.begin("l2", at: 5)
            let known = try await store.nextMessages(for: lease, limit: 9, contextLimit: 0).known
            try demand(known, [item])
            _ = try await store.edit(
                item.id, ItemEdit(text: "call ada", status: .done), kind: .actionItem, in: .of("ada"), at: .second(6))
            var found = item
            (found.text, found.priority, found.due) = ("call eve", .high, .second(500))
            var changes = ItemChanges()
            changes.changed = [found]
            try await store.commit(
                changes, of: lease, through: try await store.latestChange(), until: .second(60), at: .second(7))
            let now = try await store.items(of: .actionItem, in: .of("ada"), at: .second(8))
            try demand(now.map(\.text), ["call ada"])
            try demand(now.map(\.status), [.done])
            try demand(now.map(\.priority), [.high])
            try demand(now.map(\.due), [.second(500)])
            try demand(now.map(\.editedFields), [[.text, .status]])
        },
    ]

    private static let itemLists: [StoreContract] = [
        StoreContract("items are listed open first, then by date, the newest found first") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "m1", at: 1)])
            func item(_ id: ItemID, due: Int?, status: ExtractedItem.Status = .open, found: Int) -> ExtractedItem {
                var item = ExtractedItem.sample(id, "m1", found: found)
                item.due = due.map { .second($0) }
                item.status = status
                return item
            }
            try await store.add([
                item("done", due: 5, status: .done, found: 1), item("new", due: nil, found: 9),
                item("old", due: nil, found: 2), item("late", due: 90, found: 1), item("soon", due: 10, found: 1),
                item("b", due: nil, found: 1), item("a", due: nil, found: 1),
            ])
            let ids = try await store.items(of: .actionItem, in: .of("ada"), at: .second(10)).map(\.id)
            try demand(ids, ["soon", "late", "new", "old", "a", "b", "done"])
            try demand(try await store.items(of: .decision, in: .of("ada"), at: .second(10)), [])
        },
        StoreContract("items are seen, changed and taken away by those who may read the conversation") { store in
            let item = try await store.furnishItem()
            try demand(try await store.items(of: .actionItem, in: .of("bob"), at: .second(9)), [item])
            try demand(try await store.items(of: .actionItem, in: .of("eve"), at: .second(9)), [])
            let elsewhere = SearchScope(asker: "ada", conversations: .only(["d"]))
            try demand(try await store.items(of: .actionItem, in: elsewhere, at: .second(9)), [])
            for scope in [SearchScope.of("eve"), elsewhere] {
                try await demandFailure(.noSuchItem("i1")) {
                    _ = try await store.edit("i1", ItemEdit(text: "x"), kind: .actionItem, in: scope, at: .second(9))
                }
                try await demandFailure(.noSuchItem("i1")) {
                    try await store.dismiss("i1", kind: .actionItem, in: scope, at: .second(9))
                }
            }
            try await demandFailure(.noSuchItem("i1")) {
                try await store.dismiss("i1", kind: .decision, in: .of("ada"), at: .second(9))
            }
            try await store.removeMember("bob", from: "c", at: .second(10))
            try demand(try await store.items(of: .actionItem, in: .of("bob"), at: .second(11)), [])
            try demand(try await store.items(of: .actionItem, in: .of("ada"), at: .second(11)), [item])
        },
        StoreContract("a person changes an item") { store in
            let item = try await store.furnishItem()
            func edit(_ edit: ItemEdit) async throws -> ExtractedItem {
                try await store.edit("i1", edit, kind: .actionItem, in: .of("ada"), at: .second(9))
            }
            var wanted = item
            (wanted.text, wanted.personID, wanted.personName) = ("new text", "bob", "Name of bob")
            (wanted.due, wanted.editedFields) = (.second(77), [.text, .person, .due])
            try demand(
                try await edit(ItemEdit(text: " new text ", personID: .some("bob"), due: .some(.second(77)))), wanted)
            (wanted.personID, wanted.personName, wanted.due) = (nil, nil, nil)
            try demand(try await edit(ItemEdit(personID: .some(nil), due: .some(nil))), wanted)
            try demand(try await edit(ItemEdit()), wanted)
            try demand(try await store.items(of: .actionItem, in: .of("ada"), at: .second(9)), [wanted])
            try await demandFailure(
                .invalid(field: "text", reason: "must have 1 to \(ExtractedItem.textByteLimit) bytes")
            ) { _ = try await edit(ItemEdit(text: "  ")) }
            try await demandFailure(.invalid(field: "person", reason: "is no member of the conversation")) {
                _ = try await edit(ItemEdit(personID: .some("eve")))
            }
        },
        StoreContract("an item that a person took away is known to extraction alone") { store in
            _ = try await store.furnishItem()
            try await store.dismiss("i1", kind: .actionItem, in: .of("ada"), at: .second(9))
            try demand(try await store.items(of: .actionItem, in: .of("ada"), at: .second(9)), [])
            try await demandFailure(.noSuchItem("i1")) {
                try await store.dismiss("i1", kind: .actionItem, in: .of("ada"), at: .second(9))
            }
            let lease = try await store.begin("l2", at: 9)
            let known = try await store.nextMessages(for: lease, limit: 9, contextLimit: 0).known
            try demand(known.map(\.isDismissed), [true])
        },
    ]

    private static let itemsOfMessages: [StoreContract] = [
        StoreContract("an item goes with its message") { store in
            _ = try await store.furnishItem()
            try await store.delete(.of("c", "m1"), at: .second(9))
            try demand(try await store.items(of: .actionItem, in: .of("ada"), at: .second(9)), [])
            // What was found in the meantime in a message that is deleted is not kept.
            try await store.add([.sample("i2", "m1", found: 1)], lease: "l9", at: 10)
            try demand(try await store.items(of: .actionItem, in: .of("ada"), at: .second(11)), [])
        },
        StoreContract("an item goes when its message does not hold the quote any more, unless it was edited") { store in
            _ = try await store.furnishItem()
            try await store.add([.sample("i2", "m1", found: 1)], lease: "l2", at: 4)
            _ = try await store.edit("i2", ItemEdit(status: .done), kind: .actionItem, in: .of("ada"), at: .second(5))
            _ = try await store.edit(.of("c", "m1"), text: "please call bob at noon", at: .second(6))
            let same = try await store.items(of: .actionItem, in: .of("ada"), at: .second(9))
            try demand(same.map(\.id), ["i1", "i2"])
            try demand(same.map(\.quote), ["call bob", "call bob"])
            _ = try await store.edit(.of("c", "m1"), text: "never mind", at: .second(7))
            let left = try await store.items(of: .actionItem, in: .of("ada"), at: .second(9))
            try demand(left.map(\.id), ["i2"])
            try demand(left.map(\.quote), [""])
        },
        StoreContract("a decision is valid again when the one that took its place goes") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "m1", text, at: 1), .short("c", "m2", text, at: 2)])
            var old = ExtractedItem.sample("old", "m1", kind: .decision, found: 1)
            old.supersededByID = "new"
            let new = ExtractedItem.sample("new", "m2", kind: .decision, found: 1)
            try await store.add([old, new], kind: .decision)
            try await store.delete(.of("c", "m2"), at: .second(9))
            let left = try await store.items(of: .decision, in: .of("ada"), at: .second(9))
            try demand(left.map(\.supersededByID), [nil])
        },
    ]

    private static let followedItems: [StoreContract] = [
        StoreContract("a follower of a list sees what changed since, and what was removed") { store in
            _ = try await store.furnishItem()
            try await store.add([.sample("i2", "m1", found: 1), .sample("i3", "m1", found: 1)], lease: "l2", at: 4)
            var changes = try await store.followed(after: nil)
            try demand(changes.items.map(\.id), ["i1", "i2", "i3"])
            try demand(changes.next, try await store.latestChange())
            try demand(try await store.followed(after: changes.next).isEmpty, true)
            _ = try await store.edit("i1", ItemEdit(status: .done), kind: .actionItem, in: .of("ada"), at: .second(5))
            try await store.dismiss("i3", kind: .actionItem, in: .of("ada"), at: .second(5))
            let start = changes.next
            changes = try await store.followed(after: start)
            try demand(changes.items.map(\.id), ["i1"])
            try demand(changes.items.map(\.status), [.done])
            try demand(changes.removedIDs, ["i3"])
            try demand(try await store.subjects(after: start), [.items, .items])
            try demand(
                try await store.followed(after: start, kind: .decision),
                ListChanges(items: [], removedIDs: [], next: start))
            // The quote of the edited one goes, the other goes as a whole.
            _ = try await store.edit(.of("c", "m1"), text: "never mind", at: .second(7))
            let later = try await store.followed(after: changes.next)
            try demand(later.items.map(\.quote), [""])
            try demand(later.removedIDs, ["i2"])
            try demand(try await store.subjects(after: changes.next).prefix(2).map { $0 }, [.message("m1"), .items])
            try await store.delete(.of("c", "m1"), at: .second(8))
            try demand(try await store.followed(after: later.next).removedIDs, ["i1"])
            let all = try await store.followed(after: start)
            try demand(all.items, [])
            try demand(all.removedIDs, ["i3", "i2", "i1"])
        },
        StoreContract("what is followed comes in parts that end with a change") { store in
            let item = try await store.furnishItem()
            try await store.add([.sample("i2", "m1", found: 1), .sample("i3", "m1", found: 1)], lease: "l2", at: 4)
            try await store.add([.sample("i4", "m1", found: 1)], lease: "l3", at: 5)
            try await store.dismiss("i4", kind: .actionItem, in: .of("ada"), at: .second(6))
            let first = try await store.followed(after: nil, limit: 1)
            try demand(first.items, [item])
            // What one call brought is not torn apart.
            let second = try await store.followed(after: first.next, limit: 1)
            try demand(second.items.map(\.id), ["i2", "i3"])
            try demand(second.removedIDs, [])
            let third = try await store.followed(after: second.next, limit: 1)
            try demand(third.items, [])
            try demand(third.removedIDs, ["i4"])
            try demand(third.next, try await store.latestChange())
        },
        StoreContract("what is to be done by an author is the user's that the author is joined to") { store in
            let author = Identity(source: "api", externalID: "ada", userID: "augusta")
            let item = try await store.furnishItem()
            try await store.add([.sample("i2", "m1", found: 1)], lease: "l2", at: 4)
            try await store.dismiss("i2", kind: .actionItem, in: .of("ada"), at: .second(5))
            let start = try await store.latestChange()
            _ = try await store.map(author, at: .second(6))
            var moved = item
            moved.personID = "augusta"
            try demand(try await store.items(of: .actionItem, in: .of("augusta"), at: .second(7)), [moved])
            let changes = try await store.itemChanges(
                of: .actionItem, in: "c", asker: "augusta", after: start, limit: 9, at: .second(7))
            try demand(changes.items, [moved])
            let known = try await store.nextMessages(
                for: try await store.begin("l3", asker: "augusta", at: 8), limit: 9, contextLimit: 0
            ).known
            try demand(known.map(\.personID), ["augusta", "augusta"])
            // Joined again to somebody who is there under another name.
            _ = try await store.map(
                Identity(source: "api", externalID: "ada", userID: "bob"), at: .second(9))
            let last = try await store.items(of: .actionItem, in: .of("bob"), at: .second(9))
            try demand(last.map(\.personID), ["bob"])
            try demand(last.map(\.personName), ["Name of bob"])
        },
        StoreContract("what an extraction brings is one change, and what brings nothing is none") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "m1", text, at: 1), .short("c", "m2", text, at: 2)])
            let start = try await store.latestChange()
            var old = ExtractedItem.sample("old", "m1", kind: .decision, found: 1)
            old.supersededByID = "new"
            try await store.add([old, .sample("new", "m2", kind: .decision, found: 1)], kind: .decision)
            try demand(try await store.subjects(after: start), [.items])
            let lease = try await store.begin("l5", kind: .decision, at: 3)
            var changes = ItemChanges()
            changes.removedIDs = ["none"]
            try await store.commit(
                changes, of: lease, through: try await store.latestChange(), until: .second(60), at: .second(3))
            try demand(try await store.subjects(after: start), [.items])
            let known = try await store.latestChange()
            try await store.delete(.of("c", "m2"), at: .second(9))
            let followed = try await store.followed(after: known, kind: .decision)
            try demand(followed.items.map(\.id), ["old"])
            try demand(followed.items.map(\.supersededByID), [nil])
            try demand(followed.removedIDs, ["new"])
        },
        StoreContract("nobody follows where they may not read, or from what is still to come") { store in
            _ = try await store.furnishItem()
            for (asker, id) in [("eve", "c"), ("ada", "x")] as [(UserID, ConversationID)] {
                try await demandFailure(.noSuchConversation(id)) {
                    _ = try await store.itemChanges(
                        of: .actionItem, in: id, asker: asker, after: nil, limit: 9, at: .second(9))
                }
            }
            let latest = try await store.latestChange()
            try await demandFailure(.expiredCursor) { _ = try await store.followed(after: latest.moved(by: 1)) }
            try await store.waitForChange(after: latest.moved(by: -1))
            async let waiting: Void = store.waitForChange(after: latest)
            try await store.removeMember("bob", from: "c", at: .second(10))
            try await waiting
        },
    ]

    fileprivate static let text = "please call bob"
}

extension SearchScope {
    fileprivate static func of(_ asker: UserID) -> SearchScope { SearchScope(asker: asker, conversations: .all) }
}

extension ExtractedItem {
    fileprivate static func sample(
        _ id: ItemID, _ messageID: MessageID, kind: Kind = .actionItem, found second: Int
    ) -> ExtractedItem {
        ExtractedItem(
            id: id, kind: kind, key: .of("c", messageID), sentAt: .second(1), text: "call bob",
            personName: "Name of ada", personID: "ada", quote: "call bob", extractedAt: .second(second))
    }
}

extension Store {
    fileprivate func begin(
        _ lease: String, kind: ExtractedItem.Kind = .actionItem, in id: ConversationID = "c", asker: UserID = "ada",
        at second: Int = 0
    ) async throws -> ExtractionLease {
        try await beginExtraction(
            of: kind, in: id, asker: asker, leaseID: lease, until: .second(second + 60), at: .second(second))
    }

    fileprivate func add(
        _ items: [ExtractedItem], kind: ExtractedItem.Kind = .actionItem, lease: String = "l0", at second: Int = 0
    ) async throws {
        let lease = try await begin(lease, kind: kind, at: second)
        var changes = ItemChanges()
        changes.added = items
        try await commit(
            changes, of: lease, through: try await latestChange(), until: .second(second + 60),
            at: .second(second))
        try await endExtraction(lease)
    }

    fileprivate func followed(
        after cursor: ChangeCursor?, kind: ExtractedItem.Kind = .actionItem, limit: Int = 100
    ) async throws -> ListChanges<ExtractedItem> {
        try await itemChanges(
            of: kind, in: "c", asker: "ada", after: cursor, limit: limit, at: .second(20))
    }

    /// Makes a conversation with a message `m1` and an item `i1` of it.
    fileprivate func furnishItem() async throws -> ExtractedItem {
        _ = try await furnish()
        try await post([.short("c", "m1", StoreContract.text, at: 1)])
        let item = ExtractedItem.sample("i1", "m1", found: 2)
        try await add([item])
        return item
    }
}
