import Foundation
import Subprocess
import SystemPackage

/// Runs this program with a file from a stranger, with limits of time and output, and without settings and secrets.
struct SeparateProcess: Sendable {
    /// What came of the process.
    enum Outcome: Sendable {
        /// It ended by itself, with this status.
        case ended(status: Int32, output: [UInt8])
        /// It was ended by a signal, or printed too much.
        case crashed
        case tookTooLong
    }

    /// The path of the program.
    let program: String
    /// After this time the process is ended, with those that it started.
    let timeLimit: Duration
    /// The most bytes that it may print.
    let printedByteLimit: Int

    /// Runs the program; files that it makes belong into the folder of the file.
    ///
    /// - Throws: `CancellationError`.
    func run(_ arguments: [String], on file: URL) async throws -> Outcome {
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask { await ended(arguments, on: file) }
            group.addTask {
                try? await Task.sleep(for: timeLimit)
                return .tookTooLong
            }
            defer { group.cancelAll() }
            return await group.next() ?? .crashed
        }
        try Task.checkCancellation()
        return outcome
    }

    private func ended(_ arguments: [String], on file: URL) async -> Outcome {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
        ]
        let result = try? await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments + [file.path]),
            environment: .custom([
                "PATH": DocumentReader.programPath, "LANG": "C.UTF-8", "TMPDIR": file.deletingLastPathComponent().path,
            ]),
            platformOptions: options, output: .bytes(limit: printedByteLimit))
        guard let result, case .exited(let status) = result.terminationStatus else { return .crashed }
        return .ended(status: status, output: result.standardOutput)
    }
}
