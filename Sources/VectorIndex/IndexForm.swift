/// What an index keeps in memory of each row to find candidates with; the rows themselves decide.
public enum IndexForm: Sendable {
    /// Two planes of four bits a component, with a bound that proves every result: the true `k` best rows.
    case exact
    /// One bit a component, some seventh of the memory and of the time. Approximate: a row that belongs to the best is
    /// missed when the estimate of its score is off by four standard deviations, about once in 30,000. Scores are exact.
    case compact
}
