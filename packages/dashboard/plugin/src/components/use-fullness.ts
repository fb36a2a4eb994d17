import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useState } from 'react'
import { isKnown, isWhole, liveItems, type LiveName, useLive } from '../cluster/live-objects.tsx'
import { type FullnessByName, fullnessByName } from '../model/fullness.ts'
import { useThrottledEffect } from './use-throttled-effect.ts'

const NODES_AND_PODS: readonly LiveName[] = ['nodes', 'pods']
/** The minimum time between two computations, in milliseconds. Each of them renders all rows of a table again. */
const EVERY = 5_000

/**
 * Returns how full the nodes and NodePools are. Returns undefined in these cases:
 * - Nodes or pods are unknown.
 * - The user is not allowed to list all pods.
 * - Several clusters are shown together, because nodes of two clusters may have the same name.
 */
export const useFullness = (): FullnessByName | undefined => {
  const lists = useLive(NODES_AND_PODS)
  const isOne = K8s.useSelectedClusters().length === 1
  const areKnown = isOne && isKnown(lists, 'nodes') && isWhole(lists, 'pods')
  const nodes = liveItems(lists, 'nodes')
  const pods = liveItems(lists, 'pods')
  const [found, setFound] = useState<FullnessByName>()
  useThrottledEffect(
    EVERY,
    () => setFound(areKnown ? fullnessByName(nodes, pods) : undefined),
    [nodes, pods],
    String(areKnown),
  )
  return found
}
