import type { Node, PodDisruptionBudget } from '@kerf/apis'
import {
  type ClaimOptions,
  createInitializedClaim,
  createPodDisruptionBudget,
  lifecycleWorld,
  type World,
  type WorldOptions,
} from './world/index.ts'

/** The annotation with the time that a pod takes to stop in the simulated kubelet. */
export const SLOW = 'pod-delete.stage.kwok.x-k8s.io/delay'
/** The spec of a pod that tolerates every taint. */
export const everything = { tolerations: [{ operator: 'Exists' }] } as const
export const minutes = (count: number): number => count * 60_000

/** Creates a world with one initialized node of the NodeClaim `a`. */
export const withNode = async (
  options: WorldOptions = {},
  claim: ClaimOptions = {},
): Promise<{ readonly world: World; readonly node: Node; readonly name: string }> => {
  const world = await lifecycleWorld(options)
  await createInitializedClaim(world, 'a', claim)
  const node = await world.node()
  return { world, node, name: node.metadata.name }
}

/** Creates a PodDisruptionBudget that allows no eviction of the app's pods. */
export const budget = async (world: World, name: string, app: string): Promise<PodDisruptionBudget> =>
  await createPodDisruptionBudget(world, name, { selector: { matchLabels: { app } }, maxUnavailable: 0 })
