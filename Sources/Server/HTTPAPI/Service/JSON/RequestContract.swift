import ChatCore
import HTTPTypes
import Hummingbird
import Synchronization

/// The names that requests of a route may have, from its description.
///
/// One that is not known is refused, because a misspelt filter would search everything. Routes for clients of other
/// protocols take it, and report it in a header.
struct RequestContract: Sendable {
    /// The body; nil if none is read as JSON.
    let body: JSONSchema?
    /// The parameters of the query.
    let parameters: [String]
    /// Whether other parameters are refused.
    let refusesParameters: Bool

    init(_ document: RouteDocument, of route: Route) {
        body = document.request
        parameters = document.query.map(\.name)
        refusesParameters = route.errors == .problem && !document.allowsOtherParameters
    }
}

/// The fields of one request that had no effect.
final class IgnoredFields: Sendable {
    /// The header that names them.
    static let header = "Nexus-Ignored"
    /// The most names of a response.
    private static let limit = 20

    private let names = Mutex<[String]>([])

    /// Adds the place of a field, without the numbers of list items.
    func add(_ path: FieldPath) {
        let name = Self.cleaned(path.description)
        names.withLock { names in
            guard names.count < Self.limit, !names.contains(name) else { return }
            names.append(name)
        }
    }

    /// Adds the header to a response if there are any.
    func stated(in response: Response) -> Response {
        let names = names.withLock { $0 }
        guard !names.isEmpty else { return response }
        var response = response
        response.headers.set(Self.header, to: names.joined(separator: ", "))
        return response
    }

    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.[]$@".unicodeScalars)

    /// Returns what a header may hold of a place, which is a text of the client.
    private static func cleaned(_ path: String) -> String {
        var name = ""
        var isNumber = false
        for character in path.unicodeScalars.prefix(FieldPath.keyLimit) {
            if character == "]" { isNumber = false }
            if !isNumber { name.unicodeScalars.append(plain.contains(character) ? character : "_") }
            if character == "[" { isNumber = true }
        }
        return name
    }
}

extension IncomingRequest {
    /// Compares the parameters of the query with the contract.
    ///
    /// - Throws: ``FieldError`` for one that is not known.
    func checkParameters() throws(FieldError) {
        guard let contract else { return }
        let names = Set(request.uri.queryParameters.map { String($0.key) })
        for name in names.subtracting(contract.parameters).sorted() {
            let unknown = UnknownField(
                path: FieldPath()[name], name: name, known: contract.parameters,
                isRefused: contract.refusesParameters)
            try take(unknown)
        }
    }

    /// Compares a body, or one of several things that it holds, with the contract.
    ///
    /// - Parameters:
    ///   - field: The body, or the thing.
    ///   - skipped: A field whose content is compared later.
    /// - Throws: ``FieldError`` for a field that is not known.
    func check(_ field: JSONField, skipping skipped: String? = nil) throws(FieldError) {
        guard let schema = contract?.body, let value = field.value else { return }
        for unknown in schema.unknownFields(in: value, at: field.path, skipping: skipped) { try take(unknown) }
    }

    private func take(_ unknown: UnknownField) throws(FieldError) {
        guard !unknown.isRefused else { throw unknown.error }
        ignored.add(unknown.path)
    }
}

extension JSONField {
    /// Refuses fields that a schema does not name.
    func refuseUnknown(by schema: JSONSchema) throws(FieldError) {
        guard let value else { return }
        if let unknown = schema.unknownFields(in: value, at: path).first(where: \.isRefused) { throw unknown.error }
    }
}
