import { Link, SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Typography } from '@mui/material'
import { useMemo } from 'react'
import { routes } from '../cluster/classes.ts'
import { CalmObjects } from '../cluster/live-objects.tsx'
import { useLeastPlan } from '../cluster/use-least-cost.ts'
import { useClusterObjects } from '../cluster/use-objects.ts'
import { usePrices } from '../cluster/use-prices.ts'
import { Charts } from '../components/charts.tsx'
import { costText } from '../components/cost-text.ts'
import { Guard } from '../components/guard.tsx'
import { PlannedText, planText } from '../components/least-plan-text.tsx'
import { NodeLink, PoolLink } from '../components/links.tsx'
import { Note } from '../components/note.tsx'
import { Nothing } from '../components/panel.tsx'
import { ShortText } from '../components/short-text.tsx'
import { UsageBar } from '../components/usage-bar.tsx'
import { isBroadEnough, useBreadth } from '../components/use-breadth.ts'
import { useFullness } from '../components/use-fullness.ts'
import { useT } from '../locales/use-t.ts'
import { controllerCharts } from '../model/controller-charts.ts'
import type { Fullness } from '../model/fullness.ts'
import { FULLNESS_RESOURCES, requestedShare } from '../model/fullness.ts'
import { type NodeRow, nodeRows, type PoolRow, poolRows } from '../model/fullness-rows.ts'
import type { LeastPlan } from '../model/least-plan.ts'
import { emptyKey } from '../model/list-state.ts'
import { showPrice } from '../model/price.ts'

/** The number of nodes that the page shows. The list of NodeClaims has all of them. */
const MOST_NODES = 20
const CHARTS = controllerCharts.map(({ id }) => id)

const Requested = ({ fullness, resource }: { readonly fullness: Fullness; readonly resource: 'cpu' | 'memory' }) => (
  <UsageBar
    color="primary"
    usage={{
      resource,
      used: fullness.requested[resource],
      limit: fullness.allocatable[resource],
      share: requestedShare(fullness, resource),
    }}
  />
)

const Short = ({ name, of }: { readonly name: string; readonly of: 'node' | 'pool' }) => (
  <ShortText text={name}>{of === 'node' ? <NodeLink name={name} /> : <PoolLink name={name} />}</ShortText>
)

const useRequestedColumns = () => {
  const t = useT()
  return FULLNESS_RESOURCES.map((resource) => ({
    label: t(resource === 'cpu' ? 'cpuRequested' : 'memoryRequested'),
    getter: ({ fullness }: { readonly fullness: Fullness }) => <Requested fullness={fullness} resource={resource} />,
  }))
}

const Pools = ({ rows, plan }: { readonly rows: readonly PoolRow[]; readonly plan: LeastPlan | undefined }) => {
  const t = useT()
  const isBroad = isBroadEnough(useBreadth(), 'middle')
  const requested = useRequestedColumns()
  const { isAsking } = usePrices()
  return (
    <SimpleTable
      columns={[
        { label: t('nodePool'), getter: ({ pool }: PoolRow) => <Short name={pool} of="pool" /> },
        ...(isBroad ? [{ label: t('nodes'), getter: ({ nodes }: PoolRow) => String(nodes) }] : []),
        ...requested,
        ...(isBroad ? [{ label: t('cost'), getter: ({ cost }: PoolRow) => costText(cost, t, isAsking) }] : []),
        { label: t('leastPlan'), getter: ({ pool }: PoolRow) => <PlannedText plan={plan} pool={pool} /> },
      ]}
      data={rows as PoolRow[]}
    />
  )
}

const Nodes = ({ rows }: { readonly rows: readonly NodeRow[] }) => {
  const t = useT()
  const isBroad = isBroadEnough(useBreadth(), 'middle')
  const requested = useRequestedColumns()
  return (
    <>
      <SimpleTable
        columns={[
          {
            label: t('node'),
            gridTemplate: 'minmax(min-content, 2fr)',
            getter: ({ node }: NodeRow) => <Short name={node} of="node" />,
          },
          { label: t('nodePool'), getter: ({ pool }: NodeRow) => <Short name={pool} of="pool" /> },
          ...(isBroad ? [{ label: t('instanceType'), getter: ({ instanceType }: NodeRow) => instanceType }] : []),
          ...requested,
          ...(isBroad
            ? [
                {
                  label: t('price'),
                  getter: ({ price }: NodeRow) => (price === undefined ? t('notKnown') : showPrice(price)),
                },
              ]
            : []),
        ]}
        data={rows.slice(0, MOST_NODES) as NodeRow[]}
      />
      {rows.length > MOST_NODES && (
        <Nothing>
          <Link routeName={routes.nodeClaims}>{t('andMore', { count: rows.length - MOST_NODES })}</Link>
        </Nothing>
      )}
    </>
  )
}

const Page = () => {
  const t = useT()
  const loaded = useClusterObjects()
  const { objects, forbidden, notKnown, areAllPods, isLoading } = loaded
  const { nodes, claims } = objects
  const fullness = useFullness()
  const plan = useLeastPlan(loaded)
  const prices = usePrices()
  const knownClaims = notKnown.has('claims') ? undefined : claims
  const pools = useMemo(
    () => (fullness === undefined ? [] : poolRows(fullness, nodes, knownClaims, prices)),
    [fullness, nodes, knownClaims, prices],
  )
  const emptiest = useMemo(
    () => (fullness === undefined ? [] : nodeRows(fullness, nodes, knownClaims, prices)),
    [fullness, nodes, knownClaims, prices],
  )
  const none = <Nothing>{t(emptyKey(fullness !== undefined, isLoading))}</Nothing>
  const areNodesListed = !notKnown.has('nodes')
  return (
    <>
      {forbidden.length > 0 && <Note tone="warning">{t('forbidden', { what: forbidden.join(', ') })}</Note>}
      {!isLoading && areNodesListed && !areAllPods && <Note tone="warning">{t('fullnessNeedsAllPods')}</Note>}
      <SectionBox title={t('fullnessByPool')}>
        <Typography role="status" sx={{ py: 1 }}>
          {planText(plan, t, isLoading)}
        </Typography>
        {plan?.kind === 'known' && plan.isOfSeenTypes === true && <Note>{t('seenOnly')}</Note>}
        {pools.length === 0 ? none : <Pools rows={pools} plan={plan} />}
        <Typography variant="caption" color="text.secondary">
          {t('leastPlanHelp')}
        </Typography>
      </SectionBox>
      <SectionBox title={t('emptiestNodes')}>{emptiest.length === 0 ? none : <Nodes rows={emptiest} />}</SectionBox>
    </>
  )
}

/** Shows how full the nodes are, what the plan of lowest cost would save, and charts of the cloud and of the controller's work. */
export const FullnessPage = () => {
  const t = useT()
  return (
    <Guard>
      <Box sx={{ minWidth: 0 }}>
        <SectionBox title={t('fullness')} />
        <CalmObjects>
          <Page />
        </CalmObjects>
        <SectionBox title={t('cloudAndController')}>
          <Charts startWith="poolRange" only={CHARTS} />
        </SectionBox>
      </Box>
    </Guard>
  )
}
