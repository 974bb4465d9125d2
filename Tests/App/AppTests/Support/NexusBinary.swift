import Foundation
import Synchronization
import TestSupport
import Testing

/// What a run of the program left.
struct RunResult {
    var status: Int32
    var output: String
    var errors: String

    /// The output as JSON.
    func json() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any], "\(errors)")
    }
}

/// The built program in its own folder, which is removed together with the value.
final class NexusBinary: Sendable {
    /// The folder that the program runs in.
    let folder: URL

    /// The project's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardized
    /// The sample chat.
    static let sample = root.appending(path: "eval/datasets/harbor")

    /// The program lies beside the test runner.
    static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "nexus")

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "nexus-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The data folder that commands use here.
    var data: URL { folder.appending(path: "data") }

    /// Writes a file into the folder and returns its path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - environment: Added to the little that is passed on.
    ///   - shellPrefix: Run by a shell before, for limits.
    /// - Returns: What it left.
    /// - Throws: When it cannot be started.
    func run(
        _ arguments: [String], environment: [String: String] = [:], shellPrefix: String? = nil
    ) async throws -> RunResult {
        let running = try start(arguments, environment: environment, shellPrefix: shellPrefix)
        return await running.result()
    }

    /// Starts the program.
    func start(
        _ arguments: [String], environment: [String: String] = [:], shellPrefix: String? = nil, input: Pipe? = nil
    ) throws -> RunningNexus {
        let process = Process()
        if let shellPrefix {
            process.executableURL = URL(filePath: "/bin/bash")
            process.arguments = ["-c", "\(shellPrefix); exec \"$0\" \"$@\"", Self.program.path] + arguments
        } else {
            process.executableURL = Self.program
            process.arguments = arguments
        }
        process.currentDirectoryURL = folder
        let passedOn = ["PATH", "HOME", "NEXUS_MODEL_DIR", "LD_LIBRARY_PATH"]
        process.environment = ProcessInfo.processInfo.environment.filter { passedOn.contains($0.key) }
            .merging(environment) { $1 }
        return try RunningNexus(process, input: input)
    }
}

/// A program that was started; killed when the value goes.
final class RunningNexus: @unchecked Sendable {
    // Unchecked: `process` is used for calls that Foundation makes safe from any thread, the rest is in mutexes.
    private let process: Process
    private let output = Mutex(Data())
    private let errors = Mutex(Data())
    private let ended: AsyncStream<Void>

    init(_ process: Process, input: Pipe? = nil) throws {
        self.process = process
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        ended = stream
        let outputPipe = Pipe()
        let errorPipe = Pipe()
        if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        try process.start()
        let readers = DispatchGroup()
        Self.read(outputPipe, readers) { [weak self] data in self?.output.withLock { $0 += data } }
        Self.read(errorPipe, readers) { [weak self] data in self?.errors.withLock { $0 += data } }
        readers.notify(queue: .global()) {
            process.waitUntilExit()
            continuation.finish()
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private static func read(_ pipe: Pipe, _ group: DispatchGroup, _ body: @escaping @Sendable (Data) -> Void) {
        group.enter()
        Thread.detachNewThread {
            while true {
                let data = pipe.fileHandleForReading.availableData
                guard !data.isEmpty else { break }
                body(data)
            }
            group.leave()
        }
    }

    /// What it wrote to standard output so far.
    var outputText: String { String(decoding: output.withLock { $0 }, as: UTF8.self) }
    /// What it wrote to standard error so far.
    var errorText: String { String(decoding: errors.withLock { $0 }, as: UTF8.self) }

    /// Waits for the end.
    ///
    /// A test that is stopped meanwhile kills the program and gets the status that a shell reports.
    func result() async -> RunResult {
        await withTaskCancellationHandler {
            for await _ in ended {}
        } onCancel: {
            signal(SIGKILL)
        }
        // The status of a process that still runs must not be read: Foundation traps.
        let status = process.isRunning ? 128 + SIGKILL : process.terminationStatus
        return RunResult(status: status, output: outputText, errors: errorText)
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// The number of its process.
    var identifier: Int32 { process.processIdentifier }

    /// Whether it has not ended.
    var isRunning: Bool { process.isRunning }

    /// Waits until standard output holds a text, or the program has ended.
    func waitForOutput(_ text: String) async throws {
        while process.isRunning {
            if outputText.contains(text) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        try #require(outputText.contains(text), "ended without it: \(errorText)")
    }
}
