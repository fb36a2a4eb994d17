import { ConditionsSection, DetailsGrid, SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useParams } from 'react-router-dom'
import { type AnyObject, NodeClaim, NodePool } from '../cluster/classes.ts'
import { isForbidden } from '../cluster/discovery.ts'
import { poolUsage, type Usage } from '../model/amounts.ts'
import { scopeNames } from '../model/decisions.ts'
import { nodeClassRefOf } from '../model/node-class-kinds.ts'
import { costOf, showPrice } from '../model/price.ts'
import { fieldsAt, listAt, numberAt, textAt } from '../model/read.ts'
import { BudgetsSection } from '../parts/budgets-section.tsx'
import { Charts } from '../parts/charts.tsx'
import { ClaimsSection } from '../parts/claims-section.tsx'
import { DecisionsSection } from '../parts/decisions-section.tsx'
import { RequirementsSection, taintText } from '../parts/facts.tsx'
import { Guard } from '../parts/guard.tsx'
import { ClassLink } from '../parts/links.tsx'
import { ReadyChip } from '../parts/status-chip.tsx'
import { TimelineSection } from '../parts/timeline-section.tsx'
import { UsageBar } from '../parts/usage-bar.tsx'
import { useWords } from '../words/use-words.ts'

const UsageSection = ({ pool }: { readonly pool: unknown }) => {
  const say = useWords()
  return (
    <SectionBox title={say('limits')}>
      <SimpleTable
        columns={[
          { label: say('name'), getter: ({ resource }: Usage) => resource },
          { label: say('limits'), getter: (usage: Usage) => <UsageBar usage={usage} /> },
        ]}
        data={[...poolUsage(pool)]}
      />
    </SectionBox>
  )
}

/** What hangs on the pool's claims: loaded once for the sections that need it. */
const ClaimSections = ({ pool }: { readonly pool: AnyObject }) => {
  const say = useWords()
  const { items, error } = NodeClaim.useList({
    cluster: pool.cluster,
    labelSelector: `karpenter.sh/nodepool=${pool.getName()}`,
  })
  const claims = items ?? []
  const cost = costOf(claims.map(({ jsonData }) => jsonData))
  return (
    <>
      {isForbidden(error) && <SectionBox title={say('forbidden', { what: 'NodeClaims' })} />}
      <SectionBox
        title={`${say('cost')}: ${showPrice(cost.total)}`}
        subtitle={cost.unknown === 0 ? undefined : say('costUnknown', { count: cost.unknown })}
      />
      <BudgetsSection pool={pool} claims={claims} />
      <ClaimsSection claims={claims} />
      <SectionBox title={say('metrics')}>
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

const Details = () => {
  const say = useWords()
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
          { name: say('status'), value: <ReadyChip object={pool} /> },
          { name: say('nodeClass'), value: <ClassLink to={nodeClassRefOf(pool)} /> },
          {
            name: say('nodes'),
            value: numberAt(pool, 'status', 'nodes') ?? textAt(pool, 'status', 'resources', 'nodes') ?? 0,
          },
          { name: say('weight'), value: numberAt(pool, 'spec', 'weight') ?? 0 },
          { name: say('replicas'), value: replicas, hide: replicas === undefined },
          { name: say('consolidationPolicy'), value: textAt(pool, 'spec', 'disruption', 'consolidationPolicy') ?? '–' },
          { name: say('consolidateAfter'), value: textAt(pool, 'spec', 'disruption', 'consolidateAfter') ?? '–' },
          { name: say('expireAfter'), value: textAt(template, 'expireAfter') ?? '–' },
          { name: say('terminationGracePeriod'), value: textAt(template, 'terminationGracePeriod') ?? '–' },
          { name: say('taints'), value: taints.map(taintText).join(', '), hide: taints.length === 0 },
          {
            name: say('labels'),
            value: labels.map(([key, value]) => `${key}=${String(value)}`).join(', '),
            hide: labels.length === 0,
          },
        ]
      }}
      extraSections={(item: AnyObject | null) =>
        item === null
          ? []
          : [
              { id: 'kerf.usage', section: <UsageSection pool={item.jsonData} /> },
              { id: 'kerf.claims', section: <ClaimSections pool={item} /> },
              { id: 'kerf.conditions', section: <ConditionsSection resource={item.jsonData} /> },
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
