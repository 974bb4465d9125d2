import Retrieval
import Testing

@Suite struct LoadBatchTests {
    @Test func itIsFullByTheBytesOrTheNumberOfItsRows() {
        var batch = LoadBatch<Int>()
        batch.add(Array(0..<4_096), byteCount: (64 << 20) - 1)
        #expect(!batch.isFull)
        batch.add([], byteCount: 1)
        #expect(batch.isFull)

        batch = LoadBatch()
        for _ in 0..<15 { batch.add(Array(0..<4_096), byteCount: 0) }
        #expect(!batch.isFull)
        batch.add(Array(0..<4_096), byteCount: 0)
        #expect(batch.isFull)
    }

    @Test func itGivesItsRowsInOrderAndBeginsAgain() {
        var batch = LoadBatch<Int>()
        batch.add([1, 2], byteCount: 64 << 20)
        batch.add([3], byteCount: 1)

        #expect(batch.takeAll() == [1, 2, 3])
        #expect(!batch.isFull && batch.takeAll().isEmpty)
    }
}
