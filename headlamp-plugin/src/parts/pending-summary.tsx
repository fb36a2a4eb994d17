import { useT } from '../locales/use-t.ts'
import { constraintsOf, type PendingGroup } from '../model/pending-groups.ts'
import { relativeTime } from './show-time.tsx'

/** Why a group is pending, in one line: how many NodePools refuse and by what, or what was last said of it. */
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

/** Since when, as people say it. */
export const sinceText = (since: number | undefined, now: number): string =>
  since === undefined ? '' : relativeTime(since, now)
