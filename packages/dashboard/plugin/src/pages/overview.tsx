import type { PoolCount } from '@kerf/controllers/cluster-view'
import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Paper, type Theme, Typography } from '@mui/material'
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { routes } from '../cluster/classes.ts'
import { CalmObjects } from '../cluster/live-objects.tsx'
import { useComputedRefusals } from '../cluster/use-computed-refusals.ts'
import { useDecisions } from '../cluster/use-events.ts'
import { useHistory } from '../cluster/use-history.ts'
import { useLeastCost } from '../cluster/use-least-cost.ts'
import { useAreCountsLoading, useClusterObjects, usePoolCounts, usePoolsAndClaims } from '../cluster/use-objects.ts'
import { usePrices } from '../cluster/use-prices.ts'
import { useNodeObjects, useReadable, useReportedDecisions, useReportedNext } from '../cluster/use-reported.ts'
import { BudgetStrip } from '../components/budget-strip.tsx'
import { budgetNowText } from '../components/budgets-section.tsx'
import { Names, Plot } from '../components/chart-view.tsx'
import { costNote, costText, leastNote, leastText } from '../components/cost-text.ts'
import { EnglishNote } from '../components/english-note.tsx'
import { Guard } from '../components/guard.tsx'
import { PoolLink } from '../components/links.tsx'
import { NextList } from '../components/next-list.tsx'
import { Note } from '../components/note.tsx'
import { ObservingNote } from '../components/observing-note.tsx'
import { Cell, More, MOST_ROWS, Nothing, Panel, PanelList, PanelRow, WHOLE } from '../components/panel.tsx'
import { PrepaidNote } from '../components/prepaid-note.tsx'
import { useNow } from '../components/use-now.ts'
import { useT } from '../locales/use-t.ts'
import { allowancePeriods, netAllowances } from '../model/budgets.ts'
import type { Line } from '../model/charts.ts'
import { newestByPod, type Scope } from '../model/decisions.ts'
import { forecast, type Next } from '../model/forecast.ts'
import { keptList } from '../model/kept-list.ts'
import type { LeastCost } from '../model/least-cost.ts'
import { withLeastCost } from '../model/least-cost-line.ts'
import { emptyKey } from '../model/list-state.ts'
import { driftBlockers } from '../model/object-blockers.ts'
import { type PendingGroup, pendingGroups, workloadCount } from '../model/pending-groups.ts'
import { isPending, pendingPods } from '../model/pending-pods.ts'
import { claimCounts, claimsCost, costIfAsked, nodesByPool } from '../model/price.ts'
import { objectName } from '../model/read.ts'
import { reportedRefusals } from '../model/reported.ts'
import { LastHourPanel } from './overview-last-hour.tsx'
import { PendingPanel } from './overview-pending.tsx'

const EVERYTHING: Scope = { kind: 'cluster' }
const HOUR = 3_600_000
const DAY = 24 * HOUR
/**
 * The text is bold as well as red. The red depends on the theme, because no single red is readable in light and dark
 * themes.
 */
const CLOSED = {
  fontWeight: 'bold',
  color: ({ palette }: Theme) => (palette.mode === 'dark' ? '#ff9c9c' : palette.error.main),
}
const NO_COUNTS: ReadonlyMap<string, PoolCount> = new Map()

const Tile = ({
  title,
  value,
  note,
}: {
  readonly title: string
  readonly value: ReactNode
  readonly note?: ReactNode
}) => (
  <Paper variant="outlined" sx={{ px: 2, py: 1 }}>
    <Typography variant="body2" color="text.secondary">
      {title}
    </Typography>
    <Typography variant="h5" component="p">
      {value}
    </Typography>
    <Typography variant="caption" color="text.secondary">
      {note}
    </Typography>
  </Paper>
)

