import { useMemo } from 'react'
import { type AnyObject, NodeClaim, NodePool } from '../cluster/classes.ts'
import { useKindList } from '../cluster/use-list.ts'
import { usePrices } from '../cluster/use-prices.ts'
import { costText } from '../components/cost-text.ts'
import { fullnessOrder, FullnessText } from '../components/fullness-text.tsx'
import { Guard } from '../components/guard.tsx'
import { ClassLink, PoolLink } from '../components/links.tsx'
import { OurTable } from '../components/our-table.tsx'
import { NameText, ShortText } from '../components/short-text.tsx'
import { ReadyChip, readyCodeText } from '../components/status-chip.tsx'
import { UsageBar } from '../components/usage-bar.tsx'
import { useFullness } from '../components/use-fullness.ts'
import { useT } from '../locales/use-t.ts'
import { poolUsage } from '../model/amounts.ts'
import { isTrue } from '../model/conditions.ts'
import { poolNodeClassRef } from '../model/node-class-kinds.ts'
import { claimCounts, claimsCost, type Cost, costIfAsked } from '../model/price.ts'
import type { Prices } from '../model/prices.ts'
import { numberAt, objectLabel } from '../model/read.ts'
import { readyStatus } from '../model/status.ts'

const usage = (resource: string) => {
  const of = (pool: AnyObject) => poolUsage(pool.jsonData).find((each) => each.resource === resource)
  return {
    getValue: (pool: AnyObject) => Number(of(pool)?.used ?? 0n) / 1e9,
    render: (pool: AnyObject) => {
      const found = of(pool)
      return found === undefined ? null : <UsageBar usage={found} />
    },
  }
}
const poolWeight = (pool: AnyObject): number => numberAt(pool.jsonData, 'spec', 'weight') ?? 0

/**
 * Returns the number by which pools are sorted: the sum of the known prices, plus a tiny amount for each unknown price.
 * The cell also shows how many prices are unknown, so pools whose cells differ must have different numbers.
 */
const costOrder = (cost: Cost | undefined): number => (cost === undefined ? -1 : cost.total + cost.unknown * 1e-9)

/** Facts about a pool that come from its NodeClaims. */
interface PoolFacts {
  readonly nodes: number
  readonly drifted: number
  /** Absent while prices are being requested. */
  readonly cost: Cost | undefined
}
const NO_CLAIMS: PoolFacts = { nodes: 0, drifted: 0, cost: { total: 0, instances: 0, unknown: 0 } }

/** Returns the facts of each pool, keyed by the name of the cluster and of the pool. */
const factsByPool = (claims: readonly AnyObject[], prices: Prices): ReadonlyMap<string, PoolFacts> => {
  const groups = Map.groupBy(
    claims,
    ({ jsonData, cluster }) => `${cluster}/${objectLabel(jsonData, 'karpenter.sh/nodepool') ?? ''}`,
  )
  return new Map(
    Array.from(groups, ([key, own]) => {
      const objects: readonly unknown[] = own.map(({ jsonData }) => jsonData)
      const drifted = objects.filter((claim) => isTrue(claim, 'Drifted')).length
      return [
        key,
        { nodes: claimCounts(objects).nodes, drifted, cost: costIfAsked(claimsCost(objects, prices), prices) },
      ]
    }),
  )
}

const List = () => {
  const t = useT()
  // Use Headlamp's own list, as the rows do. If several clusters are selected, each object in it has a field for its
  // cluster.
  const { items: claims } = useKindList(NodeClaim)
  const prices = usePrices()
  const byPool = useMemo(() => (claims === null ? undefined : factsByPool(claims, prices)), [claims, prices])
  const fullness = useFullness()
  const changes = useMemo(() => ({ byPool, fullness }), [byPool, fullness])
  const poolFacts = (pool: AnyObject): PoolFacts | undefined =>
    byPool && (byPool.get(`${pool.cluster}/${pool.getName()}`) ?? NO_CLAIMS)
  return (
    <OurTable
      id="kerf-nodepools"
      title={t('nodePools')}
      resourceClass={NodePool}
      changesWith={changes}
      columns={[
        {
          id: 'name',
          label: t('name'),
          isName: true,
          getValue: (pool: AnyObject) => pool.getName(),
          render: (pool: AnyObject) => (
            <NameText text={pool.getName()}>
              <PoolLink name={pool.getName()} />
            </NameText>
          ),
        },
        {
          id: 'status',
          label: t('status'),
          isNarrow: true,
          getValue: (pool: AnyObject) => t(`status.${readyStatus(pool.jsonData).code}`),
          render: (pool: AnyObject) => <ReadyChip object={pool.jsonData} />,
          filter: {
            of: (pool) => [readyStatus(pool.jsonData).code],
            toText: (code) => readyCodeText(code, t),
          },
        },
        {
          id: 'nodes',
          label: t('nodes'),
          isNarrow: true,
          getValue: (pool: AnyObject) => poolFacts(pool)?.nodes ?? '–',
        },
        { id: 'cpu', label: t('cpu'), ...usage('cpu') },
        { id: 'memory', label: t('memory'), ...usage('memory') },
        {
          id: 'class',
          label: t('nodeClass'),
          getValue: (pool: AnyObject) => poolNodeClassRef(pool.jsonData)?.name,
          render: (pool: AnyObject) => (
            <ShortText text={poolNodeClassRef(pool.jsonData)?.name ?? ''}>
              <ClassLink to={poolNodeClassRef(pool.jsonData)} />
            </ShortText>
          ),
        },
        {
          id: 'price',
          label: t('hourlyPrice'),
          isNarrow: true,
          getValue: (pool: AnyObject) => costOrder(poolFacts(pool)?.cost),
          render: (pool: AnyObject) => costText(poolFacts(pool)?.cost, t, byPool === undefined || prices.isAsking),
        },
        {
          id: 'fullness',
          label: t('fullness'),
          isNarrow: true,
          getValue: (pool: AnyObject) => fullnessOrder(fullness?.pools.get(pool.getName())),
          render: (pool: AnyObject) => <FullnessText fullness={fullness?.pools.get(pool.getName())} />,
        },
        {
          id: 'drifted',
          needs: 'vast',
          label: t('drifted'),
          isNarrow: true,
          getValue: (pool: AnyObject) => poolFacts(pool)?.drifted ?? '–',
        },
        { id: 'weight', needs: 'vast', label: t('weight'), isNarrow: true, getValue: poolWeight },
      ]}
    />
  )
}

export const NodePoolsPage = () => (
  <Guard>
    <List />
  </Guard>
)
