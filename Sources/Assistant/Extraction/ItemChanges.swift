package import ChatCore
import TextAnalysis

extension ItemChanges {
    /// Compares extracted items with the known ones.
    ///
    /// A known item is recognised by its message and similar words, or in another message by nearly the same words. A
    /// deadline with another date is another item, which replaces the old one if that was still in the future. A
    /// person's edits are kept, and dismissed items do not come back. An item that replaces another one and names no date
    /// gets the date of the replaced item; a deadline without any date is left out. When a message is read again, items that are no
    /// longer found are removed, unless a person edited them or they are done.
    ///
    /// - Parameters:
    ///   - drafts: The extracted items, earliest message first.
    ///   - kind: The kind of item.
    ///   - known: All items of the kind in the conversation, including dismissed ones.
    ///   - apart: Those of them that others may read than these messages: a draft that says the same is a new item.
    ///   - reread: The messages that were read this time, without those for context.
    ///   - moment: The present time.
    ///   - makeID: Makes the ids of new items.
    package init(
        drafts: [ItemDraft], kind: ExtractedItem.Kind, known: [ExtractedItem], apart: Set<ItemID> = [],
        reread: Set<MessageKey>, at moment: Timestamp, makeID: () -> ItemID
    ) {
        self.init()
        var items = known
        var places: [Int] = []
        var dated: [ItemDraft] = []
        for var draft in drafts {
            if draft.keepsDate { draft.due = Self.predecessor(of: draft, in: items).flatMap { items[$0].due } }
            guard kind != .deadline || draft.due != nil else { continue }
            dated.append(draft)
            if let place = Self.place(of: draft, of: kind, in: items, apart: apart, taken: Set(places)) {
                places.append(place)
                items[place].renew(from: draft)
            } else {
                places.append(items.count)
                items.append(ExtractedItem(draft, id: makeID(), kind: kind, at: moment))
            }
        }
        let found = Set(places)
        let gone = known.indices.filter { place in
            let item = known[place]
            return reread.contains(item.key) && !found.contains(place) && item.editedFields.isEmpty
                && !item.isDismissed && item.status == .open
        }
        removedIDs = gone.map { known[$0].id }
        Self.supersede(&items, kind: kind, drafts: dated, places: places, gone: Set(removedIDs))
        added = Array(items[known.count...])
        changed = known.indices.filter { items[$0] != known[$0] && !gone.contains($0) }.map { items[$0] }
    }

    private static func place(
        of draft: ItemDraft, of kind: ExtractedItem.Kind, in items: [ExtractedItem], apart: Set<ItemID>, taken: Set<Int>
    ) -> Int? {
        let likes = items.indices.filter { place in
            let item = items[place]
            guard !apart.contains(item.id) else { return false }
            let isOneMessage = item.key == draft.message.key
            guard isOneMessage || !taken.contains(place) else { return false }
            if kind == .deadline, !isOneMessage, !item.editedFields.contains(.due), item.due != draft.due {
                return false
            }
            // The person may have been set by hand.
            let person = item.editedFields.contains(.person) ? draft.person?.id : item.personID
            return ItemLikeness.isSame(item.text, person, draft.text, draft.person?.id, isOneMessage: isOneMessage)
                || (isOneMessage && item.editedFields.contains(.text) && item.quote == draft.quote)
        }
        return likes.max { first, second in
            let (left, right) = (items[first], items[second])
            let isNearer = left.key != draft.message.key && right.key == draft.message.key
            let isFarther = left.key == draft.message.key && right.key != draft.message.key
            guard isNearer == isFarther else { return isNearer }
            return ItemLikeness.share(left.text, draft.text) < ItemLikeness.share(right.text, draft.text)
        }
    }

    /// Marks items that a later one replaces; an item whose successor is removed is valid again.
    private static func supersede(
        _ items: inout [ExtractedItem], kind: ExtractedItem.Kind, drafts: [ItemDraft], places: [Int], gone: Set<ItemID>
    ) {
        for place in items.indices where items[place].supersededByID.map(gone.contains) == true {
            items[place].supersededByID = nil
        }
        for (draft, place) in zip(drafts, places) {
            guard draft.supersedes != nil else {
                for old in items.indices where kind == .deadline && old != place && isMoved(items[old], to: draft) {
                    items[old].supersededByID = items[place].id
                }
                continue
            }
            guard let old = predecessor(of: draft, in: items, besides: place), kind == .decision || isOpen(items[old])
            else { continue }
            items[old].supersededByID = items[place].id
        }
    }

    /// Returns the item that a draft replaces; of several of one message the most similar one.
    private static func predecessor(of draft: ItemDraft, in items: [ExtractedItem], besides place: Int? = nil) -> Int? {
        guard let key = draft.supersedes else { return nil }
        return items.indices.filter { items[$0].key == key && $0 != place }.max {
            ItemLikeness.share(items[$0].text, draft.text) < ItemLikeness.share(items[$1].text, draft.text)
        }
    }

    /// Whether a later message names another date for a deadline that was in the future when it was written.
    private static func isMoved(_ item: ExtractedItem, to draft: ItemDraft) -> Bool {
        guard isOpen(item), item.supersededByID == nil, item.key != draft.message.key, let old = item.due,
            let new = draft.due, old != new, item.sentAt < draft.message.timestamp, old > draft.message.timestamp
        else { return false }
        return ItemLikeness.isSame(item.text, item.personID, draft.text, draft.person?.id, isOneMessage: false)
    }

    /// Whether a later message may replace an item; a person's changes are kept.
    private static func isOpen(_ item: ExtractedItem) -> Bool {
        item.status == .open && !item.isDismissed && !item.editedFields.contains(.due)
    }
}

extension ExtractedItem {
    init(_ draft: ItemDraft, id: ItemID, kind: Kind, at moment: Timestamp) {
        self.init(
            id: id, kind: kind, key: draft.message.key, sentAt: draft.message.timestamp, text: draft.text,
            personName: draft.person?.displayName, personID: draft.person?.id, due: draft.due,
            priority: draft.priority, quote: draft.quote, extractedAt: moment)
    }

    /// Updates the item from a new draft of it, except for fields that a person changed; a repetition in another
    /// message only adds missing fields, and moves the date if it is later.
    mutating func renew(from draft: ItemDraft) {
        guard !isDismissed else { return }
        if key == draft.message.key {
            sentAt = draft.message.timestamp
            quote = draft.quote
            priority = draft.priority
            // Other words for the same are no news.
            if ItemLikeness.share(text, draft.text) < 1, !editedFields.contains(.text) { text = draft.text }
            if !editedFields.contains(.due) { due = draft.due }
        } else if !editedFields.contains(.due), due == nil || draft.message.timestamp > sentAt {
            due = draft.due ?? due
        }
        guard !editedFields.contains(.person), let person = draft.person else { return }
        (personName, personID) = (person.displayName, person.id)
    }
}
