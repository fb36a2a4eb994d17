import { reasonText } from '../locales/reasons.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { shortMessage } from '../model/computed-refusals.ts'
import { constraintForCode, listConstraints, type PendingGroup } from '../model/pending-groups.ts'
import { relativeTime } from './show-time.tsx'

/**
 * Returns a function that summarizes the reason of a group in one line: how many NodePools refuse the pods and why,
 * or the first reason of the last message.
 */
export const useReasonText = (): ((group: PendingGroup) => string) => {
  const t = useT()
  const language = useLanguage()
  return ({ refusals, message, reason, pods }) => {
    if (pods.every(({ isGated }) => isGated)) return t('gated')
    const pools = new Set(refusals.map(({ nodePool }) => nodePool).filter((name) => name !== ''))
    // A reason that is not about a NodePool is about the pod itself.
    if (pools.size === 0)
      return refusals[0] === undefined ? shortMessage(message) || reason : reasonText(refusals[0].reason, language)
    const what = listConstraints(refusals).map((constraint) => t(`constraint.${constraint}`))
    return t('poolsRefuse', { count: pools.size, what: what.join(', ') })
  }
}

/** Returns a function that returns the reasons of a group by NodePool, for example `payments: limit; general, reports: taint`. */
export const usePoolReasonText = (): ((group: PendingGroup) => string) => {
  const t = useT()
  const short = useReasonText()
  return (group) => {
    const named = group.refusals.filter(({ nodePool }) => nodePool !== '')
    const byPool = new Map<string, Set<string>>()
    for (const { nodePool, code } of named)
      byPool.set(nodePool, (byPool.get(nodePool) ?? new Set()).add(t(`constraint.${constraintForCode(code)}`)))
    const byReason = new Map<string, string[]>()
    for (const [pool, reasons] of byPool) {
      const reason = [...reasons].join(', ')
      byReason.set(reason, [...(byReason.get(reason) ?? []), pool])
    }
    if (byReason.size === 0) return short(group)
    // Limits come first: a pool that refuses the pods only because of its limit would otherwise run them.
    const limit = t('constraint.limit')
    return Array.from(byReason, ([reason, pools]) => ({ reason, text: `${pools.join(', ')}: ${reason}` }))
      .sort((a, b) => Number(b.reason === limit) - Number(a.reason === limit))
      .map(({ text }) => text)
      .join('; ')
  }
}

/** Returns readable text for a start time and how long ago it was. */
export const sinceText = (since: number | undefined, now: number): string =>
  since === undefined ? '' : relativeTime(since, now)
