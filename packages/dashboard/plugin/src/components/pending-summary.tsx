import { useT } from '../locales/use-t.ts'
import { constraintOf, constraintsOf, type PendingGroup } from '../model/pending-groups.ts'
import { relativeTime } from './show-time.tsx'

/** Returns a function that gives the reason of a group in one line: how many NodePools refuse and why, or the last message. */
export const useReasonText = (): ((group: PendingGroup) => string) => {
  const t = useT()
  return ({ refusals, message, reason, pods }) => {
    if (pods.every(({ isGated }) => isGated)) return t('gated')
    const pools = new Set(refusals.map(({ nodePool }) => nodePool).filter((name) => name !== ''))
    if (pools.size === 0) return message || reason
    const what = constraintsOf(refusals).map((constraint) => t(`constraint.${constraint}`))
    return t('poolsRefuse', { count: pools.size, what: what.join(', ') })
  }
}

/** Returns a function that gives the reason of a group by NodePool: `payments: limit; general, reports: taint`. */
export const usePoolReasonText = (): ((group: PendingGroup) => string) => {
  const t = useT()
  const short = useReasonText()
  return (group) => {
    const named = group.refusals.filter(({ nodePool }) => nodePool !== '')
    const byPool = new Map<string, Set<string>>()
    for (const { nodePool, code } of named)
      byPool.set(nodePool, (byPool.get(nodePool) ?? new Set()).add(t(`constraint.${constraintOf(code)}`)))
    const byReason = new Map<string, string[]>()
    for (const [pool, reasons] of byPool) {
      const reason = [...reasons].join(', ')
      byReason.set(reason, [...(byReason.get(reason) ?? []), pool])
    }
    if (byReason.size === 0) return short(group)
    // A pool that refuses only because of its limit would otherwise take the pods.
    const limit = t('constraint.limit')
    return Array.from(byReason, ([reason, pools]) => ({ reason, text: `${pools.join(', ')}: ${reason}` }))
      .sort((a, b) => Number(b.reason === limit) - Number(a.reason === limit))
      .map(({ text }) => text)
      .join('; ')
  }
}

/** Returns a readable time since when. */
export const sinceText = (since: number | undefined, now: number): string =>
  since === undefined ? '' : relativeTime(since, now)
