package import Foundation

/// A dataset made from public files, with notes on what was left out.
package struct ConvertedDataset: Sendable {
    /// The dataset.
    package var dataset: EvaluationDataset
    /// What was left out and why, one sentence each, without text of messages.
    package var notes: [String]
}

/// The public formats that can be converted into a dataset.
package enum DatasetConverter: String, CaseIterable, Sendable {
    /// LoCoMo: `locomo10.json`.
    case locomo
    /// LongMemEval: `longmemeval_s.json` and its like.
    case longmemeval
    /// REALTALK: one file for each chat.
    case realtalk
    /// QMSum: one file for each meeting, or files with one meeting in each line.
    case qmsum
    /// BEIR: a folder, or `corpus.jsonl`, `queries.jsonl` and one file of qrels.
    case beir

    /// Converts files.
    ///
    /// - Parameters:
    ///   - files: The files as they are published.
    ///   - name: The dataset's name; nil takes the name of the format.
    /// - Returns: The dataset, to be written to a folder.
    /// - Throws: ``EvaluationError`` with the file that does not have the format.
    package func convert(_ files: [URL], name: String? = nil) throws -> ConvertedDataset {
        guard !files.isEmpty else { throw EvaluationError.nothingToMeasure("files") }
        var builder = DatasetBuilder(name: name ?? rawValue)
        switch self {
        case .locomo: try files.forEach { try LoCoMoFile.add($0, to: &builder) }
        case .longmemeval: try files.forEach { try LongMemEvalFile.add($0, to: &builder) }
        case .realtalk: try files.forEach { try RealTalkFile.add($0, to: &builder) }
        case .qmsum: try files.forEach { try QMSumFile.add($0, to: &builder) }
        case .beir: try BEIRFiles(files).add(to: &builder)
        }
        return try builder.converted()
    }
}
