import {
  registerDetailsViewHeaderAction,
  registerDetailsViewSectionsProcessor,
  registerResourceTableColumnsProcessor,
  Utils,
} from '@kinvolk/headlamp-plugin/lib'
import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { type AnyObject, NodeClaim } from './cluster/classes.ts'
import { onDiscovery, presentClusters, useDiscovery } from './cluster/discovery.ts'
import { LiveObjects } from './cluster/live-objects.tsx'
import { useKindList } from './cluster/use-list.ts'
import { pricesNow, usePrices } from './cluster/use-prices.ts'
import { DecisionsSection } from './components/decisions-section.tsx'
import { EnglishNote } from './components/english-note.tsx'
import { ExplainPod } from './components/explain-pod.tsx'
import { FirstFacts } from './components/facts.tsx'
import { ClaimLink, PoolLink } from './components/links.tsx'
import { NodeBlockersSection } from './components/node-blockers.tsx'
import { Ours } from './components/ours.tsx'
import { PriceText } from './components/price-text.tsx'
import { ShortText } from './components/short-text.tsx'
import { Age } from './components/show-time.tsx'
import { ClaimChip } from './components/status-chip.tsx'
import { EditAction } from './editor/edit-action.tsx'
import { RaiseLimits } from './editor/raise-limits.tsx'
import { translatorNow, useT } from './locales/use-t.ts'
import { FIRST, withFirstSections } from './model/first-sections.ts'
import { isOurGroup } from './model/node-class-kinds.ts'
import { joinNodes } from './model/node-join.ts'
import { isPending } from './model/pending-pods.ts'
import { showPrice } from './model/price.ts'
import { objectLabel, objectName, textAt, timeAt } from './model/read.ts'

const POOL = 'karpenter.sh/nodepool'

/** Adds to a node's page: the NodePool, the NodeClaim, the price, the reasons why the node is kept, and the decisions about the node. */
const NodeSections = ({ node }: { readonly node: AnyObject }) => {
  const t = useT()
  const pool = objectLabel(node.jsonData, POOL)
  const { items } = useKindList(NodeClaim, { labelSelector: `${POOL}=${pool ?? ''}` })
  const join = joinNodes(
    (items ?? []).map(({ jsonData }) => jsonData),
    [node.jsonData],
  )
  const claim = items?.find((each) => each.getName() === join.claims.get(node.getName()))
  const prices = usePrices(node.cluster)
  const price = prices.instance(node.jsonData) ?? prices.instance(claim?.jsonData)
  const names = new Set([node.getName(), ...(claim === undefined ? [] : [objectName(claim.jsonData)])])
  return (
    <>
      <FirstFacts
        rows={[
          { name: t('nodePool'), value: <PoolLink name={pool} /> },
          { name: t('nodeClaim'), value: <ClaimLink name={claim?.getName()} />, hide: claim === undefined },
          {
            name: t('status'),
            value: claim === undefined ? '' : <ClaimChip claim={claim.jsonData} />,
            hide: claim === undefined,
          },
          { name: t('capacityType'), value: objectLabel(node.jsonData, 'karpenter.sh/capacity-type') ?? '–' },
          { name: t('hourlyPrice'), value: price === undefined ? '–' : showPrice(price) },
        ]}
      />
      <NodeBlockersSection kind="Node" name={node.getName()} />
      <DecisionsSection kind="node" names={names} />
    </>
  )
}

/** Adds to a pod's page: why the pod is pending. */
const PodSection = ({ pod }: { readonly pod: AnyObject }) => {
  const t = useT()
  return (
    <SectionBox title={t('whyPending')}>
      <EnglishNote />
      <ExplainPod uid={textAt(pod.jsonData, 'metadata', 'uid') ?? ''} raiseView={RaiseLimits} />
    </SectionBox>
  )
}

const Section = ({ resource }: { readonly resource: AnyObject | null }) => {
  const { state } = useDiscovery()
  if (state !== 'present' || resource === null || resource === undefined) return null
  if (resource.kind === 'Node' && objectLabel(resource.jsonData, POOL) !== undefined)
    return <NodeSections node={resource} />
  if (resource.kind === 'Pod' && isPending(resource.jsonData)) return <PodSection pod={resource} />
  return null
}

