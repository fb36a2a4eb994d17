/** The reason why a node is disrupted, as it appears in budgets, conditions and metrics. */
export type DisruptionReason = 'Empty' | 'Drifted' | 'Underutilized'

export const disruptionReasons: readonly DisruptionReason[] = ['Underutilized', 'Empty', 'Drifted']
