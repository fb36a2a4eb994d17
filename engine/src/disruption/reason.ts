/** Why a node is disrupted: the reason in budgets, conditions and metrics. */
export type DisruptionReason = 'Empty' | 'Drifted' | 'Underutilized'

export const disruptionReasons: readonly DisruptionReason[] = ['Underutilized', 'Empty', 'Drifted']
