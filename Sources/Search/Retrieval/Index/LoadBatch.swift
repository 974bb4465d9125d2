/// Pages of rows that are put into an index together when it is read from the store.
///
/// Each batch writes the rows of its conversations again, and the pages of a large workspace have messages of nearly all
/// conversations: of a million messages in 5,000 conversations, pages of 4,096 would write each conversation 240 times.
package struct LoadBatch<Row> {
    /// How many bytes of texts or vectors a batch holds before it is full; the last page may exceed it.
    private static var byteLimit: Int { 64 << 20 }
    /// The most rows of a full batch, without those of the last page.
    private static var rowLimit: Int { 1 << 16 }

    private var rows: [Row] = []
    private var byteCount = 0

    package init() {}

    /// Whether it should be put into the index now.
    package var isFull: Bool { byteCount >= Self.byteLimit || rows.count >= Self.rowLimit }

    /// Adds a page whose texts or vectors have so many bytes.
    package mutating func add(_ page: [Row], byteCount: Int) {
        rows += page
        self.byteCount += byteCount
    }

    /// Empties the batch and returns its rows.
    package mutating func takeAll() -> [Row] {
        defer { self = LoadBatch() }
        return rows
    }
}
