/**
 * The minimum number of instance types for a spot node; the next constant is the minimum number of zones. With fewer types or zones, the
 * launch is more likely to fail and the node is more likely to be interrupted.
 */
export const SPOT_TYPES = 5
export const SPOT_ZONES = 2
