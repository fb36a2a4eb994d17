import type { PoolCount } from '@kerf/controllers/cluster-view'
import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useMemo } from 'react'
import { type ClusterObjects, poolCounts } from '../model/cluster-snapshot.ts'
import { type AnyObject, NodeClaim, NodePool } from './classes.ts'
import { isForbidden } from './discovery.ts'

/** Objects that a page computes with, and which of their kinds the user may not list. */
export interface Loaded {
  readonly objects: ClusterObjects
  readonly forbidden: readonly string[]
  /** The kinds of which nothing is known: they are loading, or may not be read. Their lists are empty and mean nothing. */
  readonly notKnown: ReadonlySet<keyof ClusterObjects>
  readonly isLoading: boolean
}

interface List {
  readonly items: AnyObject[] | null
  readonly error?: unknown
}

const bare = (list: List): readonly unknown[] => (list.items ?? []).map(({ jsonData }) => jsonData)

const useBare = (list: List): readonly unknown[] => useMemo(() => bare(list), [list.items])

const { DaemonSet, Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } = K8s.ResourceClasses

/** Pools and claims, live: for pages that need no pods. */
export const usePoolsAndClaims = () => {
  const pools = NodePool.useList() as List
  const claims = NodeClaim.useList() as List
  return {
    pools: useBare(pools),
    claims: useBare(claims),
    arePoolsKnown: pools.items !== null,
    areClaimsKnown: claims.items !== null,
  }
}

/** The nodes of each pool as budgets count them; nothing while nodes or claims are not known. */
export const usePoolCounts = (): ReadonlyMap<string, PoolCount> | undefined => {
  const { items: nodes } = Node.useList() as List
  const { items: claims } = NodeClaim.useList() as List
  return useMemo(() => {
    if (nodes === null || claims === null) return undefined
    return poolCounts(
      nodes.map(({ jsonData }) => jsonData),
      claims.map(({ jsonData }) => jsonData),
    )
  }, [nodes, claims])
}

/** Everything that the engine reads, live. */
export const useClusterObjects = (): Loaded => {
  const lists = {
    pools: NodePool.useList() as List,
    claims: NodeClaim.useList() as List,
    nodes: Node.useList() as List,
    pods: Pod.useList() as List,
    daemonSets: DaemonSet.useList() as List,
    namespaces: Namespace.useList() as List,
    persistentVolumeClaims: PersistentVolumeClaim.useList() as List,
    persistentVolumes: PersistentVolume.useList() as List,
    storageClasses: StorageClass.useList() as List,
  } satisfies Record<keyof ClusterObjects, List>
  const all = Object.entries(lists)
  const objects = useMemo(
    () => Object.fromEntries(all.map(([name, list]) => [name, bare(list)])) as unknown as ClusterObjects,
    all.map(([, list]) => list.items),
  )
  return {
    objects,
    forbidden: all.flatMap(([name, { error }]) => (isForbidden(error) ? [name] : [])),
    notKnown: useMemo(
      () => new Set(all.flatMap(([name, { items }]) => (items === null ? [name as keyof ClusterObjects] : []))),
      all.map(([, { items }]) => items === null),
    ),
    isLoading: all.some(([, { items, error }]) => items === null && (error === null || error === undefined)),
  }
}
