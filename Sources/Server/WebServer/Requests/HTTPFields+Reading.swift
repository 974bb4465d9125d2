import Foundation
package import HTTPTypes

extension HTTPFields {
    /// Returns the value of the first field with this name, given in lower case.
    package func value(of canonicalName: String) -> String? {
        first { $0.name.canonicalName == canonicalName }?.value
    }

    /// Returns the values of all fields with this name, given in lower case.
    package func values(of canonicalName: String) -> [String] {
        filter { $0.name.canonicalName == canonicalName }.map(\.value)
    }

    /// Returns the elements of a header that is a list, its name given in lower case.
    package func listed(_ canonicalName: String) -> [String] {
        values(of: canonicalName).flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
