import type { PoolCount } from '@kerf/controllers/cluster-view'
import { memo, useMemo } from 'react'
import { routes } from '../cluster/classes.ts'
import { useKept } from '../cluster/use-kept.ts'
import { usePoolCounts } from '../cluster/use-objects.ts'
import { useNodeObjects, useReadable, useReportedNext } from '../cluster/use-reported.ts'
import { NextList } from '../components/next-list.tsx'
import { More, MOST_ROWS, Nothing, Panel } from '../components/panel.tsx'
import { useT } from '../locales/use-t.ts'
import { forecast, type Next } from '../model/forecast.ts'
import { emptyKey } from '../model/list-state.ts'
import { driftBlockers } from '../model/object-blockers.ts'
import { checkReadable, type Readable } from '../model/reported.ts'

const NO_COUNTS: ReadonlyMap<string, PoolCount> = new Map()

const isAboutNodes = ({ subjects }: Next): boolean => subjects.length > 0

interface NextRowsProps {
  readonly rows: readonly Next[]
  readonly readable: Readable
  readonly isKnown: boolean
  readonly isLoading: boolean
  readonly now: number
}

const NextRows = memo(({ rows, readable, isKnown, isLoading, now }: NextRowsProps) => {
  const t = useT()
  return (
    <Panel title={t('next')} to={routes.decisions} toText={t('decisions')}>
      {rows.length === 0 && <Nothing>{t(isKnown ? 'nothingNext' : emptyKey(false, isLoading))}</Nothing>}
      <NextList rows={rows.slice(0, MOST_ROWS)} now={now} readable={readable} />
      <More count={rows.length - MOST_ROWS} to={routes.decisions} />
    </Panel>
  )
})

interface NextProps {
  readonly pools: readonly unknown[]
  readonly claims: readonly unknown[]
  readonly isKnown: boolean
  readonly isLoading: boolean
  readonly now: number
}

/**
 * Used if no row names a pod or a budget by uid. The panel then does not render again when the list of pods changes.
 */
const NONE_READABLE = checkReadable([], [])

/** Shows what happens next, and what blocks it. */
export const NextPanel = memo(({ pools, claims, isKnown, isLoading, now }: NextProps) => {
  const counts = usePoolCounts()
  const report = useReportedNext(now)
  const readable = useReadable()
  const { nodes, pods, budgets } = useNodeObjects()
  const blockersOf = useMemo(() => driftBlockers({ nodes, pods, budgets }), [nodes, pods, budgets])
  const found = useMemo(() => {
    const all = forecast({ pools, claims, counts: counts ?? NO_COUNTS, report, blockersOf }, now)
    // Actions on nodes come first, because budgets also have their own panel.
    return [...all.filter(isAboutNodes), ...all.filter((row) => !isAboutNodes(row))]
  }, [pools, claims, counts, report, blockersOf, now])
  const rows = useKept(found)
  const hasUids = rows.some(({ blocker, isNamed }) => blocker !== undefined && isNamed === undefined)
  return <NextRows {...{ rows, isKnown, isLoading, now }} readable={hasUids ? readable : NONE_READABLE} />
})
