import { K8s, type registerMapSource } from '@kinvolk/headlamp-plugin/lib'
import { useMemo } from 'react'
import { type AnyObject, Node, NodeClaim, nodeClassOf, NodePool, Pod } from './cluster/classes.ts'
import { useDiscovery } from './cluster/discovery.ts'
import { useNodeClasses } from './cluster/use-node-classes.ts'
import type { Translate } from './locales/translate.ts'
import { type GraphItem, graphOf } from './model/graph.ts'
import { textAt } from './model/read.ts'

interface List {
  readonly items: AnyObject[] | null
  readonly error?: unknown
}

const isSettled = ({ items, error }: List): boolean => items !== null || (error !== null && error !== undefined)

/** In the order of a node's life, from what it is made of to what runs on it. */
const WEIGHT: Readonly<Record<GraphItem['kind'], number>> = {
  NodeClass: 5000,
  NodePool: 4500,
  NodeClaim: 4000,
  Node: 2000,
  Pod: 1000,
}

const NOTHING = { nodes: [], edges: [] }

/**
 * Classes, pools, claims, nodes and pods as one source of Headlamp's map. Nodes and pods are the host's own lists and carry
 * their uid, so that its other sources show the same and nothing is loaded or drawn twice.
 */
const useMap = () => {
  const cluster = K8s.useCluster() ?? ''
  const discovery = useDiscovery()
  const pools = NodePool.useList() as List
  const claims = NodeClaim.useList() as List
  const nodes = Node.useList() as List
  const pods = Pod.useList() as List
  const classes = useNodeClasses()
  const isReady = [pools, claims, nodes, pods].every(isSettled) && classes !== undefined
  const graph = useMemo(() => {
    if (!isReady) return null
    const wrapped = new Map<string, AnyObject>()
    const bare = ({ items }: List): readonly unknown[] =>
      (items ?? []).map((object) => {
        wrapped.set(textAt(object.jsonData, 'metadata', 'uid') ?? '', object)
        return object.jsonData
      })
    const found = graphOf({
      pools: bare(pools),
      claims: bare(claims),
      nodes: bare(nodes),
      pods: bare(pods),
      classes: classes.map(({ served: { group, kind, plural, version }, object }) => {
        const Class = nodeClassOf(group, kind, plural, version)
        const made = new Class(object as never, cluster) as AnyObject
        wrapped.set(textAt(object, 'metadata', 'uid') ?? '', made)
        return { group, kind, object }
      }),
    })
    return {
      nodes: found.items.flatMap(({ id, kind, status }) => {
        const kubeObject = wrapped.get(id)
        return kubeObject === undefined ? [] : [{ id, kubeObject, status, weight: WEIGHT[kind] }]
      }),
      edges: [...found.links],
    }
  }, [isReady, pools.items, claims.items, nodes.items, pods.items, classes, cluster])
  return discovery.state === 'absent' ? NOTHING : graph
}

type GraphSource = Parameters<typeof registerMapSource>[0]

/** Registered once; on a cluster without NodePools it has nothing to show and holds up nothing. */
export const mapSource = (t: Translate): GraphSource => ({ id: 'kerf', label: t('mapLabel'), useData: useMap })
