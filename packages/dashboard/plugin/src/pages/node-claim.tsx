import { ownValue } from '@kerf/apis'
import { DetailsGrid, SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useParams } from 'react-router-dom'
import { type AnyObject, NodeClaim, Pod } from '../cluster/classes.ts'
import { isForbidden } from '../cluster/discovery.ts'
import { useKindList } from '../cluster/use-list.ts'
import { useReadable } from '../cluster/use-reported.ts'
import { Charts } from '../components/charts.tsx'
import { ConditionsSection } from '../components/conditions-section.tsx'
import { DecisionsSection } from '../components/decisions-section.tsx'
import { DriftChip } from '../components/drift-chip.tsx'
import { FirstFacts, RequirementsSection, taintText } from '../components/facts.tsx'
import { Guard } from '../components/guard.tsx'
import { LifecycleSection } from '../components/lifecycle-section.tsx'
import { ClassLink, NodeLink, PodLink, PoolLink } from '../components/links.tsx'
import { NodeBlockersSection } from '../components/node-blockers.tsx'
import { PriceText } from '../components/price-text.tsx'
import { TimelineSection } from '../components/timeline-section.tsx'
import { useDriftHolds } from '../components/use-drift-holds.ts'
import { useT } from '../locales/use-t.ts'
import { podRequest, showAmount, showValue } from '../model/amounts.ts'
import { scopeNames } from '../model/decisions.ts'
import { FIRST } from '../model/first-sections.ts'
import { launchedFor } from '../model/launched-for.ts'
import { emptyKey } from '../model/list-state.ts'
import { poolNodeClassRef } from '../model/node-class-kinds.ts'
import { fieldsAt, listAt, objectLabel, textAt } from '../model/read.ts'

const ResourcesSection = ({ claim }: { readonly claim: unknown }) => {
  const t = useT()
  const requests = fieldsAt(claim, 'spec', 'resources', 'requests')
  const capacity = fieldsAt(claim, 'status', 'capacity')
  const allocatable = fieldsAt(claim, 'status', 'allocatable')
  const names = [...new Set([...Object.keys(requests), ...Object.keys(capacity), ...Object.keys(allocatable)])].sort()
  return (
    <SectionBox title={t('limits')}>
      <SimpleTable
        emptyMessage={t('none')}
        columns={[
          { label: t('name'), getter: ({ name }: { name: string }) => name },
          { label: t('requests'), getter: ({ name }: { name: string }) => showValue(name, ownValue(requests, name)) },
          { label: t('capacity'), getter: ({ name }: { name: string }) => showValue(name, ownValue(capacity, name)) },
          {
            label: t('allocatable'),
            getter: ({ name }: { name: string }) => showValue(name, ownValue(allocatable, name)),
          },
        ]}
        data={names.map((name) => ({ name }))}
      />
    </SectionBox>
  )
}

const PodsSection = ({ node, cluster }: { readonly node: string; readonly cluster: string }) => {
  const t = useT()
  const { items, error, isLoading } = useKindList(Pod, { cluster, fieldSelector: `spec.nodeName=${node}` })
  return (
    <SectionBox title={t('pods')} subtitle={isForbidden(error) ? t('forbidden', { what: 'pods' }) : undefined}>
      <SimpleTable
        emptyMessage={t(emptyKey(items !== null, isLoading))}
        rowsPerPage={[15, 25, 50]}
        columns={[
          {
            label: t('name'),
            getter: (pod: AnyObject) => <PodLink name={pod.getName()} namespace={pod.getNamespace() ?? ''} />,
          },
          { label: t('namespace'), getter: (pod: AnyObject) => pod.getNamespace() },
          { label: t('status'), getter: (pod: AnyObject) => textAt(pod.jsonData, 'status', 'phase') ?? '' },
          { label: t('cpu'), getter: (pod: AnyObject) => showAmount('cpu', podRequest(pod.jsonData, 'cpu')) },
          {
            label: t('memory'),
            getter: (pod: AnyObject) => showAmount('memory', podRequest(pod.jsonData, 'memory')),
          },
        ]}
        data={[...(items ?? [])]}
      />
    </SectionBox>
  )
}

