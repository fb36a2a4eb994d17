import { Icon } from '@iconify/react'
import { K8s, registerKindIcon, type registerMapSource } from '@kinvolk/headlamp-plugin/lib'
import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useState } from 'react'
import { type AnyObject, makeNodeClassObject, Node, NodeClaim, NodePool, Pod } from './cluster/classes.ts'
import { useDiscovery } from './cluster/discovery.ts'
import { type ServedClass, useNodeClasses } from './cluster/use-node-classes.ts'
import { drawn, kindIcons } from './components/kind-icons.ts'
import { ClaimLink, NodeLink, PodLink } from './components/links.tsx'
import { claimText } from './components/status-chip.tsx'
import { useHoldsOf } from './components/use-drift-holds.ts'
import { useThrottledEffect } from './components/use-throttled-effect.ts'
import type { Translate } from './locales/translate.ts'
import { useT } from './locales/use-t.ts'
import type { HoldsByClaim } from './model/drift-holds.ts'
import { displayedKinds } from './model/generated/displayed-kinds.ts'
import { buildGraph, type GraphItem, type NodeItem } from './model/graph.ts'
import { isSettled } from './model/live-lists.ts'
import { objectName, textAt } from './model/read.ts'

interface List {
  readonly items: AnyObject[] | null
  readonly error?: unknown
}

const bare = ({ items }: List): readonly unknown[] => (items ?? []).map(({ jsonData }) => jsonData)

/**
 * The weight decreases from the NodePool to the pods. Headlamp names a group after its heaviest item, so each group is
 * named after its NodePool.
 */
const WEIGHT: Readonly<Record<GraphItem['kind'], number>> = {
  NodePool: 5000,
  NodeClass: 4900,
  NodeClaim: 4000,
  NodeClaims: 4000,
  Node: 2000,
  Pods: 1000,
  PendingPods: 1100,
}

const SUBTITLES = { NodeClaims: 'nodeClaims', Pods: 'pods', PendingPods: 'pendingPods' } as const

const NOTHING = { nodes: [], edges: [] }
const MOST_ROWS = 200

/** Returns a component that lists the objects that a box on the map only counts. */
const members = (kind: GraphItem['kind'], objects: readonly unknown[]) =>
  function Members() {
    const t = useT()
    const isPods = kind !== 'NodeClaims'
    return (
      <SectionBox title={t(isPods ? 'pods' : 'nodeClaims')}>
        <SimpleTable
          rowsPerPage={[15, 50]}
          columns={[
            {
              label: t('name'),
              getter: (object: object) =>
                isPods ? (
                  <PodLink name={objectName(object)} namespace={textAt(object, 'metadata', 'namespace') ?? ''} />
                ) : (
                  <ClaimLink name={objectName(object)} />
                ),
            },
            ...(isPods
              ? [
                  {
                    label: t('namespace'),
                    getter: (object: object) => textAt(object, 'metadata', 'namespace') ?? '',
                  },
                ]
              : []),
          ]}
          data={objects.slice(0, MOST_ROWS) as object[]}
        />
      </SectionBox>
    )
  }

/** Returns a component that shows a Node's link and its pods. */
const nodeDetails = ({ name, members: pods }: NodeItem) => {
  const Pods = members('Pods', pods)
  return function NodeDetails() {
    const t = useT()
    return (
      <>
        <SectionBox title={t('node')}>
          <NodeLink name={name} />
        </SectionBox>
        <Pods />
      </>
    )
  }
}

const labelOf = (kind: 'NodeClaims' | 'Pods' | 'PendingPods', count: number, t: Translate): string => {
  switch (kind) {
    case 'NodeClaims':
      return t('countClaims', { count })
    case 'Pods':
      return t('countPods', { count })
    case 'PendingPods':
      return t('countPending', { count })
  }
}

type GraphSource = Parameters<typeof registerMapSource>[0]
type Drawn = NonNullable<ReturnType<Extract<GraphSource, { useData: unknown }>['useData']>>
type DrawnNode = NonNullable<Drawn['nodes']>[number]

interface Shown {
  readonly pools: List
  readonly claims: List
  readonly nodes: List
  readonly pods: List
  readonly classes: readonly ServedClass[]
  /** What keeps drifted nodes, by the name of the NodeClaim. */
  readonly holds: HoldsByClaim
}

/** Returns the second line of a NodeClaim's box. If the claim has a problem, it is the same text as on the claim's chip in lists. */
const claimSubtitle = (claim: unknown, status: GraphItem['status'], holds: HoldsByClaim, t: Translate): object =>
  status === 'success' ? {} : { subtitle: `NodeClaim · ${claimText(claim, t, holds.has(objectName(claim)))}` }

