import { ResourceListView } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { type AnyObject, NodeClaim } from '../cluster/classes.ts'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import { amountOf, showValue } from '../model/amounts.ts'
import { priceOf, showPrice } from '../model/price.ts'
import { labelOf, textAt } from '../model/read.ts'
import { claimStatus } from '../model/status.ts'
import { Guard } from '../parts/guard.tsx'
import { NodeLink, PoolLink } from '../parts/links.tsx'
import { ClaimChips } from '../parts/status-chip.tsx'

const label = (key: string) => (claim: AnyObject) => labelOf(claim.jsonData, key) ?? ''
/** Sorts by the value and shows it as text. Before the launch only the requested value exists. */
const capacity = (resource: string) => ({
  getValue: (claim: AnyObject): number => {
    const amount = amountOf(textAt(claim.jsonData, 'status', 'capacity', resource))
    return amount === undefined ? 0 : Number(amount) / 1e9
  },
  render: (claim: AnyObject) => showValue(resource, textAt(claim.jsonData, 'status', 'capacity', resource)),
})
const poolOf = label('karpenter.sh/nodepool')
const nodeOf = (claim: AnyObject) => textAt(claim.jsonData, 'status', 'nodeName')

/** What was launched for a NodeClaim, and where. */
const typeColumns = (t: Translate) => [
  {
    id: 'type',
    gridTemplate: 1.3,
    label: t('instanceType'),
    getValue: label('node.kubernetes.io/instance-type'),
  },
  {
    id: 'capacity-type',
    label: t('capacityType'),
    getValue: label('karpenter.sh/capacity-type'),
    filterVariant: 'multi-select' as const,
  },
  { id: 'cpu', gridTemplate: 0.7, label: t('cpu'), ...capacity('cpu') },
  { id: 'memory', gridTemplate: 0.8, label: t('memory'), ...capacity('memory') },
  {
    id: 'zone',
    gridTemplate: 1.1,
    label: t('zone'),
    getValue: label('topology.kubernetes.io/zone'),
    filterVariant: 'multi-select' as const,
  },
]

const columns = (t: Translate) => [
  'name' as const,
  {
    id: 'status',
    gridTemplate: 1.7,
    label: t('status'),
    getValue: (claim: AnyObject) => t(`status.${claimStatus(claim.jsonData).code}`),
    render: (claim: AnyObject) => <ClaimChips claim={claim.jsonData} />,
    filterVariant: 'multi-select' as const,
  },
  ...typeColumns(t),
  {
    id: 'node',
    gridTemplate: 1.8,
    label: t('node'),
    getValue: nodeOf,
    render: (claim: AnyObject) => <NodeLink name={nodeOf(claim)} />,
  },
  {
    id: 'pool',
    label: t('nodePool'),
    getValue: poolOf,
    render: (claim: AnyObject) => <PoolLink name={poolOf(claim) || undefined} />,
    filterVariant: 'multi-select' as const,
  },
  {
    id: 'price',
    label: t('hourlyPrice'),
    getValue: (claim: AnyObject) => priceOf(claim.jsonData),
    render: (claim: AnyObject) => {
      const price = priceOf(claim.jsonData)
      return price === undefined ? '–' : showPrice(price)
    },
  },
  'age' as const,
]

const List = () => {
  const t = useT()
  return (
    <ResourceListView id="kerf-nodeclaims" title={t('nodeClaims')} resourceClass={NodeClaim} columns={columns(t)} />
  )
}

export const NodeClaimsPage = () => (
  <Guard>
    <List />
  </Guard>
)
