/**
 * The share of pods for which Kerf may plan capacity a second time. Kerf plans pods again every ten seconds while their nodes launch. If an
 * instance is smaller than planned, the next plan may need one more node. A share of 1 would allow a second node for every pod.
 */
const REPACKED = 1 / 3

/** The number of NodeClaims that are launching, and of the pods for which Kerf may have planned them. */
export interface Launching {
  readonly claims: number
  /** Whether all NodeClaims were created at the same time, by the same scheduling pass. */
  readonly isFirst: boolean
  /** The number of pods that have needed a node since the oldest NodeClaim was created. */
  readonly wanted: number
  /** The number of those pods that needed a node for the first time in that period. */
  readonly late: number
  /** The number of virtual pods of all capacity buffers. */
  readonly buffered: number
}

/**
 * Returns the maximum number of pods for which Kerf may have planned the NodeClaims. A pod that arrived later, or that was planned again,
 * may have taken the capacity for another pod, or the capacity for all virtual pods of a buffer. Kerf then plans those pods once more. A
 * scheduling pass plans each virtual pod once, so virtual pods count at most once per NodeClaim.
 */
export const mostPlanned = ({ claims, isFirst, wanted, late, buffered }: Launching): number => {
  const moved = isFirst ? 0 : late + wanted * REPACKED
  return wanted + moved + buffered * Math.min(claims, 1 + Math.ceil(moved))
}
