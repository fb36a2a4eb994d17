import { useMemo } from 'react'
import { type DecisionRow, decisionRows, type Scope } from '../model/decisions.ts'
import { isForbidden } from './discovery.ts'
import { liveError, liveItems, type LiveName, useLive } from './live-objects.tsx'

const EVENTS: readonly LiveName[] = ['events']

/** Returns a live list of the autoscaler's decisions in a scope. */
export const useDecisions = (
  scope: Scope,
): { readonly rows: readonly DecisionRow[]; readonly isForbidden: boolean } => {
  const lists = useLive(EVENTS)
  const events = liveItems(lists, 'events')
  const rows = useMemo(() => decisionRows(events, scope), [events, scope])
  const mayNot = isForbidden(liveError(lists, 'events'))
  return useMemo(() => ({ rows, isForbidden: mayNot }), [rows, mayNot])
}