const drawnOf = ({ pools, claims, nodes, pods, classes, holds }: Shown, cluster: string, t: Translate): Drawn => {
  const wrapped = new Map<unknown, AnyObject>()
  for (const { items } of [pools, claims]) for (const item of items ?? []) wrapped.set(item.jsonData, item)
  const found = buildGraph({
    pools: bare(pools),
    claims: bare(claims),
    nodes: bare(nodes),
    pods: bare(pods),
    classes: classes.map(({ served: { group, kind, plural, version }, object }) => {
      const Class = makeNodeClassObject(group, kind, plural, version)
      wrapped.set(object, new Class(object as never, cluster) as AnyObject)
      return { group, kind, object }
    }),
  })
  const drawnNodes = found.items.flatMap((item): readonly DrawnNode[] => {
    const common = { id: item.id, status: item.status, weight: WEIGHT[item.kind] }
    if (item.kind === 'Node')
      return [
        {
          ...common,
          label: item.name,
          subtitle: `${t('node')} · ${t('countPods', { count: item.members.length })}`,
          icon: <Icon icon={drawn('Node')} width="42px" height="42px" />,
          detailsComponent: nodeDetails(item),
        },
      ]
    if ('members' in item) {
      const isPods = item.kind !== 'NodeClaims'
      return [
        {
          ...common,
          label: labelOf(item.kind, item.members.length, t),
          subtitle: t(SUBTITLES[item.kind]),
          icon: <Icon icon={drawn(isPods ? 'Pod' : 'NodeClaim')} width="42px" height="42px" />,
          detailsComponent: members(item.kind, item.members),
        },
      ]
    }
    const kubeObject = wrapped.get(item.object)
    if (kubeObject === undefined) return []
    const told = item.kind === 'NodeClaim' ? claimSubtitle(item.object, item.status, holds, t) : {}
    return [{ ...common, ...told, kubeObject }]
  })
  return { nodes: drawnNodes, edges: [...found.links] }
}

/** The minimum time between two redraws of the map, in milliseconds. With 5,000 pods, a redraw takes a second. */
const DRAWN_EVERY = 5_000

/**
 * Provides NodePools, with their node classes, NodeClaims and pod counts, as one source of Headlamp's map. Uses the lists that are already
 * loaded, and the PodDisruptionBudgets. Its boxes have no links to the boxes of other sources.
 */
const useMap = (): Drawn | null => {
  const t = useT()
  const cluster = K8s.useCluster() ?? ''
  const discovery = useDiscovery()
  const pools = NodePool.useList() as List
  const claims = NodeClaim.useList() as List
  const nodes = Node.useList() as List
  const pods = Pod.useList() as List
  const budgets = K8s.ResourceClasses.PodDisruptionBudget.useList() as List
  const classes = useNodeClasses()
  const [graph, setGraph] = useState<Drawn | null>(null)
  const isReady = [pools, claims, nodes, pods].every(isSettled) && classes !== undefined
  const holds = useHoldsOf(
    () => ({ claims: bare(claims), nodes: bare(nodes), pods: bare(pods), budgets: bare(budgets) }),
    [claims.items, nodes.items, pods.items, budgets.items],
    !isReady || !isSettled(budgets),
  )
  useThrottledEffect(
    DRAWN_EVERY,
    () => setGraph(isReady ? drawnOf({ pools, claims, nodes, pods, classes, holds }, cluster, t) : null),
    [pools.items, claims.items, nodes.items, pods.items, classes, holds],
    `${isReady}/${cluster}`,
  )
  return discovery.state === 'absent' ? NOTHING : graph
}

/**
 * The source is registered once for all clusters. On a cluster without NodePools it shows nothing and does not delay
 * the map.
 */
export const mapSource = (t: Translate): GraphSource => ({ id: 'kerf', label: t('mapLabel'), useData: useMap })

/** Registers icons for resource kinds for which Headlamp has none. The map and the lists of kinds show them. */
export const registerKindIcons = (): void => {
  if (typeof registerKindIcon !== 'function') return
  const icon = (kind: string) => ({ icon: <Icon icon={drawn(kind)} width="100%" height="100%" />, color: '#326ce5' })
  for (const [kind, groups] of kindIcons) for (const group of groups) registerKindIcon(kind, icon(kind), group)
  for (const { kind, group } of displayedKinds) registerKindIcon(kind, icon('NodeClass'), group)
}