/** Resource kinds for which the plugin adds a section to Headlamp's pages. */
const EXTENDED: ReadonlySet<string> = new Set(['Node', 'Pod'])

const OURS_OF_HOST = {
  id: `${FIRST}page`,
  section: ({ resource }: { readonly resource?: AnyObject | null }) => (
    <LiveObjects>
      <Ours>
        <Section resource={resource ?? null} />
      </Ours>
    </LiveObjects>
  ),
}

const EDITED = /^(?:NodePool|NodeOverlay|\w*NodeClass)$/

/** In a narrower window, the list of nodes gets only the column with the NodePool, so that Headlamp's columns stay readable. */
const WIDE = 1280

/** Returns the plugin's columns for one of Headlamp's own tables. */
const columnsOf = (table: string): never[] => {
  const t = translatorNow()
  switch (table) {
    case 'headlamp-nodes':
      return [
        {
          id: 'kerf-pool',
          label: t('nodePool'),
          getValue: (node: AnyObject) => objectLabel(node.jsonData, POOL) ?? '',
          render: (node: AnyObject) => (
            <ShortText text={objectLabel(node.jsonData, POOL) ?? ''}>
              <PoolLink name={objectLabel(node.jsonData, POOL)} />
            </ShortText>
          ),
          gridTemplate: 'minmax(min-content, auto)',
          filterVariant: 'multi-select',
        },
        {
          id: 'kerf-capacity-type',
          label: t('capacityType'),
          getValue: (node: AnyObject) => objectLabel(node.jsonData, 'karpenter.sh/capacity-type') ?? '',
          gridTemplate: 'min-content',
          filterVariant: 'multi-select',
        },
        {
          id: 'kerf-price',
          label: t('hourlyPrice'),
          getValue: (node: AnyObject) => pricesNow(node.cluster).instance(node.jsonData) ?? '',
          gridTemplate: 'min-content',
          render: (node: AnyObject) => <PriceText of={node} />,
        },
      ].filter(({ id }) => id === 'kerf-pool' || window.innerWidth >= WIDE) as never[]
    case 'headlamp-pods':
      return [
        {
          id: 'kerf-waiting',
          label: t('pendingFor'),
          getValue: (pod: AnyObject) =>
            isPending(pod.jsonData) ? textAt(pod.jsonData, 'metadata', 'creationTimestamp') ?? '' : '',
          render: (pod: AnyObject) =>
            isPending(pod.jsonData) ? <Age of={timeAt(pod.jsonData, 'metadata', 'creationTimestamp')} /> : null,
        },
      ] as never[]
    default:
      return []
  }
}

/** Registers the plugin's additions to Headlamp's own pages. On a cluster without NodePools, Headlamp's pages are unchanged. */
export const addToOtherPages = (): void => {
  // Sections that are registered one by one get generated ids, which the plugin could not find here.
  registerDetailsViewSectionsProcessor({
    id: 'kerf-first-sections',
    processor: (resource, sections) =>
      withFirstSections(resource !== null && EXTENDED.has(resource.kind) ? [...sections, OURS_OF_HOST] : sections),
  })
  registerDetailsViewHeaderAction(({ item }: { readonly item?: AnyObject | null }) =>
    item !== null &&
    item !== undefined &&
    EDITED.test(item.kind) &&
    isOurGroup(String(item.jsonData?.apiVersion).split('/')[0] ?? '') ? (
      <EditAction item={item} />
    ) : null,
  )
  const registered = new Set<string>()
  // A table computes its columns again only when a processor is added, not when an existing processor would return
  // other columns. So the processor for a cluster is added when its NodePools are found, which may be after the table
  // was rendered.
  const registerColumns = (): void => {
    for (const cluster of presentClusters().filter((each) => !registered.has(each))) {
      registered.add(cluster)
      registerResourceTableColumnsProcessor({
        id: `kerf-columns-${cluster}`,
        processor: ({ id, columns }) => [...columns, ...(Utils.getCluster() === cluster ? columnsOf(id) : [])],
      })
    }
  }
  onDiscovery(registerColumns)
  registerColumns()
}
