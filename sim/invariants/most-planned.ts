/**
 * Pods whose nodes are being launched are planned again every ten seconds. If an instance came out smaller than planned,
 * another packing may need one more (seed 1134 when this was written). A second node for every pod would be twice as many.
 */
const REPACKED = 1 / 3

/** What the claims that are being launched were planned for. */
export interface Launching {
  readonly claims: number
  /** Whether all claims were created at one time. */
  readonly isFirst: boolean
  /** Pods that have needed a node since the oldest claim was created. */
  readonly wanted: number
  /** Those of them that needed one for the first time. */
  readonly late: number
  /** The pieces of all capacity buffers. */
  readonly buffered: number
}

/**
 * For how many pods the claims may be planned. Besides the pods that were pending: a pod that came later or was planned again may
 * have taken the capacity of a planned pod, or that of all pieces of a buffer, which are then planned once more. A pass plans
 * each piece once, so no claim brings more of them than there are.
 */
export const mostPlanned = ({ claims, isFirst, wanted, late, buffered }: Launching): number => {
  const moved = isFirst ? 0 : late + wanted * REPACKED
  return wanted + moved + buffered * Math.min(claims, 1 + Math.ceil(moved))
}
