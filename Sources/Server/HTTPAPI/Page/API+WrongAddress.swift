import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension API {
    /// Whether a browser asks for a page to show.
    static func wantsPage(_ request: Request) -> Bool {
        request.method == .get && request.headers[.accept]?.contains("text/html") == true
    }

    /// What a person sees who opens the server under a name that it does not know.
    static var wrongAddressPage: Response {
        let text = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Nexus</title>
            <h1>Nexus does not know this address</h1>
            <p>Open it by the address that you were given. If you run this server, add the name in the address to the
            setting <code>http.hosts</code>.</p>
            <div lang="de"><h1>Nexus kennt diese Adresse nicht</h1>
            <p>Öffne die Adresse, die dir genannt wurde. Wenn du diesen Server betreibst, füge den Namen aus der Adresse
            der Einstellung <code>http.hosts</code> hinzu.</p></div>
            """
        return Response(
            status: .forbidden,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: "default-src 'none'",
                .xContentTypeOptions: "nosniff", .cacheControl: "no-store",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
