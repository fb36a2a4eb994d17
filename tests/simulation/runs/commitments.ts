import type { ClusterPolicy, Milliseconds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { Randomness } from './randomness.ts'
import type { Step } from './simulated-run.ts'

/**
 * The factor of the rates. With the same factor for every type, a savings plan saves the same share of every price, so the bill does not
 * depend on the order in which nodes use the plan.
 */
export const PLAN_FACTOR = 0.5

/**
 * Draws a savings plan in a fifth of the seeds. If the run has a ClusterPolicy, the plan becomes a section of it. The stream of random
 * numbers is separate, so that all other draws of a seed stay the same.
 *
 * @param life the time until which users act
 * @param policySteps the steps with the ClusterPolicy of the seed
 */
export const drawCommitmentSteps = (
  seed: number,
  life: Milliseconds,
  policySteps: readonly Step[],
): readonly Step[] => {
  const randomness = new Randomness(new SeededRandom(`commitments-${seed}`))
  if (!randomness.happens(1 / 5)) return []
  const committedUsdPerHour = String(randomness.between(5, 100) / 100)
  const commitments: ClusterPolicy['spec']['commitments'] = [
    { name: 'plan', prepaid: { committedUsdPerHour, rates: { factor: String(PLAN_FACTOR) }, share: '1' } },
  ]
  const later = randomness.between(1, life / 2)
  const [created] = policySteps
  if (created !== undefined)
    return [{ id: 'c0', at: created.at + 1, action: { kind: 'change-policy', spec: { commitments } } }]
  const object: ClusterPolicy = {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec: { commitments },
  }
  return [{ id: 'c0', at: randomness.happens(0.5) ? 0 : later, action: { kind: 'apply', object } }]
}
