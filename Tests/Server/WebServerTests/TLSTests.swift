import Assistant
import Crypto
import Foundation
import HTTPAPI
import ServerTestSupport
import SwiftASN1
import Testing
import Transport
import WebServer
import X509

/// A folder with a certificate for `localhost` and its key.
final class CertificateFolder {
    let url: URL
    var certificate: String { url.appending(path: "certificate.pem").path }
    var key: String { url.appending(path: "key.pem").path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a new pair, or only one file of it, and returns the certificate's text.
    @discardableResult
    func renew(certificate writesCertificate: Bool = true, key writesKey: Bool = true) throws -> String {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: .now - 3_600, notValidAfter: .now + 3_600, issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.dnsName("localhost")])
            }, issuerPrivateKey: key)
        let text = try certificate.serializeAsPEM().pemString
        if writesCertificate { try Data(text.utf8).write(to: URL(filePath: self.certificate)) }
        if writesKey { try Data(key.serializeAsPEM().pemString.utf8).write(to: URL(filePath: self.key)) }
        return text
    }

    /// A client that trusts this certificate alone.
    func client(trusting certificate: String) throws -> CurlTransport {
        let file = url.appending(path: "trusted-\(UUID().uuidString).pem")
        try Data(certificate.utf8).write(to: file)
        return try CurlTransport(configuration: .init(certificateFile: file.path, usesProxyVariables: false))
    }
}

struct TLSTests {
    private static func get(_ path: String, port: Int) -> HTTPExchangeRequest {
        HTTPExchangeRequest(
            method: "GET", url: "https://localhost:\(port)\(path)", headers: [:], body: nil,
            deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900)))
    }

    @Test func answersOverHTTP2() async throws {
        let folder = try CertificateFolder()
        let client = try folder.client(trusting: try folder.renew())
        var parts = ServerParts()
        parts.credentials = try TLSCredentials(certificatePath: folder.certificate, keyPath: folder.key)
        let question = Data(#"{"data":{"question":"why?"}}"#.utf8)
        parts.answering = StubAnswering([.delta("Friday")])

        let (health, stream) = try await withServer(parts) { server in
            let health = try await client.send(Self.get("/health", port: server.port))
            var ask = Self.get("/ragQuery", port: server.port)
            ask.method = "POST"
            ask.headers = ["Content-Type": "application/json", "Accept": "text/event-stream"]
            ask.body = question
            return (health, try await client.send(ask))
        }

        #expect(health.status == 200)
        #expect(stream.status == 200)
        #expect(String(decoding: stream.body, as: UTF8.self).contains("Friday"))
        // A field that would break a stream of HTTP/2; over HTTP/1.1 it stands there.
        #expect(stream.headers["Connection"] == nil)
    }

    @Test func aForeignNameIsRefusedOverHTTP2() async throws {
        let folder = try CertificateFolder()
        let client = try folder.client(trusting: try folder.renew())
        var parts = ServerParts()
        parts.credentials = try TLSCredentials(certificatePath: folder.certificate, keyPath: folder.key)

        let replies = try await withServer(parts) { server in
            var replies: [Reply] = []
            for header in [("Host", "evil.example"), ("Origin", "https://evil.example"), ("Host", "localhost")] {
                var request = Self.get("/health", port: server.port)
                request.headers = HTTPHeaders([header])
                replies.append(Reply(try await client.send(request)))
            }
            return replies
        }

        #expect(replies.map(\.status) == [403, 403, 200])
        #expect(replies.map { $0.field("code") } == ["host_forbidden", "origin_forbidden", nil])
    }

    @Test func aCertificateIsRenewedWhileItServes() async throws {
        let folder = try CertificateFolder()
        let first = try folder.renew()
        let credentials = try TLSCredentials(certificatePath: folder.certificate, keyPath: folder.key)
        var parts = ServerParts()
        parts.credentials = credentials

        try await withServer(parts) { server in
            let request = Self.get("/health", port: server.port)
            let second = try folder.renew()
            #expect(try await folder.client(trusting: first).send(request).status == 200)
            await #expect(throws: TransportError.self) { try await folder.client(trusting: second).send(request) }

            try credentials.reload()

            #expect(try await folder.client(trusting: second).send(request).status == 200)
            await #expect(throws: TransportError.self) { try await folder.client(trusting: first).send(request) }
        }
    }

    @Test func aPairThatCannotBeUsedChangesNothing() async throws {
        let folder = try CertificateFolder()
        let first = try folder.renew()
        let credentials = try TLSCredentials(certificatePath: folder.certificate, keyPath: folder.key)
        var parts = ServerParts()
        parts.credentials = credentials

        try await withServer(parts) { server in
            try folder.renew(certificate: false)
            let foreign = #expect(throws: TLSCredentials.UnreadableError.self) { try credentials.reload() }
            #expect(foreign?.description == "\(folder.key): is not the key of \(folder.certificate)")
            try Data("no PEM".utf8).write(to: URL(filePath: folder.certificate))
            let garbage = #expect(throws: TLSCredentials.UnreadableError.self) { try credentials.reload() }
            #expect(garbage?.description == "\(folder.certificate): holds no certificate in PEM")
            try FileManager.default.removeItem(atPath: folder.certificate)
            let missing = #expect(throws: TLSCredentials.UnreadableError.self) { try credentials.reload() }
            #expect(missing?.description == "\(folder.certificate): cannot be read")

            let request = Self.get("/health", port: server.port)
            #expect(try await folder.client(trusting: first).send(request).status == 200)
        }
    }

    @Test func aHandshakeThatDoesNotEndIsNotWaitedFor() async throws {
        let folder = try CertificateFolder()
        try folder.renew()
        var parts = ServerParts()
        parts.credentials = try TLSCredentials(certificatePath: folder.certificate, keyPath: folder.key)
        parts.settings.connections.headTimeout = .milliseconds(50)

        let text = try await withServer(parts) { server in
            let connection = try RawConnection(port: server.port)
            connection.send("\u{16}\u{3}\u{1}")
            return await connection.readToEnd()
        }

        #expect(text == "")
    }
}
