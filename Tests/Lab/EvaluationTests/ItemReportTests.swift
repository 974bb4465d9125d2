import ChatCore
import Evaluation
import Foundation
import Testing
import TextAnalysis

/// Extracted items against labels.
struct ItemReportTests {
    private static let dataset = EvaluationDataset(
        name: "tiny",
        conversations: [
            EvaluationConversation(id: "c", participants: [.init(id: "ada", name: "Ada")], timeZone: "Europe/Berlin")
        ],
        messages: (1...4).map {
            EvaluationMessage(
                id: MessageID(rawValue: "m\($0)"), conversationID: "c", seq: $0, senderID: "ada", senderName: "Ada",
                text: "x", timestamp: Timestamp(microseconds: 0))
        }, questions: [])

    private static func label(
        _ id: String, _ messages: [MessageID], _ text: String, person: UserID? = nil, due: String? = nil,
        kind: ExtractedItem.Kind = .actionItem
    ) -> ItemLabel {
        ItemLabel(
            id: id, kind: kind, conversationID: "c", messageIDs: messages, text: text, personID: person, due: due)
    }

    private static func item(
        _ message: MessageID, _ text: String, person: UserID? = nil, due: String? = nil,
        kind: ExtractedItem.Kind = .actionItem
    ) -> ExtractedItem {
        ExtractedItem(
            id: ItemID(rawValue: "\(message) \(text)"), kind: kind,
            key: MessageKey(conversationID: "c", messageID: message), sentAt: Timestamp(microseconds: 0), text: text,
            personID: person, due: due.flatMap { Timestamp(iso8601: $0) }, quote: "x",
            extractedAt: Timestamp(microseconds: 0))
    }

    @Test func countsWhatIsRightMissedAndTooMuch() throws {
        let labels = [
            Self.label("l1", ["m1", "m2"], "order rope", person: "ada", due: "2026-10-23"),
            Self.label("l2", ["m3"], "paint the boat"), Self.label("l3", ["m3"], "wash the boat", person: "bob"),
            Self.label("l4", ["m4"], "call the harbour", kind: .decision),
        ]
        // 23:59:59 in Berlin is still the 23rd there.
        let items = [
            Self.item("m2", "buy some rope", person: "ada", due: "2026-10-23T21:59:59Z"),
            Self.item("m3", "wash the boat", person: "ada", due: "2026-10-30T10:00:00Z"),
            Self.item("m4", "call the harbour"),
        ]

        let report = try ItemReport(items, labels: labels, kind: .actionItem, dataset: Self.dataset)

        #expect(report.labelledCount == 3 && report.foundCount == 3 && report.matchedCount == 2)
        #expect(abs(report.precision - 2.0 / 3) < 1e-12 && abs(report.recall - 2.0 / 3) < 1e-12)
        #expect(abs(report.f1 - 2.0 / 3) < 1e-12)
        #expect(report.personAccuracy == 0.5)
        #expect(report.dueAccuracy == 0.5)
        #expect(report.supersededAccuracy == nil)
        #expect(report.missed == ["l2"])
        #expect(report.surplus == ["m4"])
    }

    @Test func eachDayOfSomethingLongIsRight() throws {
        var label = Self.label("l1", ["m1"], "offsite", due: "2026-11-12", kind: .deadline)
        label.until = "2026-11-14"
        let days = ["2026-11-11", "2026-11-12", "2026-11-14", "2026-11-15"]

        let right = try days.map { day in
            let item = Self.item("m1", "offsite", due: "\(day)T12:00:00Z", kind: .deadline)
            return try ItemReport([item], labels: [label], kind: .deadline, dataset: Self.dataset).dueAccuracy
        }
        let undated = try ItemReport(
            [Self.item("m1", "offsite", kind: .deadline)], labels: [label], kind: .deadline, dataset: Self.dataset)

        #expect(right == [0, 1, 1, 0])
        #expect(undated.dueAccuracy == 0)
    }

    @Test func eachLabelCountsOnce() throws {
        let labels = [Self.label("l1", ["m1"], "order rope")]
        let items = [Self.item("m1", "order rope"), Self.item("m1", "order the rope")]

        let report = try ItemReport(items, labels: labels, kind: .actionItem, dataset: Self.dataset)

        #expect(report.matchedCount == 1 && report.precision == 0.5 && report.recall == 1)
    }

    @Test func decisionsAreValidOrSuperseded() throws {
        var superseded = Self.label("l1", ["m1"], "we use rope", kind: .decision)
        superseded.supersededBy = "m2"
        let labels = [superseded, Self.label("l2", ["m2"], "we use chain", kind: .decision)]
        let items = ["m1", "m2"].map { Self.item(MessageID(rawValue: $0), "we use", kind: .decision) }

        let report = try ItemReport(items, labels: labels, kind: .decision, dataset: Self.dataset)

        #expect(report.supersededAccuracy == 0.5)
        #expect(report.personAccuracy == 1 && report.dueAccuracy == nil)
        #expect(throws: EvaluationError.nothingToMeasure("labels of this kind")) {
            try ItemReport(items, labels: labels, kind: .deadline, dataset: Self.dataset)
        }
    }

    /// The labels that come with the sample datasets are of messages that are there.
    @Test(arguments: ["harbor", "koto", "werft"]) func theLabelsFitTheirDatasets(name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "eval/datasets/\(name)", directoryHint: .isDirectory)
        let dataset = try EvaluationDataset(folder: folder, evidence: .lenient)

        let labels = try ItemLabel.read(folder, of: dataset)

        #expect(labels.count > 25)
        for label in labels {
            let people = dataset.conversations.first { $0.id == label.conversationID }?.participants.map(\.id) ?? []
            if let person = label.personID { #expect(people.contains(person), "\(label.id)") }
            if let due = label.due { #expect(DueDates.endOfDay(due, zone: "UTC") != nil, "\(label.id)") }
        }
    }

    @Test func aFaultyLabelIsNamed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "labels-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let line = #"{"id":"l1","kind":"decision","conversationId":"c","messageIds":["m9"],"text":"x"}"#
        try Data(line.utf8).write(to: folder.appending(path: "items.jsonl"))

        #expect(
            throws: EvaluationError.invalidLine(
                file: "items.jsonl", line: 1, reason: "messageIds must name messages of the conversation")
        ) { try ItemLabel.read(folder, of: Self.dataset) }
    }
}
