/** The default of `ScheduleOptions.fewerNodesCostShare`: half a percent. */
export const FEWER_NODES_COST_SHARE = 0.005
