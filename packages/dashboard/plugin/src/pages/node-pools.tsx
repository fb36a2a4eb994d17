import { useMemo } from 'react'
import { type AnyObject, NodeClaim, NodePool } from '../cluster/classes.ts'
import { useKindList } from '../cluster/use-list.ts'
import { Guard } from '../components/guard.tsx'
import { ClassLink, PoolLink } from '../components/links.tsx'
import { OurTable } from '../components/our-table.tsx'
import { ShortText } from '../components/short-text.tsx'
import { ReadyChip, readyCodeText } from '../components/status-chip.tsx'
import { UsageBar } from '../components/usage-bar.tsx'
import { useT } from '../locales/use-t.ts'
import { poolUsage } from '../model/amounts.ts'
import { isTrue } from '../model/conditions.ts'
import { poolNodeClassRef } from '../model/node-class-kinds.ts'
import { numberAt, objectLabel, textAt } from '../model/read.ts'
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
const nodesOf = (pool: AnyObject): number | string =>
  numberAt(pool.jsonData, 'status', 'nodes') ?? textAt(pool.jsonData, 'status', 'resources', 'nodes') ?? '–'
const weightOf = (pool: AnyObject): number => numberAt(pool.jsonData, 'spec', 'weight') ?? 0

const List = () => {
  const t = useT()
  // Use Headlamp's own list, as the rows do. If several clusters are selected, each object in it has a field for its
  // cluster.
  const { items: claims } = useKindList(NodeClaim)
  const drifted = useMemo(() => {
    if (claims === null) return undefined
    const counts = new Map<string, number>()
    for (const { jsonData, cluster } of claims) {
      if (!isTrue(jsonData, 'Drifted')) continue
      const key = `${cluster}/${objectLabel(jsonData, 'karpenter.sh/nodepool') ?? ''}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }, [claims])
  return (
    <OurTable
      id="kerf-nodepools"
      title={t('nodePools')}
      resourceClass={NodePool}
      changesWith={drifted}
      columns={[
        {
          id: 'name',
          label: t('name'),
          getValue: (pool: AnyObject) => pool.getName(),
          render: (pool: AnyObject) => (
            <ShortText text={pool.getName()}>
              <PoolLink name={pool.getName()} />
            </ShortText>
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
        { id: 'nodes', label: t('nodes'), isNarrow: true, getValue: nodesOf },
        { id: 'cpu', label: t('cpu'), ...usage('cpu') },
        { id: 'memory', label: t('memory'), needs: 'middle', ...usage('memory') },
        {
          id: 'drifted',
          needs: 'wide',
          label: t('drifted'),
          isNarrow: true,
          getValue: (pool: AnyObject) =>
            drifted === undefined ? '–' : drifted.get(`${pool.cluster}/${pool.getName()}`) ?? 0,
        },
        {
          id: 'class',
          needs: 'wide',
          label: t('nodeClass'),
          getValue: (pool: AnyObject) => poolNodeClassRef(pool.jsonData)?.name,
          render: (pool: AnyObject) => (
            <ShortText text={poolNodeClassRef(pool.jsonData)?.name ?? ''}>
              <ClassLink to={poolNodeClassRef(pool.jsonData)} />
            </ShortText>
          ),
        },
        { id: 'weight', needs: 'wide', label: t('weight'), isNarrow: true, getValue: weightOf },
      ]}
    />
  )
}

export const NodePoolsPage = () => (
  <Guard>
    <List />
  </Guard>
)
