import MessageStore

/// The counts of an erasure, and the result of the search of the data folder afterwards.
struct ErasureReport: Codable, Sendable, Equatable {
    var counts: ErasureCounts
    /// Nil if nothing was erased yet; the counts are then a preview.
    var proof: ErasureProof?
}
