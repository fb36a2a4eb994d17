import { useMemo } from 'react'
import { type AnyObject, NodeClaim } from '../cluster/classes.ts'
import { usePrices } from '../cluster/use-prices.ts'
import { useReadable } from '../cluster/use-reported.ts'
import { DriftChip } from '../components/drift-chip.tsx'
import { fullnessOrder, FullnessText } from '../components/fullness-text.tsx'
import { Guard } from '../components/guard.tsx'
import { ClaimLink, NodeLink, PoolLink } from '../components/links.tsx'
import { type OurColumn, OurTable } from '../components/our-table.tsx'
import { PriceText } from '../components/price-text.tsx'
import { NameText, ShortText } from '../components/short-text.tsx'
import { claimText, signCodeText } from '../components/status-chip.tsx'
import { useDriftHolds } from '../components/use-drift-holds.ts'
import { useFullness } from '../components/use-fullness.ts'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import { parseAmount, showValue } from '../model/amounts.ts'
import type { HoldsByClaim } from '../model/drift-holds.ts'
import type { Fullness, FullnessByName } from '../model/fullness.ts'
import type { Prices } from '../model/prices.ts'
import { objectLabel, textAt } from '../model/read.ts'
import type { Readable } from '../model/reported.ts'
import { signCodes } from '../model/status.ts'

const label = (key: string) => (claim: AnyObject) => objectLabel(claim.jsonData, key) ?? ''
/**
 * Returns a column that is sorted by the value and shows it as text. Before the launch, only the requested value is
 * known.
 */
const capacity = (resource: string) => ({
  getValue: (claim: AnyObject): number => {
    const amount = parseAmount(textAt(claim.jsonData, 'status', 'capacity', resource))
    return amount === undefined ? 0 : Number(amount) / 1e9
  },
  render: (claim: AnyObject) => showValue(resource, textAt(claim.jsonData, 'status', 'capacity', resource)),
})
const poolOf = label('karpenter.sh/nodepool')
const claimFullness = (claim: AnyObject, fullness: FullnessByName | undefined): Fullness | undefined =>
  fullness?.nodes.get(claimNode(claim) ?? '')
const claimNode = (claim: AnyObject) => textAt(claim.jsonData, 'status', 'nodeName')

const text = (id: string, label: string, getValue: (claim: AnyObject) => string): OurColumn => ({
  id,
  label,
  getValue,
  filter: { of: (claim) => [getValue(claim)] },
})

/**
 * The most important columns come first. In a narrow window, the others scroll while the name stays visible. Memory is
 * hidden at first, because it follows from the instance type.
 */
const columns = (
  t: Translate,
  fullness: FullnessByName | undefined,
  prices: Prices,
  holds: HoldsByClaim,
  readable: Readable,
): readonly OurColumn[] => [
  {
    id: 'name',
    label: t('name'),
    isName: true,
    getValue: (claim: AnyObject) => claim.getName(),
    render: (claim: AnyObject) => (
      <NameText text={claim.getName()}>
        <ClaimLink name={claim.getName()} />
      </NameText>
    ),
  },
  {
    id: 'status',
    label: t('status'),
    isNarrow: true,
    getValue: (claim: AnyObject) => claimText(claim.jsonData, t),
    render: (claim: AnyObject) => (
      <DriftChip claim={claim.jsonData} hold={holds.get(claim.getName())} readable={readable} />
    ),
    // The filter matches a claim by any of its signs, although the chip of the claim shows only the most important one.
    filter: { of: (claim) => signCodes(claim.jsonData), toText: (code) => signCodeText(code, t) },
  },
  {
    ...text('pool', t('nodePool'), poolOf),
    render: (claim: AnyObject) => (
      <ShortText text={poolOf(claim)}>
        <PoolLink name={poolOf(claim) || undefined} />
      </ShortText>
    ),
  },
  text('type', t('instanceType'), label('node.kubernetes.io/instance-type')),
  { id: 'cpu', label: t('cpu'), isNarrow: true, ...capacity('cpu') },
  text('zone', t('zone'), label('topology.kubernetes.io/zone')),
  {
    id: 'price',
    label: t('hourlyPrice'),
    isNarrow: true,
    getValue: (claim: AnyObject) => prices.instance(claim.jsonData),
    render: (claim: AnyObject) => <PriceText of={claim} />,
  },
  {
    id: 'fullness',
    label: t('fullness'),
    isNarrow: true,
    getValue: (claim: AnyObject) => fullnessOrder(claimFullness(claim, fullness)),
    render: (claim: AnyObject) => <FullnessText fullness={claimFullness(claim, fullness)} />,
  },
  { ...text('capacity-type', t('capacityType'), label('karpenter.sh/capacity-type')), needs: 'vast' },
  {
    id: 'node',
    needs: 'vast',
    label: t('node'),
    getValue: claimNode,
    render: (claim: AnyObject) => (
      <ShortText text={claimNode(claim) ?? ''}>
        <NodeLink name={claimNode(claim)} />
      </ShortText>
    ),
  },
  { id: 'memory', label: t('memory'), isHidden: true, isNarrow: true, ...capacity('memory') },
]

const List = () => {
  const t = useT()
  const fullness = useFullness()
  const prices = usePrices()
  const holds = useDriftHolds()
  const readable = useReadable()
  const changes = useMemo(() => ({ fullness, prices, holds }), [fullness, prices, holds])
  return (
    <OurTable
      id="kerf-nodeclaims"
      title={t('nodeClaims')}
      resourceClass={NodeClaim}
      changesWith={changes}
      columns={columns(t, fullness, prices, holds, readable)}
    />
  )
}

export const NodeClaimsPage = () => (
  <Guard>
    <List />
  </Guard>
)
