import IndexCore
import VectorIndex

extension VectorRow {
    /// A row from plain numbers.
    init(_ key: Int64, in group: Int64, _ vector: [Float]) {
        self.init(key: RowKey(rawValue: key), group: GroupKey(rawValue: group), vector: vector)
    }
}

/// Keys from plain numbers.
func rowKeys(_ numbers: some Sequence<Int64>) -> [RowKey] { numbers.map(RowKey.init) }

/// A selection from plain numbers.
func groups(_ numbers: Int64...) -> GroupSelection { .only(Set(numbers.map(GroupKey.init))) }
