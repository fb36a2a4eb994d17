import type { Milliseconds, NodePoolPolicy } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { Randomness } from './randomness.ts'
import type { Step } from './simulated-run.ts'

/** The label by which the policy selects namespaces. */
export const GUEST_LABEL = 'guest'
/** The NodePools that not every pod may use. Every pod can also use other NodePools. */
export const RESTRICTED_POOLS: readonly string[] = ['limited', 'late']

const guests: NodePoolPolicy = {
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'NodePoolPolicy',
  metadata: { name: 'guests' },
  spec: {
    targetRefs: RESTRICTED_POOLS.map((name) => ({ group: 'karpenter.sh', kind: 'NodePool', name })),
    access: { namespaceSelector: { matchLabels: { [GUEST_LABEL]: 'yes' } } },
  },
}

/**
 * Draws what users do with NodePoolPolicies: in a fifth of the seeds they create one with a section `access`, and change at times whether
 * its selector matches the namespace of the pods. The stream of random numbers is separate, so that all other draws of a seed stay the same.
 *
 * @param life the time until which users act
 */
export const drawPoolPolicySteps = (seed: number, life: Milliseconds): readonly Step[] => {
  const randomness = new Randomness(new SeededRandom(`pool-policies-${seed}`))
  if (!randomness.happens(1 / 5)) return []
  const from = randomness.happens(0.7) ? 0 : randomness.between(1, life / 2)
  const created: Step = { id: 'q0', at: from, action: { kind: 'apply', object: guests } }
  const times = Array.from({ length: randomness.between(0, 3) }, () => randomness.between(5_000, life))
  return [
    created,
    ...times
      .sort((a, b) => a - b)
      .map((at, index): Step => {
        const value = index % 2 === 0 ? 'yes' : 'no'
        return { id: `q${index + 1}`, at, action: { kind: 'label-namespace', value } }
      }),
  ]
}
