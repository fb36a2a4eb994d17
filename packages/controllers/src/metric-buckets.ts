/** Bucket sets that several metrics share (`docs/spec/metrics.md#buckets-and-quantiles`). */

/** The default buckets of the Prometheus client. */
export const DEFAULT_BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Buckets for the duration of conditions: from 0.5 to 8192 seconds, each twice the previous one. */
export const CONDITION_BUCKETS: readonly number[] = Array.from({ length: 15 }, (_, index) => 0.5 * 2 ** index)

export const SUMMARY_QUANTILES: readonly number[] = [0, 0.5, 0.9, 0.99, 1]
