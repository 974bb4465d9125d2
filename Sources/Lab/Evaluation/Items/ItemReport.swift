package import ChatCore
import TextAnalysis

/// How well extracted items of one kind agree with labels.
package struct ItemReport: Hashable, Sendable, Codable {
    /// The dataset.
    package var dataset: String
    /// The kind of items.
    package var kind: ExtractedItem.Kind
    /// How many items were labelled.
    package var labelledCount: Int
    /// How many were found.
    package var foundCount: Int
    /// How many of those are right.
    package var matchedCount: Int
    /// The share of the items found that are right; 0 when none was found.
    package var precision: Double
    /// The share of the labelled items that were found.
    package var recall: Double
    /// The harmonic mean of both.
    package var f1: Double
    /// The share of the right items with the right person, nobody included; nil when none is right.
    package var personAccuracy: Double?
    /// The share of the right items with a date, labelled or found, whose day is right; nil when there are none.
    package var dueAccuracy: Double?
    /// The share of the right decisions that are correctly marked as valid or superseded; nil for other kinds.
    package var supersededAccuracy: Double?
    /// The ids of labels that were not found.
    package var missed: [String]
    /// The messages of items without a label.
    package var surplus: [MessageID]

    /// The least likeness of an item's and a label's words, if their message has several.
    private static let leastLikeness = 0.2

    /// Compares items with labels.
    ///
    /// An item is right if it is based on a message of a label and, if that message has several labels, has similar
    /// words. Each label counts once.
    ///
    /// - Parameters:
    ///   - items: The extracted items.
    ///   - labels: The labels of the same conversations.
    ///   - kind: The kind that is compared; others are left out.
    ///   - dataset: Knows the zones of the conversations.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` without a label of the kind.
    package init(
        _ items: [ExtractedItem], labels: [ItemLabel], kind: ExtractedItem.Kind, dataset: EvaluationDataset
    ) throws {
        let items = items.filter { $0.kind == kind }
        let labels = labels.filter { $0.kind == kind }
        guard !labels.isEmpty else { throw EvaluationError.nothingToMeasure("labels of this kind") }
        let pairs = Self.pairs(items, labels)
        self.dataset = dataset.name
        self.kind = kind
        (labelledCount, foundCount, matchedCount) = (labels.count, items.count, pairs.count)
        precision = items.isEmpty ? 0 : Double(pairs.count) / Double(items.count)
        recall = Double(pairs.count) / Double(labels.count)
        f1 = precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall)
        let zones = Dictionary(dataset.conversations.map { ($0.id, $0.timeZone ?? "UTC") }) { first, _ in first }
        let right = pairs.map { (items[$0.item], labels[$0.label]) }
        personAccuracy = Self.share(right) { $0.personID == $1.personID }
        dueAccuracy = Self.share(right.filter { $0.0.due != nil || $0.1.due != nil }) { item, label in
            let day = item.due.flatMap { Self.day(of: $0, zone: zones[item.key.conversationID] ?? "UTC") }
            guard let day, let due = label.due else { return day == label.due }
            return (due...max(due, label.until ?? due)).contains(day)
        }
        supersededAccuracy =
            kind == .decision
            ? Self.share(right) { ($0.supersededByID == nil) == ($1.supersededBy == nil) } : nil
        let (found, matched) = (Set(pairs.map(\.item)), Set(pairs.map(\.label)))
        missed = labels.indices.filter { !matched.contains($0) }.map { labels[$0].id }
        surplus = items.indices.filter { !found.contains($0) }.map { items[$0].key.messageID }
    }

    private struct Pair {
        let item: Int
        let label: Int
        let likeness: Double
    }

    /// Returns items with their labels, the most alike first.
    private static func pairs(_ items: [ExtractedItem], _ labels: [ItemLabel]) -> [Pair] {
        var pairs: [Pair] = []
        for (place, item) in items.enumerated() {
            for (other, label) in labels.enumerated() where label.holds(item) {
                pairs.append(Pair(item: place, label: other, likeness: likeness(item.text, label.text)))
            }
        }
        var (takenItems, takenLabels): (Set<Int>, Set<Int>) = ([], [])
        return pairs.sorted { ($1.likeness, $0.item, $0.label) < ($0.likeness, $1.item, $1.label) }.filter { pair in
            let isOnly = pairs.count { $0.item == pair.item || $0.label == pair.label } == 1
            guard isOnly || pair.likeness >= leastLikeness, !takenItems.contains(pair.item),
                !takenLabels.contains(pair.label)
            else { return false }
            takenItems.insert(pair.item)
            takenLabels.insert(pair.label)
            return true
        }
    }

    /// Dice's coefficient over the stems of both texts.
    private static func likeness(_ first: String, _ second: String) -> Double {
        func terms(_ text: String) -> Set<String> {
            Set(TextAnalyzer.terms(of: text, languages: TextLanguage.allCases).map(\.term))
        }
        let (left, right) = (terms(first), terms(second))
        guard !left.isEmpty || !right.isEmpty else { return 0 }
        return 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
    }

    private static func share(
        _ pairs: [(ExtractedItem, ItemLabel)], isRight: (ExtractedItem, ItemLabel) -> Bool
    ) -> Double? {
        pairs.isEmpty ? nil : Double(pairs.count { isRight($0, $1) }) / Double(pairs.count)
    }

    /// Returns the day of a moment as `2026-10-23`.
    private static func day(of moment: Timestamp, zone: String) -> String? {
        DayClock(zone: zone).day(of: moment).map { day in
            String(Timestamp(microseconds: day * 86_400 * 1_000_000).iso8601.prefix(10))
        }
    }

    /// The figures by name, as they are printed.
    package var values: [(name: String, value: Double)] {
        var values = [("precision", precision), ("recall", recall), ("F1", f1)]
        if let personAccuracy {
            values.append((kind == .actionItem ? "assignee accuracy" : "person accuracy", personAccuracy))
        }
        if let dueAccuracy { values.append(("deadline accuracy", dueAccuracy)) }
        if let supersededAccuracy { values.append(("superseded accuracy", supersededAccuracy)) }
        return values
    }
}

extension ItemLabel {
    /// Whether an item is based on one of its messages.
    fileprivate func holds(_ item: ExtractedItem) -> Bool {
        item.key.conversationID == conversationID && messageIDs.contains(item.key.messageID)
    }
}
