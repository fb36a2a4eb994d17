import { DetailsGrid, SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useParams } from 'react-router-dom'
import { type AnyObject, NodeClaim, NodePool } from '../cluster/classes.ts'
import { isForbidden } from '../cluster/discovery.ts'
import { useKindList } from '../cluster/use-list.ts'
import { usePrices } from '../cluster/use-prices.ts'
import { BudgetsSection } from '../components/budgets-section.tsx'
import { Charts } from '../components/charts.tsx'
import { ClaimsSection } from '../components/claims-section.tsx'
import { ConditionsSection } from '../components/conditions-section.tsx'
import { costNote, costText } from '../components/cost-text.ts'
import { DecisionsSection } from '../components/decisions-section.tsx'
import { FirstFacts, RequirementsSection, taintText } from '../components/facts.tsx'
import { Guard } from '../components/guard.tsx'
import { ClassLink } from '../components/links.tsx'
import { ReadyChip } from '../components/status-chip.tsx'
import { TimelineSection } from '../components/timeline-section.tsx'
import { UsageBar } from '../components/usage-bar.tsx'
import { useT } from '../locales/use-t.ts'
import { poolUsage, showValue, type Usage } from '../model/amounts.ts'
import { scopeNames } from '../model/decisions.ts'
import { FIRST } from '../model/first-sections.ts'
import { emptyKey } from '../model/list-state.ts'
import { poolNodeClassRef } from '../model/node-class-kinds.ts'
import { claimCounts, claimsCost, costIfAsked } from '../model/price.ts'
import { fieldsAt, listAt, numberAt, textAt } from '../model/read.ts'

const UsageSection = ({ pool }: { readonly pool: unknown }) => {
  const t = useT()
  return (
    <SectionBox title={t('limits')}>
      <SimpleTable
        columns={[
          { label: t('name'), getter: ({ resource }: Usage) => resource },
          { label: t('limits'), getter: (usage: Usage) => <UsageBar usage={usage} /> },
        ]}
        data={[...poolUsage(pool)]}
      />
    </SectionBox>
  )
}

const usePoolClaims = (pool: AnyObject) =>
  useKindList(NodeClaim, { cluster: pool.cluster, labelSelector: `karpenter.sh/nodepool=${pool.getName()}` })

/** The sections that need the pool's claims. The claims are loaded once for all of them. */
const ClaimSections = ({ pool }: { readonly pool: AnyObject }) => {
  const t = useT()
  const { items, error, isLoading } = usePoolClaims(pool)
  const claims = items ?? []
  const prices = usePrices(pool.cluster)
  const objects = items?.map(({ jsonData }) => jsonData)
  const cost = objects && costIfAsked(claimsCost(objects, prices), prices)
  return (
    <>
      {isForbidden(error) && <SectionBox title={t('forbidden', { what: 'NodeClaims' })} />}
      <SectionBox
        title={`${t('cost')}: ${costText(cost, t, isLoading || prices.isAsking)}`}
        subtitle={cost === undefined || cost.unknown === 0 ? undefined : costNote(cost, t)}
      />
      <BudgetsSection pool={pool} />
      <ClaimsSection claims={claims} isKnown={items !== null} isLoading={isLoading} />
      <SectionBox title={t('metrics')}>
        <Charts
          nodePool={pool.getName()}
          startWith="poolRange"
          only={['nodes', 'cost', 'usage', 'allowed', 'created']}
        />
      </SectionBox>
      <DecisionsSection
        kind="pool"
        names={scopeNames(
          claims.map(({ jsonData }) => jsonData),
          [],
          pool.getName(),
        )}
      />
    </>
  )
}

const PoolFacts = ({ item }: { readonly item: AnyObject }) => {
  const t = useT()
  const pool: unknown = item.jsonData
  const { items, isLoading } = usePoolClaims(item)
  const nodes =
    items === null ? t(emptyKey(false, isLoading)) : claimCounts(items.map(({ jsonData }) => jsonData)).nodes
  return (
    <FirstFacts
      rows={[
        { name: t('status'), value: <ReadyChip object={pool} /> },
        { name: t('nodes'), value: nodes },
        { name: t('podCapacity'), value: showValue('pods', textAt(pool, 'status', 'resources', 'pods')) || '–' },
        { name: t('nodeClass'), value: <ClassLink to={poolNodeClassRef(pool)} /> },
      ]}
    />
  )
}

const Details = () => {
  const t = useT()
  const { name } = useParams<{ name: string }>()
  return (
    <DetailsGrid
      resourceType={NodePool}
      name={name}
      extraInfo={(item: AnyObject | null) => {
        if (item === null) return []
        const pool: unknown = item.jsonData
        const replicas = numberAt(pool, 'spec', 'replicas')
        const template = fieldsAt(pool, 'spec', 'template', 'spec')
        const taints = [...listAt(template, 'taints'), ...listAt(template, 'startupTaints')]
        const labels = Object.entries(fieldsAt(pool, 'spec', 'template', 'metadata', 'labels'))
        return [
          { name: t('uid'), value: textAt(pool, 'metadata', 'uid') ?? '–' },
          { name: t('weight'), value: numberAt(pool, 'spec', 'weight') ?? 0 },
          { name: t('replicas'), value: replicas, hide: replicas === undefined },
          { name: t('consolidationPolicy'), value: textAt(pool, 'spec', 'disruption', 'consolidationPolicy') ?? '–' },
          { name: t('consolidateAfter'), value: textAt(pool, 'spec', 'disruption', 'consolidateAfter') ?? '–' },
          { name: t('expireAfter'), value: textAt(template, 'expireAfter') ?? '–' },
          { name: t('terminationGracePeriod'), value: textAt(template, 'terminationGracePeriod') ?? '–' },
          { name: t('taints'), value: taints.map(taintText).join(', '), hide: taints.length === 0 },
          {
            name: t('labels'),
            value: labels.map(([key, value]) => `${key}=${String(value)}`).join(', '),
            hide: labels.length === 0,
          },
        ]
      }}
      extraSections={(item: AnyObject | null) =>
        item === null
          ? []
          : [
              { id: `${FIRST}facts`, section: <PoolFacts item={item} /> },
              { id: `${FIRST}usage`, section: <UsageSection pool={item.jsonData} /> },
              { id: `${FIRST}claims`, section: <ClaimSections pool={item} /> },
              { id: 'kerf.conditions', section: <ConditionsSection object={item.jsonData} /> },
              {
                id: 'kerf.requirements',
                section: (
                  <RequirementsSection
                    requirements={listAt(item.jsonData, 'spec', 'template', 'spec', 'requirements')}
                  />
                ),
              },
              { id: 'kerf.timeline', section: <TimelineSection object={item} /> },
            ]
      }
    />
  )
}

export const NodePoolPage = () => (
  <Guard>
    <Details />
  </Guard>
)
