/**
 * The minimum number of instance types and zones for a spot node. With fewer, the launch is more likely to fail and the node
 * to be interrupted.
 */
export const SPOT_TYPES = 5
export const SPOT_ZONES = 2
