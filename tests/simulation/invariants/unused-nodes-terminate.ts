import type { MakeInvariant } from './invariant.ts'
import { LAUNCHED_FOR, NodesWithPods } from './nodes-with-pods.ts'

/**
 * At the end, no node remains that was launched for expected pods but never had a pod. Kerf removes such a node regardless of
 * `consolidateAfter`, unless the node is protected from disruption.
 */
export const unusedNodesTerminate: MakeInvariant = (environment) => {
  const used = new NodesWithPods(environment)
  return {
    name: 'unused-nodes-terminate',
    always: () => {
      used.note()
      return []
    },
    eventually: () =>
      environment
        .claims()
        .filter(
          ({ metadata }) =>
            metadata.annotations?.[LAUNCHED_FOR] !== undefined &&
            metadata.annotations['karpenter.sh/do-not-disrupt'] !== 'true',
        )
        .filter((claim) => !used.hasHadPods(claim))
        .map(
          ({ metadata }) => `${metadata.name} was launched for expected pods, and no pod was ever bound to its node`,
        ),
  }
}
