import HTTPTypes
import Hummingbird
import NIOCore
import WebPage
import WebServer

/// The page that browsers show; not a part of the described API.
extension API {
    /// The routes of the page; none if it is turned off.
    var pageRoutes: [Route] {
        guard let page = services.page else { return [] }
        return [
            Route(.get, "", .everyone, id: "page", "Shows the page.") { incoming, _ in
                Self.reply(page.file(WebPage.start), to: incoming.request, isImmutable: false)
            },
            Route(.get, WebPage.serviceWorker, .everyone, id: "pageWorker", "Sends the page's service worker.") {
                incoming, _ in
                Self.reply(page.file(WebPage.serviceWorker), to: incoming.request, isImmutable: false)
            },
            Route(.get, "page/:identity/**", .everyone, id: "pageFile", "Sends a file of the page.") { incoming, _ in
                // A file of another version is refused, so that a page never runs with parts of two.
                let isPresent = try incoming.parameter("identity") == page.identity
                let name = incoming.parameters.getCatchAll().joined(separator: "/")
                return Self.reply(
                    isPresent ? page.file(name) : nil, to: incoming.request, isImmutable: page.isImmutable)
            },
        ]
    }

    private static func reply(_ file: PageFile?, to request: Request, isImmutable: Bool) -> Response {
        guard let file else { return reply(.noPageFile, as: .problem) }
        var headers: HTTPFields = [
            .contentType: file.mediaType, .eTag: file.tag, .vary: "Accept-Encoding",
            .cacheControl: isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
            .xContentTypeOptions: "nosniff", .contentSecurityPolicy: contentSecurityPolicy,
        ]
        headers.set("Referrer-Policy", to: "no-referrer")
        headers.set("X-Frame-Options", to: "DENY")
        headers.set("Cross-Origin-Opener-Policy", to: "same-origin")
        headers.set("Cross-Origin-Resource-Policy", to: "same-origin")
        headers.set("Permissions-Policy", to: "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
        if EntityTag.list(request.headers.values(of: "if-none-match"), holds: file.tag) {
            return Response(status: .notModified, headers: headers)
        }
        let isCompressed = Compression.isTaken(by: request)
        guard isCompressed, let compressed = file.compressed else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: file.content)))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: compressed)))
    }

    /// Everything comes from this server, and nothing writes markup: the one policy of trusted types names the address of
    /// the service worker, which browsers take in no other way.
    private static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
        "img-src 'self' data: blob:", "media-src 'self' blob:", "font-src 'self'", "manifest-src 'self'",
        "worker-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types nexus-worker",
    ].joined(separator: "; ")
}

extension Failure {
    fileprivate static let noPageFile = Failure(
        404, "page_file_unknown", "the page has no such file; load the page again", .notFound)
}
