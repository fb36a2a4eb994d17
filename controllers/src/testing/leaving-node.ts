import { kinds, type Node, type PodDisruptionBudget } from '@kerf/apis'
import { type ClaimTraits, LifeWorld, type LifeWorldOptions } from './life-world.ts'

/** How long a pod takes to stop, as the simulated kubelet reads it. */
export const SLOW = 'pod-delete.stage.kwok.x-k8s.io/delay'
/** The spec of a pod that tolerates every taint. */
export const everything = { tolerations: [{ operator: 'Exists' }] } as const
export const minutes = (count: number): number => count * 60_000

/** A world with one initialised node, of the claim `a`. */
export const withNode = async (
  options: LifeWorldOptions = {},
  traits: ClaimTraits = {},
): Promise<{ readonly world: LifeWorld; readonly node: Node; readonly name: string }> => {
  const world = await LifeWorld.create(options)
  await world.readyClaim('a', traits)
  const node = await world.node()
  return { world, node, name: node.metadata.name }
}

/** A budget that allows nothing for the pods of an app. */
export const budget = async (world: LifeWorld, name: string, app: string): Promise<PodDisruptionBudget> =>
  await world.admin.create(kinds.PodDisruptionBudget, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app } }, maxUnavailable: 0 },
  })

/** The messages of the events of one reason, in order. */
export const messages = (world: LifeWorld, reason: string): readonly string[] =>
  world.events.events.filter((event) => event.reason === reason).map(({ message }) => message)
