extension Array where Element: Comparable {
    /// The elements in ascending order, each once.
    func sortedUnique() -> [Element] {
        var unique: [Element] = []
        unique.reserveCapacity(count)
        for element in sorted() where element != unique.last { unique.append(element) }
        return unique
    }

    /// Returns where an element stands; nil when it is not there.
    ///
    /// - Precondition: The elements ascend.
    /// - Complexity: O(log elements).
    func place(of element: Element) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == element ? low : nil
    }
}