interface TilesProps {
  /** `undefined` if unknown. */
  readonly claims: readonly unknown[] | undefined
  readonly pending: { readonly pods: number; readonly workloads: number } | undefined
  readonly least: LeastCost | undefined
  /** The resource kinds whose lists are still loading. */
  readonly loading: ReadonlySet<string>
}

/** Shows the cost of the cluster, its lowest possible cost, and the numbers of nodes and pending pods. */
const Tiles = ({ claims, pending, least, loading }: TilesProps) => {
  const t = useT()
  const prices = usePrices()
  const cost = useMemo(() => claims && costIfAsked(claimsCost(claims, prices), prices), [claims, prices])
  const counts = useMemo(() => (claims === undefined ? undefined : claimCounts(claims)), [claims])
  const [areClaimsLoading, arePodsLoading] = [loading.has('claims'), loading.has('pods')]
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(9.5rem, 1fr))', gap: 1.25 }}>
      <Tile
        title={t('cost')}
        value={costText(cost, t, areClaimsLoading || prices.isAsking)}
        note={
          <>
            <Link routeName={routes.metrics}>{costNote(cost, t) || t('metrics')}</Link>
            <PrepaidNote />
          </>
        }
      />
      <Tile
        title={t('lowerBound')}
        value={leastText(least, t, loading.size > 0)}
        note={<Link routeName={routes.nodePools}>{leastNote(least, cost, t)}</Link>}
      />
      <Tile
        title={t('nodes')}
        value={counts?.nodes ?? t(emptyKey(false, areClaimsLoading))}
        note={
          <Link routeName={routes.nodeClaims}>
            {counts === undefined ? t('nodeClaims') : t('claimCounts', { count: counts.claims, ...counts })}
          </Link>
        }
      />
      <Tile
        title={t('pendingPods')}
        value={pending?.pods ?? t(emptyKey(false, arePodsLoading))}
        note={
          <Link routeName={routes.pendingPods}>
            {pending === undefined ? t('pendingPods') : t('ofWorkloads', { count: pending.workloads })}
          </Link>
        }
      />
    </Box>
  )
}

/** The lowest possible costs that were known while a page was open, by cluster. They are kept on other pages. */
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

/** Props of the panel that shows the nodes by pool and capacity type, and the cost of each pool. The most expensive pool comes first. */
interface PoolsProps {
  readonly claims: readonly unknown[] | undefined
  readonly isLoading: boolean
}

const PoolsPanel = memo(({ claims, isLoading }: PoolsProps) => {
  const t = useT()
  const prices = usePrices()
  const rows = useMemo(() => claims && nodesByPool(claims, prices), [claims, prices])
  return (
    <Panel title={t('nodesByPool')} to={routes.nodePools} toText={t('nodePools')}>
      {rows === undefined || rows.length === 0 ? (
        <Nothing>{t(emptyKey(rows !== undefined, isLoading))}</Nothing>
      ) : (
        <PanelList>
          {rows.slice(0, MOST_ROWS).map(({ pool, nodes, cost }) => (
            <PanelRow key={pool} columns="minmax(3rem, 1fr) minmax(4rem, 2fr) minmax(4rem, 7rem)">
              <span title={pool}>
                <PoolLink name={pool || undefined} />
              </span>
              <Cell>{nodes.map(({ capacityType, count }) => `${count} ${capacityType}`).join(' · ')}</Cell>
              <Cell>{costText(costIfAsked(cost, prices), t, prices.isAsking)}</Cell>
            </PanelRow>
          ))}
        </PanelList>
      )}
      <More count={(rows?.length ?? 0) - MOST_ROWS} to={routes.nodePools} />
    </Panel>
  )
})

const isAboutNodes = ({ subjects }: Next): boolean => subjects.length > 0

interface NextProps {
  readonly pools: readonly unknown[]
  readonly claims: readonly unknown[]
  readonly isKnown: boolean
  readonly isLoading: boolean
  readonly now: number
}

