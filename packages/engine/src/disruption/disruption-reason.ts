/** The reason why a node is disrupted, as it appears in budgets, conditions and metrics. */
export type DisruptionReason = 'Asleep' | 'Empty' | 'Drifted' | 'Underutilized'

/** The reasons that a budget can name. */
export const disruptionReasons: readonly DisruptionReason[] = ['Underutilized', 'Empty', 'Drifted']
