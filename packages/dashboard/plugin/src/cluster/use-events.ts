import { useMemo } from 'react'
import { type DecisionRow, decisionRows, type Scope } from '../model/decisions.ts'
import { isForbidden } from './discovery.ts'
import { bareOf, errorOf, type LiveName, useLive } from './live-objects.tsx'

const EVENTS: readonly LiveName[] = ['events']

/** Returns a live list of the autoscaler's decisions in a scope. */
export const useDecisions = (
  scope: Scope,
): { readonly rows: readonly DecisionRow[]; readonly isForbidden: boolean } => {
  const lists = useLive(EVENTS)
  const events = bareOf(lists, 'events')
  const rows = useMemo(() => decisionRows(events, scope), [events, scope])
  const mayNot = isForbidden(errorOf(lists, 'events'))
  return useMemo(() => ({ rows, isForbidden: mayNot }), [rows, mayNot])
}
