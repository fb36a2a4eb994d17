import type { PoolCount } from '@kerf/controllers/cluster-view'
import { Link, SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Paper, Typography } from '@mui/material'
import { type ReactNode, useMemo } from 'react'
import { routes } from '../cluster/classes.ts'
import { useDecisions } from '../cluster/use-events.ts'
import { useLeastCost } from '../cluster/use-least-cost.ts'
import { useClusterObjects, usePoolCounts } from '../cluster/use-objects.ts'
import { useT } from '../locales/use-t.ts'
import { type NetAllowance, netAllowances } from '../model/budgets.ts'
import { newestByPod, type Scope } from '../model/decisions.ts'
import { forecast, type Next } from '../model/forecast.ts'
import type { LeastCost } from '../model/least-cost.ts'
import { type PendingPod, pendingPods } from '../model/pending-pods.ts'
import { claimCounts, costOf } from '../model/price.ts'
import { nameOf } from '../model/read.ts'
import { leftText, reasonsText } from '../parts/budgets-section.tsx'
import { costNote, costText, leastNote, leastText } from '../parts/cost-text.ts'
import { Guard } from '../parts/guard.tsx'
import { ClaimLink, PodLink, PoolLink } from '../parts/links.tsx'
import { Note } from '../parts/note.tsx'
import { Age, momentText, relativeTime } from '../parts/show-time.tsx'
import { useNow } from '../parts/use-now.ts'

const EVERYTHING: Scope = { kind: 'cluster' }

const Tile = ({
  title,
  value,
  note,
}: {
  readonly title: string
  readonly value: ReactNode
  readonly note?: ReactNode
}) => (
  <Paper variant="outlined" sx={{ p: 2, flex: '1 1 11rem' }}>
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
  /** `undefined`: not known. */
  readonly claims: readonly unknown[] | undefined
  readonly pending: number | undefined
  readonly least: LeastCost | undefined
}

/** What the cluster costs, what it could cost at the least, how many nodes there are and how many pods are pending. */
const Tiles = ({ claims, pending, least }: TilesProps) => {
  const t = useT()
  const cost = useMemo(() => (claims === undefined ? undefined : costOf(claims)), [claims])
  const counts = useMemo(() => (claims === undefined ? undefined : claimCounts(claims)), [claims])
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, py: 1 }}>
      <Tile title={t('cost')} value={costText(cost, t)} note={costNote(cost, t)} />
      <Tile title={t('lowerBound')} value={leastText(least, t)} note={leastNote(least, cost, t)} />
      <Tile
        title={t('nodes')}
        value={counts?.nodes ?? t('notKnown')}
        note={
          <Link routeName={routes.nodeClaims}>
            {counts === undefined ? t('nodeClaims') : t('claimCounts', { count: counts.claims, ...counts })}
          </Link>
        }
      />
      <Tile
        title={t('pendingPods')}
        value={pending ?? t('notKnown')}
        note={<Link routeName={routes.pendingPods}>{t('pendingPods')}</Link>}
      />
    </Box>
  )
}

const PendingSection = ({ pods }: { readonly pods: readonly PendingPod[] | undefined }) => {
  const t = useT()
  return (
    <SectionBox title={t('pendingPods')}>
      <SimpleTable
        emptyMessage={pods === undefined ? t('notKnown') : t('nothingPending')}
        columns={[
          { label: t('name'), getter: (row: PendingPod) => <PodLink name={row.name} namespace={row.namespace} /> },
          { label: t('namespace'), getter: ({ namespace }: PendingPod) => namespace },
          { label: t('why'), getter: ({ message, reason }: PendingPod) => message || reason },
          { label: t('pendingFor'), getter: ({ since }: PendingPod) => <Age of={since} /> },
        ]}
        data={pods?.slice(0, 8) ?? []}
      />
    </SectionBox>
  )
}

interface AtTime {
  readonly pools: readonly unknown[]
  readonly claims: readonly unknown[]
  readonly counts: ReadonlyMap<string, PoolCount> | undefined
  readonly now: number
}

const NO_COUNTS: ReadonlyMap<string, PoolCount> = new Map()

