/**
 * The share of pods that may be planned once more. Kerf plans pods again every ten seconds while their nodes launch. If an instance
 * is smaller than planned, the next plan may need one more node. A second node for every pod would be a share of 1.
 */
const REPACKED = 1 / 3

/** The pods and pieces that the launching claims were planned for. */
export interface Launching {
  readonly claims: number
  /** Whether all claims were created at the same time. */
  readonly isFirst: boolean
  /** The number of pods that have needed a node since the oldest claim was created. */
  readonly wanted: number
  /** The number of those pods that needed a node for the first time. */
  readonly late: number
  /** The number of pieces of all capacity buffers. */
  readonly buffered: number
}

/**
 * Returns the number of pods that the claims may be planned for. A pod that arrived later or was planned again may have taken the
 * capacity of a planned pod, or of all pieces of a buffer, which are then planned once more. A pass plans each piece once, so
 * the pieces count at most once per claim.
 */
export const mostPlanned = ({ claims, isFirst, wanted, late, buffered }: Launching): number => {
  const moved = isFirst ? 0 : late + wanted * REPACKED
  return wanted + moved + buffered * Math.min(claims, 1 + Math.ceil(moved))
}
