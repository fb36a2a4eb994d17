import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { Box, Typography } from '@mui/material'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { routes } from '../cluster/classes.ts'
import { CalmObjects } from '../cluster/live-objects.tsx'
import { useComputedRefusals } from '../cluster/use-computed-refusals.ts'
import { useDecisions } from '../cluster/use-events.ts'
import { useHistory } from '../cluster/use-history.ts'
import { useKept } from '../cluster/use-kept.ts'
import { useLeastCost } from '../cluster/use-least-cost.ts'
import { useClusterObjects, usePoolsAndClaims } from '../cluster/use-objects.ts'
import { usePrices } from '../cluster/use-prices.ts'
import { useReportedDecisions } from '../cluster/use-reported.ts'
import { Names, Plot } from '../components/chart-view.tsx'
import { costText } from '../components/cost-text.ts'
import { EnglishNote } from '../components/english-note.tsx'
import { Guard } from '../components/guard.tsx'
import { PoolLink } from '../components/links.tsx'
import { Note } from '../components/note.tsx'
import { ObservingNote } from '../components/observing-note.tsx'
import { Cell, More, MOST_ROWS, NameCell, Nothing, Panel, PanelList, PanelRow, TallCell } from '../components/panel.tsx'
import { useNow } from '../components/use-now.ts'
import { useT } from '../locales/use-t.ts'
import type { Line } from '../model/charts.ts'
import { newestByPod, type Scope } from '../model/decisions.ts'
import { keptList } from '../model/kept-list.ts'
import type { LeastCost } from '../model/least-cost.ts'
import { withLeastCost } from '../model/least-cost-line.ts'
import { emptyKey } from '../model/list-state.ts'
import { type PendingGroup, pendingGroups, workloadCount } from '../model/pending-groups.ts'
import { isPending, pendingPods } from '../model/pending-pods.ts'
import { costIfAsked, nodesByPool, type PoolNodes } from '../model/price.ts'
import type { Prices } from '../model/prices.ts'
import { reportedRefusals } from '../model/reported.ts'
import { BudgetPanel } from './overview-budgets.tsx'
import { LastHourPanel } from './overview-last-hour.tsx'
import { NextPanel } from './overview-next.tsx'
import { PendingPanel } from './overview-pending.tsx'
import { Tiles } from './overview-tiles.tsx'

const EVERYTHING: Scope = { kind: 'cluster' }
const HOUR = 3_600_000
const DAY = 24 * HOUR

/**
 * The lowest possible costs so far, by cluster, each with the time at which it was computed. They remain when the user
 * opens another page.
 */
const floors = new Map<string, Line['points']>()

/** Returns the lowest possible costs with the times at which they were known. */
const useFloor = (least: LeastCost | undefined): Line['points'] => {
  const cluster = K8s.useCluster() ?? ''
  const [points, setPoints] = useState<Line['points']>(() => floors.get(cluster) ?? [])
  useEffect(() => {
    if (least?.kind !== 'known') return
    const all = withLeastCost(floors.get(cluster) ?? [], Date.now(), least.cost)
    floors.set(cluster, all)
    setPoints(all)
  }, [cluster, least])
  return points
}

/**
 * Shows the cost over the last day from the controller's history, and the lowest possible cost of the current pods.
 */
const CostPanel = memo(({ least, now }: { readonly least: LeastCost | undefined; readonly now: number }) => {
  const t = useT()
  const history = useHistory(undefined)
  const name = t('cost')
  const bound = t('lowerBound')
  const floor = useFloor(least)
  const lines = useMemo(() => {
    if (history === 'asking' || history === undefined) return []
    const sums = new Map<number, number>()
    for (const { points } of history.lines('cost', now - DAY))
      for (const { time, value } of points) sums.set(time, (sums.get(time) ?? 0) + value)
    const points = Array.from(sums, ([time, value]) => ({ time, value })).sort((a, b) => a.time - b.time)
    if (points.length === 0) return []
    return [{ name, points }, ...(floor.length > 0 ? [{ name: bound, points: floor }] : [])]
  }, [history, floor, now, name, bound])
  return (
    <Panel title={t('costOfDay')} to={routes.metrics} toText={t('metrics')}>
      {lines.length === 0 ? (
        <Nothing>{history === 'asking' ? t('loading') : t(history === undefined ? 'noHistory' : 'noValues')}</Nothing>
      ) : (
        <>
          <Plot title={t('costOfDay')} unit="usdPerHour" lines={lines} height={130} hasBrush={false} />
          <Names unit="usdPerHour" lines={lines} width="14rem" />
        </>
      )}
    </Panel>
  )
})

interface PoolRowsProps {
  readonly rows: readonly PoolNodes[] | undefined
  readonly prices: Prices
  readonly isLoading: boolean
}

