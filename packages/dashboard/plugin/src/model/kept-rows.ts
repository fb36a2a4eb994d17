import { type Blocker, isOutOfScope, isWaivableBlocker } from '@kerf/engine'
import { at, listAt, textAt } from './read.ts'

/** One reason why a node is kept, or the move that a disruption method would make. */
export interface KeptRow {
  /** The disruption method. Empty for every method. */
  readonly method: string
  /** The blocker of the method. Absent if the method would disrupt the node. */
  readonly blocker?: unknown
  /** What the method would do, in the words of the controller. */
  readonly move?: string
}

/**
 * Returns whether the method of the verdict can apply to the node. An unknown code, from another version of Kerf,
 * counts as a blocker of a method that can apply.
 */
const applies = (verdict: unknown): boolean =>
  !listAt(verdict, 'blockers').some((blocker) =>
    isOutOfScope({ code: (textAt(blocker, 'code') ?? '') as Blocker['code'] }),
  )

const blockerKeys = (verdict: unknown): ReadonlySet<string> =>
  new Set(listAt(verdict, 'blockers').map((each) => JSON.stringify(each)))

/**
 * Returns why a node is kept, from Kerf's response about the node (`/kerf/v1/nodes/NAME`). The blockers that all
 * methods share come first. If a method has only shared blockers, they are enough to keep the node, so the blockers of
 * other methods are omitted. Methods that never apply to the node are omitted too.
 */
export const reportedRows = (answer: unknown): readonly KeptRow[] => {
  const verdicts = listAt(answer, 'methods').filter(applies)
  const ofVerdicts = verdicts.map(blockerKeys)
  const common = listAt(answer, 'blockers').filter((each) => ofVerdicts.every((own) => own.has(JSON.stringify(each))))
  const shared = new Set(common.map((each) => JSON.stringify(each)))
  const rows = verdicts.flatMap((verdict): readonly KeptRow[] => {
    const method = textAt(verdict, 'method') ?? ''
    const move = textAt(verdict, 'move', 'text')
    if (move !== undefined) return [{ method, move }]
    const own = listAt(verdict, 'blockers').filter((each) => !shared.has(JSON.stringify(each)))
    return own.map((blocker) => ({ method, blocker }))
  })
  const isCommonAlone = common.length > 0 && ofVerdicts.some((own) => own.size === shared.size)
  return [...common.map((blocker) => ({ method: '', blocker })), ...(isCommonAlone ? [] : rows)]
}

/**
 * Returns the rows for blockers that the objects show. The limits of budgets may differ by disruption reason. If the
 * NodeClaim has a `terminationGracePeriod`, its pods block only consolidation.
 */
export const objectRows = (blockers: readonly Blocker[], claim: unknown): readonly KeptRow[] => {
  const endsPods = at(claim, 'spec', 'terminationGracePeriod') !== undefined
  return blockers.map((blocker) => {
    if (blocker.code === 'budget.exhausted') return { method: blocker.reason, blocker }
    return { method: endsPods && isWaivableBlocker(blocker) ? 'Underutilized' : '', blocker }
  })
}
