import Hummingbird
import Logging
import NIOCore

/// Hummingbird's context of a request, with its connection.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Whether the request came over HTTP/2, where each request is a stream of a connection.
    let isStream: Bool
    /// What a route opens a socket with; nil if the request asks for none.
    var socket: SocketOffer?
    /// The address of the client, or of the proxy before it.
    let address: String?
    /// The connection, or the stream.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress
        coreContext = CoreRequestContextStorage(source: source)
        isStream = source.channel.parent?.parent != nil
    }
}
