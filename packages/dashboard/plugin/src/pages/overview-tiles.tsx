import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Paper, Typography } from '@mui/material'
import { memo, useMemo } from 'react'
import { routes } from '../cluster/classes.ts'
import { usePrices } from '../cluster/use-prices.ts'
import { costNote, costText, leastNote, leastText } from '../components/cost-text.ts'
import { PrepaidNote } from '../components/prepaid-note.tsx'
import { useT } from '../locales/use-t.ts'
import type { LeastCost } from '../model/least-cost.ts'
import { emptyKey } from '../model/list-state.ts'
import { claimCounts, claimsCost, costIfAsked } from '../model/price.ts'

interface TileProps {
  readonly title: string
  readonly value: string | number
  /** The text of the link below the value, and the route that it leads to. */
  readonly note: string
  readonly to: string
  /** Set if the value is a cost at the prices of the cloud. */
  readonly isCost?: true
}

/** Shows a number. React renders it again only if one of its texts has changed. */
const Tile = memo(({ title, value, note, to, isCost }: TileProps) => (
  <Paper variant="outlined" sx={{ px: 2, py: 1 }}>
    <Typography variant="body2" color="text.secondary">
      {title}
    </Typography>
    <Typography variant="h5" component="p">
      {value}
    </Typography>
    <Typography variant="caption" color="text.secondary">
      <Link routeName={to}>{note}</Link>
      {isCost && <PrepaidNote />}
    </Typography>
  </Paper>
))

interface TilesProps {
  /** `undefined` if unknown. */
  readonly claims: readonly unknown[] | undefined
  readonly pending: { readonly pods: number; readonly workloads: number } | undefined
  readonly least: LeastCost | undefined
  /** The resource kinds whose lists are still loading. */
  readonly loading: ReadonlySet<string>
}

/** Shows the cost of the cluster, its lowest possible cost, and the numbers of nodes and pending pods. */
export const Tiles = ({ claims, pending, least, loading }: TilesProps) => {
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
        note={costNote(cost, t) || t('metrics')}
        to={routes.metrics}
        isCost
      />
      <Tile
        title={t('lowerBound')}
        value={leastText(least, t, loading.size > 0)}
        note={leastNote(least, cost, t)}
        to={routes.nodePools}
      />
      <Tile
        title={t('nodes')}
        value={counts?.nodes ?? t(emptyKey(false, areClaimsLoading))}
        note={counts === undefined ? t('nodeClaims') : t('claimCounts', { count: counts.claims, ...counts })}
        to={routes.nodeClaims}
      />
      <Tile
        title={t('pendingPods')}
        value={pending?.pods ?? t(emptyKey(false, arePodsLoading))}
        note={pending === undefined ? t('pendingPods') : t('ofWorkloads', { count: pending.workloads })}
        to={routes.pendingPods}
      />
    </Box>
  )
}
