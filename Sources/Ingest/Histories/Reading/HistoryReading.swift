import Foundation

/// Reads the histories in a list of files one after the other, batch by batch.
struct HistoryReading {
    /// Items of one history.
    struct Batch {
        /// The file's path as given.
        let file: String
        /// The history that they are of.
        let part: HistoryPart
        /// Counts the histories.
        let number: Int
        /// The source of the people's ids.
        let source: String
        var items: [HistoryItem]
        /// The progress after these items.
        let progress: ImportProgress
    }

    /// The first limit that is reached ends a batch: many messages share the cost of a durable transaction, and long
    /// ones do not fill the memory.
    private static let batchItemCount = 4_000
    private static let batchByteCount = 4 << 20

    private let options: HistoryOptions
    private var parts: ArraySlice<HistoryPart>
    private let totalByteCount: Int
    private let rooms: ElementChains
    private var doneByteCount = 0
    private var doneCount = 0
    private var reader: (any HistoryReader)?
    /// The files that were skipped before any item was read.
    let skippedFiles: [SkipReason: Int]
    /// The notes about files that were skipped.
    let notes: [ImportNote]

    /// Finds the histories to read.
    ///
    /// - Throws: ``ImportFileError`` for a file without a history.
    init(_ files: [URL], options: HistoryOptions) throws {
        self.options = options
        _ = try options.clock()
        var found: [HistoryPart] = []
        var otherFileCount = 0
        var notes: [ImportNote] = []
        for file in files {
            let finding = try HistoryFinding(file, format: options.format)
            found += finding.parts
            otherFileCount += finding.otherFileCount
            for note in finding.notes { notes.add(note) }
        }
        if let id = options.conversationID, ![[.whatsApp], [.element], [.synapse]].contains(found.map(\.format)) {
            throw ImportFileError.notOneChat(id)
        }
        let files = found.filter(\.format.isMatrix).map(\.file)
        rooms = files.count > 1 ? try ElementChains(files) : ElementChains()
        self.notes = notes
        parts = found[...]
        totalByteCount = found.reduce(0) { ByteSum.of($0, $1.byteCount) }
        skippedFiles = otherFileCount > 0 ? [.otherFile: otherFileCount] : [:]
    }

    /// Returns the next items; nil at the end of the last history.
    mutating func next() throws -> Batch? {
        guard let part = parts.first else { return nil }
        var items: [HistoryItem] = []
        items.reserveCapacity(Self.batchItemCount + 256)
        if reader == nil { items += part.notes }
        let reader = try reader ?? part.reader(options, rooms: rooms)
        self.reader = reader
        var hasMore = true
        let end = reader.byteCount + Self.batchByteCount
        while hasMore, items.count < Self.batchItemCount, reader.byteCount < end {
            hasMore = try reader.read(into: &items)
        }
        let number = doneCount
        let done = ByteSum.of(doneByteCount, reader.byteCount)
        if !hasMore {
            doneByteCount = done
            doneCount += 1
            self.reader = nil
            parts.removeFirst()
        }
        return Batch(
            file: part.location.url.path, part: part, number: number, source: part.source(options), items: items,
            progress: ImportProgress(byteCount: done, totalByteCount: max(done, totalByteCount)))
    }
}

/// Reads one history in small steps as a stream.
///
/// A reader stores only the people, the conversations and its documented state: a history may be larger than memory.
protocol HistoryReader: AnyObject {
    /// The bytes read so far.
    var byteCount: Int { get }

    /// Reads a little more and appends the new items, if any.
    ///
    /// A conversation's roster comes before its messages.
    ///
    /// - Parameter items: The items, in the order of the file.
    /// - Returns: False at the end of the history.
    /// - Throws: ``ImportFileError`` and errors of reading; the content of a file never causes an error.
    func read(into items: inout [HistoryItem]) throws -> Bool
}
