import type { Node, PodDisruptionBudget } from '@kerf/apis'
import {
  type ClaimOptions,
  createInitializedClaim,
  createPodDisruptionBudget,
  type Harness,
  type HarnessOptions,
  lifecycleHarness,
} from './harness/index.ts'

/** The annotation with the time that a pod takes to stop, for the simulated kubelet. */
export const SLOW = 'pod-delete.stage.kwok.x-k8s.io/delay'
/** A pod spec that tolerates every taint. */
export const everything = { tolerations: [{ operator: 'Exists' }] } as const
export const minutes = (count: number): number => count * 60_000

/** Starts a cluster with one initialized node, which belongs to the NodeClaim `a`. */
export const withNode = async (
  options: HarnessOptions = {},
  claim: ClaimOptions = {},
): Promise<{ readonly harness: Harness; readonly node: Node; readonly name: string }> => {
  const harness = await lifecycleHarness(options)
  await createInitializedClaim(harness, 'a', claim)
  const node = await harness.node()
  return { harness, node, name: node.metadata.name }
}

/** Creates a PodDisruptionBudget that allows no evictions of the app's pods. */
export const budget = async (harness: Harness, name: string, app: string): Promise<PodDisruptionBudget> =>
  await createPodDisruptionBudget(harness, name, { selector: { matchLabels: { app } }, maxUnavailable: 0 })
