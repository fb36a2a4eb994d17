import { useMemo } from 'react'
import { type DecisionRow, decisionRows, type Scope } from '../model/decisions.ts'
import { type AnyObject, Event } from './classes.ts'
import { isForbidden } from './discovery.ts'

/** What the autoscaler reports about a scope, live. */
export const useDecisions = (
  scope: Scope,
): { readonly rows: readonly DecisionRow[]; readonly isForbidden: boolean } => {
  const { items, error } = Event.useList() as { readonly items: AnyObject[] | null; readonly error?: unknown }
  const rows = useMemo(
    () =>
      decisionRows(
        (items ?? []).map(({ jsonData }) => jsonData),
        scope,
      ),
    [items, scope],
  )
  return { rows, isForbidden: isForbidden(error) }
}
