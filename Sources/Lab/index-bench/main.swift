import Glibc

// Measures VectorIndex on seeded data or on vectors from files, and checks its results against brute force. Prints JSON
// lines to the standard output. Exit code: 0 when done, 1 when a result was wrong, 2 when the run failed, 64 for wrong
// options.

/// Writes one line to the standard error.
func complain(_ message: String) {
    let line = Array("index-bench: \(message)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

do {
    let options = try BenchOptions(arguments: CommandLine.arguments.dropFirst())
    if options.wantsHelp {
        print(BenchOptions.usage)
        exit(0)
    }
    if let folder = options.dataFolder {
        exit(try await DataRun(options: options, folder: folder).run() ? 0 : 1)
    }
    exit(try IndexBench(options).run() ? 0 : 1)
} catch let error as UsageError {
    complain("\(error.message)\n\(BenchOptions.usage)")
    exit(64)
} catch {
    complain("\(error)")
    exit(2)
}
