import { useCallback } from 'react'
import { reasonText } from '../locales/reasons.ts'
import type { Language } from '../locales/translate.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { shortMessage } from '../model/computed-refusals.ts'
import { constraintForCode, type PendingGroup } from '../model/pending-groups.ts'
import { relativeTime } from './show-time.tsx'

/**
 * Returns one reason why the pods of a group are pending, for groups that no NodePool refuses: a reason about the pod
 * itself, otherwise the first reason in the controller's last message.
 */
const podReasonText = ({ refusals, message, reason }: PendingGroup, language: Language): string =>
  refusals[0] === undefined ? shortMessage(message) || reason : reasonText(refusals[0].reason, language)

/**
 * Returns a function that returns the reasons of a group in one line, by NodePool, for example `payments: limit; general, reports: taint`.
 */
export const useReasonText = (): ((group: PendingGroup) => string) => {
  const t = useT()
  const language = useLanguage()
  return useCallback(
    (group) => {
      if (group.pods.every(({ isGated }) => isGated)) return t('gated')
      const byPool = new Map<string, Set<string>>()
      for (const { nodePool, code } of group.refusals.filter((each) => each.nodePool !== ''))
        byPool.set(nodePool, (byPool.get(nodePool) ?? new Set()).add(t(`constraint.${constraintForCode(code)}`)))
      if (byPool.size === 0) return podReasonText(group, language)
      const byReason = Map.groupBy([...byPool], ([, reasons]) => [...reasons].join(', '))
      // Reasons about limits come first, because without its limit the NodePool would run the pods.
      const limit = t('constraint.limit')
      return Array.from(byReason, ([reason, pools]) => ({
        reason,
        text: `${pools.map(([pool]) => pool).join(', ')}: ${reason}`,
      }))
        .sort((a, b) => Number(b.reason === limit) - Number(a.reason === limit))
        .map(({ text }) => text)
        .join('; ')
    },
    [t, language],
  )
}

/** Returns, as text, how long ago something began. */
export const sinceText = (since: number | undefined, now: number): string =>
  since === undefined ? '' : relativeTime(since, now)
