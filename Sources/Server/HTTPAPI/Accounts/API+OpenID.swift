import Accounts
import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import UseCases
import WebServer

/// Signing in with another service; a browser goes from one address to the next.
extension API {
    private static let callback = "v1/session/oidc/callback"

    var openIDRoutes: [Route] {
        [
            Route(
                .get, "v1/session/oidc/start", .everyone, id: "startOpenID",
                "Sends the browser to the configured service to sign in there."
            ) { incoming, _ in
                let openID = try openIDSignIn
                try await signInLimits.take(from: incoming.address)
                do throws(OpenIDFault) {
                    let (address, binding) = try await openID.begin(callback: try publicAddress(incoming))
                    var response = Self.redirect(address)
                    response.headers.add(bindingCookie(binding, incoming))
                    return response
                } catch {
                    return Self.redirect(error)
                }
            },
            Route(
                .get, Self.callback, .everyone, id: "finishOpenID",
                "Takes the browser back from the service, and signs the person in."
            ) { incoming, _ in
                let openID = try openIDSignIn
                try await signInLimits.take(from: incoming.address)
                var response: Response
                do throws(OpenIDFault) {
                    let signedIn = try await counting(.openID) { () async throws(OpenIDFault) in
                        try await signIn(incoming, openID)
                    }
                    response = Self.redirect("/")
                    response.headers.add(sessionCookie(signedIn.refreshToken, incoming))
                } catch {
                    response = Self.redirect(error)
                }
                response.headers.add(bindingCookie("", incoming))
                return response
            },
        ]
    }

    private var openIDSignIn: OpenIDSignIn {
        get throws(Failure) {
            guard let openID else { throw .signInNotConfigured }
            return openID
        }
    }

    private func signIn(
        _ incoming: IncomingRequest, _ openID: OpenIDSignIn
    ) async throws(OpenIDFault) -> AccountService.SignedIn {
        guard let state = incoming.query("state"),
            let begun = try? await openID.pending.take(
                state: state, binding: SessionCookie.binding.value(in: incoming.request), at: services.now())
        else { throw .state }
        guard let code = incoming.query("code"), incoming.query("error") == nil else { throw .refused }
        let (person, email) = try await openID.person(code: code, begun: begun, issuer: incoming.query("iss"))
        guard let accounts = services.accounts else { throw .failed }
        do {
            let signedIn = try await accounts.signIn(
                identified: person.id, name: person.name, userAgent: incoming.userAgent)
            _ = try await services.links?.setEmail(email, from: .service, of: person.id)
            return signedIn
        } catch AccountError.disabled {
            throw .disabled
        } catch {
            services.logger.log(Failure(error), of: error)
            throw .failed
        }
    }

    /// Returns the address of the callback as the browser reaches it: `http.public-url`, else a name of this server.
    ///
    /// A name that only the request gives is never used, because the service would send the code there.
    private func publicAddress(_ incoming: IncomingRequest) throws(OpenIDFault) -> String {
        guard let origin = origin(of: incoming) else {
            services.logger.warning(
                "A sign-in came by a name that is not this server's: set http.public-url, or add the name to http.hosts"
            )
            throw .unknownHost
        }
        return origin + "/" + Self.callback
    }

    private func bindingCookie(_ binding: String, _ incoming: IncomingRequest) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: SessionCookie.binding.field(
                binding, lifetime: .seconds(PendingSignIns.lifetime), isSecure: cookiesAreSecure(incoming)))
    }

    private static func redirect(_ fault: OpenIDFault) -> Response { redirect("/#/sign-in?error=\(fault.rawValue)") }

    private static func redirect(_ address: String) -> Response {
        var response = Response(status: .found, headers: [.location: address])
        response.headers.set("Referrer-Policy", to: "no-referrer")
        return response
    }
}

extension SessionCookie {
    /// Ties a sign-in with another service to the browser that began it; sent when that service sends the browser back.
    static let binding = SessionCookie(name: "nexus-oidc", path: "/v1/session/oidc", sameSite: "Lax")
}