const NextSection = ({ pools, claims, counts, now, isKnown }: AtTime & { readonly isKnown: boolean }) => {
  const t = useT()
  const next = useMemo(() => forecast(pools, claims, counts ?? NO_COUNTS, now), [pools, claims, counts, now])
  const detailOf = ({ kind, detail, until }: Next): string => {
    if (kind === 'disruption-stops') return until === undefined ? '' : t('untilTime', { time: momentText(until, now) })
    if (kind !== 'budget-changes' && kind !== 'disruption-resumes') return detail
    return detail === '' ? t('noLimit') : t('budget.mostAlways', { nodes: detail })
  }
  return (
    <SectionBox title={t('next')}>
      <SimpleTable
        emptyMessage={t(isKnown ? 'nothingNext' : 'notKnown')}
        columns={[
          { label: t('what'), getter: ({ kind }: Next) => t(`next.${kind}`) },
          { label: t('name'), getter: ({ subject }: Next) => (subject === '' ? '' : <ClaimLink name={subject} />) },
          { label: t('nodePool'), getter: ({ pool }: Next) => <PoolLink name={pool || undefined} /> },
          { label: t('reason'), getter: detailOf },
          { label: t('time'), getter: ({ at }: Next) => (at === undefined ? t('now') : relativeTime(at, now)) },
        ]}
        data={next.slice(0, 12)}
      />
    </SectionBox>
  )
}

interface PoolBudget {
  readonly pool: string
  readonly net: NetAllowance
}

/** What the budgets of each NodePool together allow now. */
const AllBudgets = ({ pools, counts, now }: Omit<AtTime, 'claims'>) => {
  const t = useT()
  const budgets = useMemo(
    () =>
      pools.flatMap((pool): readonly PoolBudget[] =>
        counts === undefined
          ? []
          : netAllowances(pool, counts.get(nameOf(pool)) ?? { total: 0, disrupting: 0 }, now).map((net) => ({
              pool: nameOf(pool),
              net,
            })),
      ),
    [pools, counts, now],
  )
  return (
    <SectionBox title={t('budgets')}>
      <SimpleTable
        emptyMessage={counts === undefined ? t('notKnown') : t('none')}
        columns={[
          { label: t('nodePool'), getter: ({ pool }: PoolBudget) => <PoolLink name={pool} /> },
          { label: t('reasons'), getter: ({ net }: PoolBudget) => reasonsText(net.reasons, t) },
          { label: t('mayGoNow'), getter: ({ net }: PoolBudget) => leftText(net, now, t) },
          { label: t('allowedAtOnce'), getter: ({ net }: PoolBudget) => net.allowed ?? t('noLimit') },
          { label: t('goingNow'), getter: ({ net }: PoolBudget) => net.disrupting },
        ]}
        data={budgets}
      />
    </SectionBox>
  )
}

const Page = () => {
  const t = useT()
  const now = useNow(5_000)
  const loaded = useClusterObjects()
  const { objects, forbidden, notKnown } = loaded
  const { pools, claims, pods } = objects
  const { rows: decisions } = useDecisions(EVERYTHING)
  const pending = useMemo(() => pendingPods(pods, newestByPod(decisions)), [pods, decisions])
  const least = useLeastCost(loaded)
  const counts = usePoolCounts()
  return (
    <>
      <SectionBox title={t('overview')}>
        {forbidden.length > 0 && <Note tone="warning">{t('forbidden', { what: forbidden.join(', ') })}</Note>}
        <Tiles
          claims={notKnown.has('claims') ? undefined : claims}
          pending={notKnown.has('pods') ? undefined : pending.length}
          least={least}
        />
      </SectionBox>
      <PendingSection pods={notKnown.has('pods') ? undefined : pending} />
      <NextSection
        pools={pools}
        claims={claims}
        counts={counts}
        now={now}
        isKnown={!notKnown.has('claims') && !notKnown.has('pools')}
      />
      <AllBudgets pools={pools} counts={counts} now={now} />
    </>
  )
}

export const OverviewPage = () => (
  <Guard>
    <Page />
  </Guard>
)
