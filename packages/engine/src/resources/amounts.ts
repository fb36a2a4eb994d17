/**
 * Exact amounts in billionths by resource name: the common form, after parsing, of requests and capacities. Decisions compare
 * the same amounts as rows of a `ResourceTable`.
 */
export type Amounts = ReadonlyMap<string, bigint>