const NextPanel = memo(({ pools, claims, isKnown, isLoading, now }: NextProps) => {
  const t = useT()
  const counts = usePoolCounts()
  const report = useReportedNext(now)
  const readable = useReadable()
  const { nodes, pods, budgets } = useNodeObjects()
  const blockersOf = useMemo(() => driftBlockers({ nodes, pods, budgets }), [nodes, pods, budgets])
  const rows = useMemo(() => {
    const all = forecast({ pools, claims, counts: counts ?? NO_COUNTS, report, blockersOf }, now)
    // Actions on nodes come first, because budgets also have their own panel.
    return [...all.filter(isAboutNodes), ...all.filter((row) => !isAboutNodes(row))]
  }, [pools, claims, counts, report, blockersOf, now])
  return (
    <Panel title={t('next')} to={routes.decisions} toText={t('decisions')}>
      {rows.length === 0 && <Nothing>{t(isKnown ? 'nothingNext' : emptyKey(false, isLoading))}</Nothing>}
      <NextList rows={rows.slice(0, MOST_ROWS)} now={now} readable={readable} />
      <More count={rows.length - MOST_ROWS} to={routes.decisions} />
    </Panel>
  )
})

/**
 * Props of the panel that shows, for each NodePool, how many disruptions its budgets allow in the next 24 hours, and how many nodes may be
 * disrupted now.
 */
interface BudgetProps {
  readonly pools: readonly unknown[]
  readonly areKnown: boolean
  readonly isLoading: boolean
  readonly now: number
}

const BudgetPanel = memo(({ pools, areKnown, isLoading, now }: BudgetProps) => {
  const t = useT()
  const counts = usePoolCounts()
  const areCountsLoading = useAreCountsLoading()
  // The panel's strips are computed again once a minute, not on each render.
  const minute = Math.floor(now / 60_000) * 60_000
  const strips = useMemo(
    () =>
      pools.map((pool) => {
        const count = counts?.get(objectName(pool))
        const periods = allowancePeriods(pool, Math.max(1, count?.total ?? 1), minute, minute + DAY)
        return {
          pool: objectName(pool),
          periods,
          net: counts && netAllowances(pool, count ?? { total: 0, disrupting: 0 }, minute),
          total: count?.total ?? 0,
        }
      }),
    [pools, counts, minute],
  )
  return (
    <Panel title={t('budgetsOfDay')} to={routes.nodePools} toText={t('nodePools')}>
      {strips.length === 0 && <Nothing>{t(emptyKey(areKnown, isLoading))}</Nothing>}
      <PanelList>
        {strips.slice(0, MOST_ROWS).map(({ pool, periods, net, total }) => (
          <PanelRow key={pool} columns="minmax(3rem, 1fr) minmax(3rem, 1fr) minmax(4rem, 2.8fr)">
            <span title={pool}>
              <PoolLink name={pool} />
            </span>
            <BudgetStrip pool={pool} periods={periods} now={now} />
            <Box component="span">
              {net === undefined
                ? t(emptyKey(false, areCountsLoading))
                : net.map((each) => (
                    <Box
                      key={each.reasons.join()}
                      component="span"
                      sx={{
                        ...WHOLE,
                        display: 'block',
                        ...(each.allowed === 0 && total > 0 ? CLOSED : {}),
                      }}
                    >
                      {budgetNowText(each, net.length > 1, total, now, t)}
                    </Box>
                  ))}
            </Box>
          </PanelRow>
        ))}
      </PanelList>
      <More count={strips.length - MOST_ROWS} to={routes.nodePools} />
    </Panel>
  )
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
  const groups = useMemo(
    () =>
      pendingGroups(pendingPods(waiting, newestByPod(decisions.rows), reportedRefusals(reported, waiting), computed)),
    [waiting, decisions.rows, reported, computed],
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
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2 }}>
        <Typography variant="h6" component="h1">
          {t('overview')}
        </Typography>
        <EnglishNote />
      </Box>
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
