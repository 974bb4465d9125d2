import ChatCore
import Foundation
import NIOSSL
import Synchronization

/// A server's certificate and key, read from files and read again on demand.
///
/// Connections keep the pair that they started with; a pair that cannot be read or does not match changes nothing.
package final class TLSCredentials: Sendable {
    /// An error in one of the files.
    package struct UnreadableError: Error, CustomStringConvertible {
        /// The file at fault.
        package let path: String
        /// The problem, without any of the file's content.
        package let reason: String

        /// The error in one line.
        package var description: String { "\(path): \(reason)" }
    }

    private let certificatePath: String
    private let keyPath: String
    private let state: Mutex<Pair>

    /// The present pair.
    var current: Pair { state.withLock { $0 } }

    /// A configuration, with the number of the reading that it comes from.
    struct Pair: Sendable {
        let configuration: TLSConfiguration
        let reading: Int
    }

    /// Reads both files.
    ///
    /// - Parameters:
    ///   - certificatePath: The chain in PEM, the server's own certificate first.
    ///   - keyPath: The private key in PEM, without a passphrase.
    /// - Throws: ``UnreadableError``.
    package init(certificatePath: String, keyPath: String) throws(UnreadableError) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        let configuration = try Self.read(certificatePath: certificatePath, keyPath: keyPath)
        state = Mutex(Pair(configuration: configuration, reading: 1))
    }

    /// Reads both files again, for connections from now on.
    ///
    /// - Throws: ``UnreadableError``; the previous pair stays in use.
    package func reload() throws(UnreadableError) {
        let configuration = try Self.read(certificatePath: certificatePath, keyPath: keyPath)
        state.withLock { $0 = Pair(configuration: configuration, reading: $0.reading + 1) }
    }

    private static func read(certificatePath: String, keyPath: String) throws(UnreadableError) -> TLSConfiguration {
        let chain = try readPEM(certificatePath, "holds no certificate in PEM") { bytes in
            try NIOSSLCertificate.fromPEMBytes(bytes).map { NIOSSLCertificateSource.certificate($0) }
        }
        guard !chain.isEmpty else {
            throw UnreadableError(path: certificatePath, reason: "holds no certificate in PEM")
        }
        let key = try readPEM(keyPath, "holds no private key in PEM that needs no passphrase") { bytes in
            try NIOSSLPrivateKey(bytes: bytes, format: .pem)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        // This context is only a check that the two belong together; each use makes its own.
        guard (try? NIOSSLContext(configuration: configuration)) != nil else {
            throw UnreadableError(path: keyPath, reason: "is not the key of \(certificatePath)")
        }
        return configuration
    }

    private static func readPEM<Value>(
        _ path: String, _ reason: String, parse: ([UInt8]) throws -> Value
    ) throws(UnreadableError) -> Value {
        guard let data = RegularFile.contents(path) else {
            throw UnreadableError(path: path, reason: "cannot be read")
        }
        do { return try parse([UInt8](data)) } catch { throw UnreadableError(path: path, reason: reason) }
    }
}
