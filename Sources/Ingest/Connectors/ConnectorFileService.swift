package import ChatCore
import Foundation
package import Logging
import ServiceLifecycle
import Synchronization
import Transport

/// A file that begins to arrive from a source.
package struct ArrivingRemoteFile: Sendable {
    /// Its name; nil if the message has said it.
    var name: String?
    /// Its bytes.
    let body: RemoteBytes

    package init(name: String? = nil, body: RemoteBytes) {
        self.name = name
        self.body = body
    }
}

/// Fetches the files of a source's messages, one after another, the latest message first.
///
/// It runs beside everything else of the connector, so no message waits for a file. The rows of the store say what is still
/// to be fetched, so it continues after a kill. A file that cannot be fetched has the reason in its message, and is tried
/// again when waiting may help.
package final class ConnectorFileService: Service {
    /// How often a file that the source refuses is asked for.
    static let refusalLimit = 8

    private let connector: any Connector
    private let store: any ConnectorStore
    private let limits: FileLimits
    private let makeID: @Sendable () -> String
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// Signalled when messages may have arrived.
    private let arrival = WorkSignal()
    /// How often in a row the source could not be reached.
    private let failureCount = Mutex(0)

    /// - Parameters:
    ///   - connector: The connector to the source.
    ///   - store: The store.
    ///   - limits: The limits of files.
    ///   - makeID: Makes ids of stored files.
    ///   - now: The present time.
    ///   - logger: Receives failures; never names.
    package init(
        connector: any Connector, store: any ConnectorStore, limits: FileLimits,
        makeID: @escaping @Sendable () -> String, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        (self.connector, self.store, self.limits) = (connector, store, limits)
        (self.makeID, self.now, self.logger) = (makeID, now, logger)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await arrival.repeating { error in
                logger.warning("Files of a source are not fetched", metadata: ["error.type": "\(type(of: error))"])
            } _: {
                try await self.advance()
            }
        }
    }

    /// Fetches if the changes may contain messages with files; see ``ChangeFollower/Listener``.
    package func follow(_ changes: [Change]?) {
        if changes?.contains(where: { $0.messageKey != nil }) ?? true { arrival.signal() }
    }

    /// Fetches all files that are due.
    ///
    /// - Returns: The time until it is to be called again; nil if nothing is waited for.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func advance() async throws -> Duration? {
        while true {
            let rooms = try await connector.openRooms()
            let (file, nextAt) = try await store.nextRemoteFile(of: connector.source, in: rooms, at: now())
            guard let file else { return nextAt.map { max(.milliseconds(1), $0 - now()) } }
            if let pause = try await fetch(file) { return pause }
        }
    }

    /// Fetches a file; returns how long the source is to be left alone.
    private func fetch(_ file: RemoteFile) async throws -> Duration? {
        do {
            if let byteCount = file.byteCount, byteCount > limits.fileBytes {
                throw FileError.tooLarge(limit: limits.fileBytes)
            }
            let arriving = try await connector.open(file, limit: limits.fileBytes)
            var file = file
            if let name = arriving.name { file.name = name }
            _ = try await store.store(
                file, of: connector.source, as: FileID(rawValue: makeID()), content: arriving.body, limits: limits,
                at: now())
            failureCount.withLock { $0 = 0 }
            return nil
        } catch let error as FileError {
            return try await postpone(file, after: error)
        } catch let error as ConnectorError {
            return try await postpone(file, after: error)
        }
    }

    private func postpone(_ file: RemoteFile, after error: FileError) async throws -> Duration? {
        switch error {
        case .tooLarge: try await note(.fileTooLarge, of: file)
        case .folderFull, .shareFull, .tooManyUnattached:
            try await note(.noRoom, of: file, until: Self.pause(file.failureCount, from: .seconds(3_600)))
        case .interrupted: return try await leaveAlone(file)
        case .noSuchFile: break
        }
        return nil
    }

    private func postpone(_ file: RemoteFile, after error: ConnectorError) async throws -> Duration? {
        switch error {
        case .limited(let end): return max(.milliseconds(1), end - now())
        case .refused(404, _), .refused(410, _): try await note(.gone, of: file)
        case .refused where error.isAboutToken: return .seconds(60)
        case .refused:
            let isLast = file.failureCount + 1 >= Self.refusalLimit
            try await note(.refused, of: file, until: isLast ? nil : Self.pause(file.failureCount))
        case .unavailable, .unreadable: return try await leaveAlone(file)
        }
        return nil
    }

    /// Tries the file again later, and after more failures in a row the next one later, too.
    private func leaveAlone(_ file: RemoteFile) async throws -> Duration {
        try await note(.sourceAway, of: file, until: Self.pause(file.failureCount))
        let failures = failureCount.withLock { count in
            count += 1
            return count
        }
        return min(.seconds(1) * (1 << min(failures, 8)), .seconds(300))
    }

    private func note(
        _ problem: FileReading.Problem, of file: RemoteFile, until pause: Duration? = nil
    ) async throws {
        let moment = now()
        logger.info(
            "A file was not fetched",
            metadata: ["source": "\(connector.source)", "problem": "\(problem.rawValue)"])
        try await store.postpone(
            file, of: connector.source, problem: problem, until: pause.map { moment + $0 }, at: moment)
    }

    /// The pause after a number of failures: it doubles, up to a day.
    private static func pause(_ failures: Int, from first: Duration = .seconds(60)) -> Duration {
        min(first * (1 << min(failures, 12)), .seconds(86_400))
    }
}

extension StringProtocol {
    /// Whether it has only ASCII letters, digits and the given characters: then it is one part of a path.
    func isPlain(besides others: String = "") -> Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: others.utf8.contains(byte)
                }
            }
    }
}

/// The bytes of a file while they arrive.
package struct RemoteBytes: AsyncSequence, Sendable {
    let body: HTTPBody
    let limit: Int

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body.makeAsyncIterator(), limit: limit)
    }

    /// Reads the bytes; more than the limit is ``FileError/tooLarge(limit:)``.
    package struct AsyncIterator: AsyncIteratorProtocol {
        var body: HTTPBody.AsyncIterator
        let limit: Int

        package mutating func next() async throws -> [UInt8]? {
            do {
                return try await body.next().map { Array($0) }
            } catch TransportError.responseTooLarge {
                throw FileError.tooLarge(limit: limit)
            } catch TransportError.cancelled {
                throw CancellationError()
            } catch {
                throw FileError.interrupted
            }
        }
    }
}
