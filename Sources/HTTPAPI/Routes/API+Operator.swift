import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension API {
    /// The route for commands; only the local socket has it.
    var operatorRoute: Route {
        Route(
            .post, "operator", .admin, id: "operate", "Performs a command of the operator.", watchesClient: true
        ) { incoming, _ in
            let command = Data(Array(buffer: try await incoming.body(limit: settings.messagesByteLimit)))
            let body = ResponseBody { writer in
                try await incoming.whileClientListens {
                    for try await line in services.host.perform(command) {
                        try await writer.write(ByteBuffer(bytes: line + [0x0A]))
                    }
                    try Task.checkCancellation()
                }
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: [.contentType: "application/x-ndjson"], body: body)
        }
    }
}