const ClaimCharts = ({ claim }: { readonly claim: unknown }) => {
  const t = useT()
  const pool = objectLabel(claim, 'karpenter.sh/nodepool')
  return (
    <SectionBox title={t('metrics')}>
      <Charts
        {...(pool === undefined ? {} : { nodePool: pool })}
        startWith="claimRange"
        only={['created', 'latency', 'disrupted', 'pending']}
      />
    </SectionBox>
  )
}

const ClaimFacts = ({ item }: { readonly item: AnyObject }) => {
  const t = useT()
  const claim: unknown = item.jsonData
  const owners = launchedFor(claim)
  const hold = useDriftHolds().get(item.getName())
  const readable = useReadable()
  return (
    <FirstFacts
      rows={[
        { name: t('status'), value: <DriftChip claim={claim} hold={hold} readable={readable} /> },
        { name: t('hourlyPrice'), value: <PriceText of={item} /> },
        { name: t('nodePool'), value: <PoolLink name={objectLabel(claim, 'karpenter.sh/nodepool')} /> },
        { name: t('node'), value: <NodeLink name={textAt(claim, 'status', 'nodeName')} /> },
        { name: t('instanceType'), value: objectLabel(claim, 'node.kubernetes.io/instance-type') ?? '–' },
        { name: t('capacityType'), value: objectLabel(claim, 'karpenter.sh/capacity-type') ?? '–' },
        { name: t('zone'), value: objectLabel(claim, 'topology.kubernetes.io/zone') ?? '–' },
        ...(owners.length === 0 ? [] : [{ name: t('launchedFor'), value: owners.join(', ') }]),
      ]}
    />
  )
}

const Details = () => {
  const t = useT()
  const { name } = useParams<{ name: string }>()
  return (
    <DetailsGrid
      resourceType={NodeClaim}
      name={name}
      extraInfo={(item: AnyObject | null) => {
        if (item === null) return []
        const claim: unknown = item.jsonData
        const taints = listAt(claim, 'spec', 'taints')
        return [
          { name: t('nodeClass'), value: <ClassLink to={poolNodeClassRef(claim)} /> },
          { name: t('providerId'), value: textAt(claim, 'status', 'providerID') ?? '–' },
          { name: t('expireAfter'), value: textAt(claim, 'spec', 'expireAfter') ?? '–' },
          {
            name: t('terminationGracePeriod'),
            value: textAt(claim, 'spec', 'terminationGracePeriod') ?? '–',
          },
          { name: t('uid'), value: textAt(claim, 'metadata', 'uid') ?? '–' },
          { name: t('taints'), value: taints.map(taintText).join(', '), hide: taints.length === 0 },
        ]
      }}
      extraSections={(item: AnyObject | null) => {
        if (item === null) return []
        const node = textAt(item.jsonData, 'status', 'nodeName')
        return [
          { id: `${FIRST}facts`, section: <ClaimFacts item={item} /> },
          {
            id: `${FIRST}kept`,
            section: <NodeBlockersSection kind="NodeClaim" name={item.getName()} />,
          },
          { id: `${FIRST}lifecycle`, section: <LifecycleSection claim={item.jsonData} /> },
          ...(node === undefined
            ? []
            : [{ id: `${FIRST}pods`, section: <PodsSection node={node} cluster={item.cluster} /> }]),
          {
            id: `${FIRST}decisions`,
            section: <DecisionsSection kind="claim" names={scopeNames([item.jsonData], [])} />,
          },
          { id: 'kerf.timeline', section: <TimelineSection object={item} /> },
          { id: 'kerf.conditions', section: <ConditionsSection object={item.jsonData} /> },
          { id: 'kerf.charts', section: <ClaimCharts claim={item.jsonData} /> },
          { id: 'kerf.resources', section: <ResourcesSection claim={item.jsonData} /> },
          {
            id: 'kerf.requirements',
            section: <RequirementsSection requirements={listAt(item.jsonData, 'spec', 'requirements')} />,
          },
        ]
      }}
    />
  )
}

export const NodeClaimPage = () => (
  <Guard>
    <Details />
  </Guard>
)