const PoolRows = memo(({ rows, prices, isLoading }: PoolRowsProps) => {
  const t = useT()
  return (
    <Panel title={t('nodesByPool')} to={routes.nodePools} toText={t('nodePools')}>
      {rows === undefined || rows.length === 0 ? (
        <Nothing>{t(emptyKey(rows !== undefined, isLoading))}</Nothing>
      ) : (
        <PanelList>
          {rows.slice(0, MOST_ROWS).map(({ pool, nodes, cost }) => (
            <PanelRow key={pool} columns="minmax(3rem, 1fr) minmax(4rem, 2fr) minmax(4rem, 9rem)">
              <NameCell title={pool}>
                <PoolLink name={pool || undefined} />
              </NameCell>
              <Cell>{nodes.map(({ capacityType, count }) => `${count} ${capacityType}`).join(' · ')}</Cell>
              <TallCell>{costText(costIfAsked(cost, prices), t, prices.isAsking)}</TallCell>
            </PanelRow>
          ))}
        </PanelList>
      )}
      <More count={(rows?.length ?? 0) - MOST_ROWS} to={routes.nodePools} />
    </Panel>
  )
})

/** Props of the panel that shows the nodes by pool and capacity type, and the cost of each pool. The most expensive pool comes first. */
interface PoolsProps {
  readonly claims: readonly unknown[] | undefined
  readonly isLoading: boolean
}

const PoolsPanel = memo(({ claims, isLoading }: PoolsProps) => {
  const prices = usePrices()
  const rows = useKept(useMemo(() => claims && nodesByPool(claims, prices), [claims, prices]))
  return <PoolRows rows={rows} prices={prices} isLoading={isLoading} />
})

interface PanelsProps {
  readonly least: LeastCost | undefined
  readonly groups: readonly PendingGroup[] | undefined
  readonly arePodsLoading: boolean
  readonly now: number
}

/** The less urgent panels. They read the lists less often than the tiles do. */
const Panels = memo(({ least, groups, arePodsLoading, now }: PanelsProps) => {
  const { pools, claims, arePoolsKnown, areClaimsKnown, isLoading } = usePoolsAndClaims()
  const decisions = useDecisions(EVERYTHING)
  const knownClaims = areClaimsKnown ? claims : undefined
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { lg: 'minmax(0, 1fr) minmax(0, 1fr)' }, gap: 1.25 }}>
      <CostPanel least={least} now={now} />
      <LastHourPanel decisions={decisions} pools={pools} claims={knownClaims} isLoading={isLoading} now={now} />
      <PendingPanel groups={groups} isLoading={arePodsLoading} now={now} />
      <NextPanel {...{ pools, claims, isLoading, now }} isKnown={areClaimsKnown && arePoolsKnown} />
      <PoolsPanel claims={knownClaims} isLoading={isLoading} />
      <BudgetPanel {...{ pools, isLoading, now }} areKnown={arePoolsKnown} />
    </Box>
  )
})

const Title = memo(() => {
  const t = useT()
  return (
    <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2 }}>
      <Typography variant="h6" component="h1">
        {t('overview')}
      </Typography>
      <EnglishNote />
    </Box>
  )
})

const Page = () => {
  const t = useT()
  const now = useNow(10_000)
  const loaded = useClusterObjects()
  const { objects, forbidden, notKnown } = loaded
  const { pools, claims, pods } = objects
  const decisions = useDecisions(EVERYTHING)
  const reported = useReportedDecisions(now)
  const before = useRef<readonly unknown[]>([])
  const waiting = useMemo(() => {
    before.current = keptList(before.current, pods.filter(isPending))
    return before.current
  }, [pods])
  const computed = useComputedRefusals(waiting.length > 0)
  // Most Events are not about pending pods. They do not change `newest`, so the groups are not computed again.
  const newest = useKept(useMemo(() => newestByPod(decisions.rows), [decisions.rows]))
  const groups = useKept(
    useMemo(
      () => pendingGroups(pendingPods(waiting, newest, reportedRefusals(reported, waiting), computed)),
      [waiting, newest, reported, computed],
    ),
  )
  const least = useLeastCost(loaded)
  const knownClaims = notKnown.has('claims') ? undefined : claims
  const knownGroups = notKnown.has('pods') ? undefined : groups
  const pending = knownGroups && {
    pods: knownGroups.reduce((sum, group) => sum + group.pods.length, 0),
    workloads: workloadCount(knownGroups),
  }
  return (
    <Box sx={{ display: 'grid', gap: 1.25, py: 1 }}>
      <Title />
      {forbidden.length > 0 && <Note tone="warning">{t('forbidden', { what: forbidden.join(', ') })}</Note>}
      <ObservingNote rows={decisions.rows} pools={pools} now={now} />
      <Tiles claims={knownClaims} pending={pending} least={least} loading={loaded.loading} />
      <CalmObjects>
        <Panels least={least} groups={knownGroups} arePodsLoading={loaded.loading.has('pods')} now={now} />
      </CalmObjects>
    </Box>
  )
}

export const OverviewPage = () => (
  <Guard>
    <Page />
  </Guard>
)
