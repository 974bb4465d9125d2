import ChatCore
import Foundation
import Testing

struct ChangeCursorTests {
    private func cursor(_ positions: Int64..., epoch: Int64 = 5) -> ChangeCursor {
        ChangeCursor(epoch: epoch, positions: positions.map { ChangeNumber(rawValue: $0) })
    }

    @Test func oneReachesAnotherOnlyInEveryLane() {
        #expect(cursor(3, 4).reaches(cursor(3, 4)))
        #expect(cursor(3, 5).reaches(cursor(3, 4)))
        #expect(!cursor(9, 3).reaches(cursor(3, 4)))
        #expect(!cursor(9, 9).reaches(cursor(3, 4, epoch: 6)))
        #expect(!cursor(9).reaches(cursor(3, 4)))
    }

    @Test func theDistanceCountsTheMissingChangesOfAllLanes() {
        #expect(cursor(3, 4).distance(to: cursor(5, 9)) == 7)
        #expect(cursor(8, 4).distance(to: cursor(5, 9)) == 5)
        #expect(cursor(3, 4).distance(to: cursor(3, 4, epoch: 6)) == nil)
        #expect(cursor(3, 4).distance(to: cursor(3)) == nil)
    }

    @Test func theEarliestIsReachedByAll() {
        let cursors = [cursor(3, 9), cursor(7, 4), cursor(5, 5)]
        let earliest = ChangeCursor.earliest(of: cursors)

        #expect(earliest == cursor(3, 4))
        #expect(cursors.allSatisfy { earliest.map($0.reaches) ?? false })
        #expect(ChangeCursor.earliest(of: []) == nil)
    }

    @Test func aPageHasTheChangesThatLieBehindACursor() {
        let changes = [(0, 4), (0, 5), (1, 2), (1, 3)].map { lane, number in
            Change(lane: lane, number: ChangeNumber(rawValue: Int64(number)), conversationID: "c", subject: .items)
        }
        let page = ChangePage(changes: changes, end: cursor(5, 3))

        #expect(page.changes(after: cursor(4, 2)) == [changes[1], changes[3]])
        #expect(page.changes(after: cursor(5, 3)).isEmpty)
        #expect(page.changes(after: cursor(0, 0)) == changes)
    }

    @Test(arguments: [[0], [1, 0, 7], [Int64.max]] as [[Int64]])
    func theTextIsReadBackAsItWas(positions: [Int64]) throws {
        let cursor = ChangeCursor(epoch: .max, positions: positions.map { ChangeNumber(rawValue: $0) })

        #expect(ChangeCursor(cursor.description) == cursor)
        let data = try JSONEncoder().encode([cursor])
        #expect(try JSONDecoder().decode([ChangeCursor].self, from: data) == [cursor])
    }

    @Test(arguments: [
        "", "7", "-", "5-", "-1", "5-1.", "5--1", "x-1", "5-1x", "05-1", "5-01", "5-+1", " 5-1", "5-1-2", "-5-1",
        "8000000000000000-1", "5-9223372036854775808", "5-" + (0..<257).map { "\($0)" }.joined(separator: "."),
    ])
    func whatIsNoCursorIsRefused(text: String) {
        #expect(ChangeCursor(text) == nil)
    }
}
