import { memo, useMemo } from 'react'
import { useReportedObserved } from '../cluster/use-reported.ts'
import { useT } from '../locales/use-t.ts'
import type { DecisionRow } from '../model/decisions.ts'
import { observingState } from '../model/observing.ts'
import { Note } from './note.tsx'

interface Observed {
  readonly rows: readonly DecisionRow[]
  readonly pools: readonly unknown[]
  readonly now: number
}

/**
 * Shows a note if the controller, a second controller or a NodePool only observes, because the decisions on the page
 * were then not carried out. Otherwise shows nothing.
 */
export const ObservingNote = memo(({ rows, pools, now }: Observed) => {
  const t = useT()
  const answer = useReportedObserved(now)
  const observing = useMemo(() => observingState(answer, rows, pools), [answer, rows, pools])
  return (
    <>
      {observing.controller && <Note>{t('observesAll', { count: observing.controller.decisions })}</Note>}
      {observing.isBeside && <Note>{t('observesBeside')}</Note>}
      {observing.pools.length > 0 && <Note>{t('observesPools', { pools: observing.pools.join(', ') })}</Note>}
    </>
  )
})
