package import Hummingbird
import Logging
package import NIOCore

/// Hummingbird's context of a request, with its connection.
package struct ConnectionContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Whether the request came over HTTP/2, where each request is a stream of a connection.
    package let isStream: Bool
    /// What a route opens a socket with; nil if the request asks for none.
    package var socket: SocketOffer?
    /// The address of the client, or of the proxy before it.
    package let address: String?
    /// The connection, or the stream.
    package let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress
        coreContext = CoreRequestContextStorage(source: source)
        isStream = source.channel.parent?.parent != nil
    }
}
