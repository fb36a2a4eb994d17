import { DetailsGrid, EmptyContent, SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useParams } from 'react-router-dom'
import { type AnyObject, makeNodeClassObject, NodeClaim, NodePool } from '../cluster/classes.ts'
import { useDiscovery } from '../cluster/discovery.ts'
import { useKindList } from '../cluster/use-list.ts'
import { ClaimsSection } from '../components/claims-section.tsx'
import { ConditionsSection } from '../components/conditions-section.tsx'
import { FieldsSection, FirstFacts } from '../components/facts.tsx'
import { Guard } from '../components/guard.tsx'
import { PoolLink } from '../components/links.tsx'
import { ReadyChip } from '../components/status-chip.tsx'
import { TimelineSection } from '../components/timeline-section.tsx'
import { useT } from '../locales/use-t.ts'
import { FIRST } from '../model/first-sections.ts'
import { emptyKey } from '../model/list-state.ts'
import { refersTo } from '../model/node-class-kinds.ts'
import { at } from '../model/read.ts'
import { servedNodeClasses } from '../model/served-kinds.ts'

interface Ref {
  readonly group: string
  readonly kind: string
  readonly name: string
}

/** Shows the pools and claims that refer to the node class. */
const Users = ({ group, kind, name, cluster }: Ref & { readonly cluster: string }) => {
  const t = useT()
  const { items: pools, isLoading: arePoolsLoading } = useKindList(NodePool, { cluster })
  const { items: claims, isLoading } = useKindList(NodeClaim, { cluster })
  const uses = (object: AnyObject): boolean => refersTo(object.jsonData, group, kind, name)
  return (
    <>
      <SectionBox title={t('nodePools')}>
        <SimpleTable
          emptyMessage={t(emptyKey(pools !== null, arePoolsLoading))}
          columns={[
            { label: t('name'), getter: (pool: AnyObject) => <PoolLink name={pool.getName()} /> },
            { label: t('status'), getter: (pool: AnyObject) => <ReadyChip object={pool.jsonData} /> },
          ]}
          data={(pools ?? []).filter(uses)}
        />
      </SectionBox>
      <ClaimsSection claims={(claims ?? []).filter(uses)} isKnown={claims !== null} isLoading={isLoading} />
    </>
  )
}

/** Returns `status` without the fields that have their own section. */
const plainStatus = (object: unknown): unknown => {
  const status = at(object, 'status')
  if (typeof status !== 'object' || status === null) return {}
  return Object.fromEntries(Object.entries(status).filter(([key]) => key !== 'conditions'))
}

const Details = () => {
  const t = useT()
  const { group, kind, name } = useParams<{ group: string; kind: string; name: string }>()
  // A reference may have no group. In that case, only the kind has to match.
  const served = servedNodeClasses(useDiscovery()).find(
    (each) => each.kind === kind && (group === '-' || each.group === group),
  )
  if (served === undefined) return <EmptyContent>{t('notThere', { kind, name })}</EmptyContent>
  return (
    <DetailsGrid
      resourceType={makeNodeClassObject(served.group, served.kind, served.plural, served.version)}
      name={name}
      extraSections={(item: AnyObject | null) =>
        item === null
          ? []
          : [
              {
                id: `${FIRST}facts`,
                section: (
                  <FirstFacts
                    rows={[
                      { name: t('kind'), value: `${served.kind} (${served.group})` },
                      { name: t('status'), value: <ReadyChip object={item.jsonData} /> },
                    ]}
                  />
                ),
              },
              {
                id: `${FIRST}users`,
                section: <Users group={served.group} kind={served.kind} name={name} cluster={item.cluster} />,
              },
              { id: `${FIRST}conditions`, section: <ConditionsSection object={item.jsonData} /> },
              { id: `${FIRST}spec`, section: <FieldsSection title={t('spec')} value={at(item.jsonData, 'spec')} /> },
              {
                id: 'kerf.status',
                section: <FieldsSection title={t('status')} value={plainStatus(item.jsonData)} />,
              },
              { id: 'kerf.timeline', section: <TimelineSection object={item} /> },
            ]
      }
    />
  )
}

export const NodeClassPage = () => (
  <Guard>
    <Details />
  </Guard>
)
