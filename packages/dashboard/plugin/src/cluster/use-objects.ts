import type { PoolCount } from '@kerf/controllers/cluster-view'
import { useCallback, useMemo } from 'react'
import { type ClusterObjects, poolCounts } from '../model/cluster-snapshot.ts'
import { textAt } from '../model/read.ts'
import { isForbidden } from './discovery.ts'
import { isKnown, isLoaded, isWhole, liveError, liveItems, type LiveName, useLive } from './live-objects.tsx'
import { useKept } from './use-kept.ts'

/** The objects that a page uses for its computations, and the resource kinds that are missing. */
export interface Loaded {
  readonly objects: ClusterObjects
  readonly forbidden: readonly string[]
  /**
   * The resource kinds that are still loading or that the user is not allowed to list. Their lists are empty even if the cluster has such
   * objects.
   */
  readonly notKnown: ReadonlySet<keyof ClusterObjects>
  /** True if the page has all pods of the cluster. False if the user is not allowed to list them, or watches only some namespaces. */
  readonly areAllPods: boolean
  readonly isLoading: boolean
  /** The resource kinds whose lists are still loading. */
  readonly loading: ReadonlySet<keyof ClusterObjects>
}

const POOLS_AND_CLAIMS: readonly LiveName[] = ['pools', 'claims']
const CLAIMS_AND_PODS: readonly LiveName[] = ['claims', 'pods']
const NODES_AND_CLAIMS: readonly LiveName[] = ['nodes', 'claims']
const NONE: readonly LiveName[] = []
const ALL = [
  'pools',
  'claims',
  'nodes',
  'pods',
  'daemonSets',
  'namespaces',
  'persistentVolumeClaims',
  'persistentVolumes',
  'storageClasses',
] as const satisfies readonly (keyof ClusterObjects)[]

/** Returns live lists of pools and claims, for pages that need no pods. */
export const usePoolsAndClaims = () => {
  const lists = useLive(POOLS_AND_CLAIMS)
  return {
    pools: liveItems(lists, 'pools'),
    claims: liveItems(lists, 'claims'),
    arePoolsKnown: isKnown(lists, 'pools'),
    areClaimsKnown: isKnown(lists, 'claims'),
    isLoading: POOLS_AND_CLAIMS.some((name) => !isLoaded(lists, name)),
  }
}

const counted = new WeakMap<
  readonly unknown[],
  { readonly nodes: readonly unknown[]; readonly counts: ReadonlyMap<string, PoolCount> }
>()

/** Returns the number of nodes by pool. Computed only once for all components that read the same lists. */
const nodeCounts = (nodes: readonly unknown[], claims: readonly unknown[]): ReadonlyMap<string, PoolCount> => {
  const known = counted.get(claims)
  if (known !== undefined && known.nodes === nodes) return known.counts
  const counts = poolCounts(nodes, claims)
  counted.set(claims, { nodes, counts })
  return counts
}

/**
 * Returns the number of nodes of each pool, counted in the same way as for budgets. Returns undefined while nodes or claims are unknown.
 * Returns the same object while the numbers are the same.
 */
export const usePoolCounts = (isWanted = true): ReadonlyMap<string, PoolCount> | undefined => {
  const lists = useLive(isWanted ? NODES_AND_CLAIMS : NONE)
  const areKnown = isWanted && NODES_AND_CLAIMS.every((name) => isKnown(lists, name))
  const nodes = liveItems(lists, 'nodes')
  const claims = liveItems(lists, 'claims')
  return useKept(useMemo(() => (areKnown ? nodeCounts(nodes, claims) : undefined), [areKnown, nodes, claims]))
}

/** Returns whether the lists behind `usePoolCounts` are still loading. */
export const useAreCountsLoading = (): boolean => {
  const lists = useLive(NODES_AND_CLAIMS)
  return NODES_AND_CLAIMS.some((name) => !isLoaded(lists, name))
}

/** Returns all claims, and the pods on the node of each claim. */
export const useClaimPods = () => {
  const lists = useLive(CLAIMS_AND_PODS)
  const pods = liveItems(lists, 'pods')
  const byNode = useMemo(() => {
    const found = new Map<string, unknown[]>()
    for (const pod of pods) {
      const node = textAt(pod, 'spec', 'nodeName') ?? ''
      const list = found.get(node)
      if (list === undefined) found.set(node, [pod])
      else list.push(pod)
    }
    return found
  }, [pods])
  const podsOf = useCallback(
    (claim: unknown): readonly unknown[] => byNode.get(textAt(claim, 'status', 'nodeName') ?? ' ') ?? [],
    [byNode],
  )
  return { claims: liveItems(lists, 'claims'), podsOf }
}

/**
 * Returns a live and consistent snapshot of all objects that the engine needs. If `isWanted` is false, loads no lists and stays in the
 * loading state.
 */
export const useClusterObjects = (isWanted = true): Loaded => {
  const lists = useLive(isWanted ? ALL : NONE)
  const bare = ALL.map((name) => liveItems(lists, name))
  const objects = useMemo(
    () => Object.fromEntries(ALL.map((name, index) => [name, bare[index]])) as unknown as ClusterObjects,
    bare,
  )
  const unknown = ALL.filter((name) => !isKnown(lists, name))
  const notKnown = useMemo(() => new Set(unknown), [unknown.join()])
  const unloaded = ALL.filter((name) => !isLoaded(lists, name))
  const loading = useMemo(() => new Set(unloaded), [unloaded.join()])
  return {
    objects,
    notKnown,
    areAllPods: isWhole(lists, 'pods'),
    forbidden: ALL.filter((name) => isForbidden(liveError(lists, name))),
    isLoading: !isWanted || unloaded.length > 0,
    loading,
  }
}
