/** Instance types and zones that a spot node must have to choose from, so that it is got at all and seldom interrupted. */
export const SPOT_TYPES = 5
export const SPOT_ZONES = 2
