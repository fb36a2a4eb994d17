/**
 * Exact amounts in billionths, by resource name: the one form, after parsing, of what pods ask for and of what nodes have.
 * Decisions compare the same amounts as rows of a `ResourceTable`.
 */
export type Amounts = ReadonlyMap<string, bigint>
