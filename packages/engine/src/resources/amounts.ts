/**
 * Exact amounts in billionths, by resource name. Requests and capacities have this form after parsing. Decisions compare the same amounts
 * as rows of a `ResourceTable`.
 */
export type Amounts = ReadonlyMap<string, bigint>
