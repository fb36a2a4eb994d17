/**
 * The minimum number of instance types for a spot node. With fewer instance types, the launch is more likely to fail and the node is more
 * likely to be interrupted.
 */
export const SPOT_TYPES = 5
/** The minimum number of zones for a spot node, for the same reason as `SPOT_TYPES`. */
export const SPOT_ZONES = 2
