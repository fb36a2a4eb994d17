import type { ClusterPolicy, Milliseconds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { Randomness } from './randomness.ts'
import type { Step } from './simulated-run.ts'

type CeilingSpec = NonNullable<ClusterPolicy['spec']['ceilings']>

/** Draws ceilings that are low enough for the workloads of most runs to reach them. */
const drawCeilings = (randomness: Randomness): CeilingSpec => {
  const surge = randomness.of([0, 1, 1, 1, 2])
  const amounts: readonly CeilingSpec[] = [
    { nodes: randomness.between(1, 6) },
    { resources: { cpu: randomness.between(4, 30) } },
    { resources: { memory: `${randomness.between(16, 100)}Gi` } },
    { nodes: randomness.between(2, 8), resources: { cpu: randomness.between(8, 40) } },
  ]
  return { ...randomness.of(amounts), surge }
}

/**
 * Draws the users' changes of the ClusterPolicy. In a quarter of the seeds they create one, and in half of these they change it later. The
 * stream of random numbers is separate, so that all other draws of a seed stay the same.
 *
 * @param life the time until which users act
 */
export const drawPolicySteps = (seed: number, life: Milliseconds): readonly Step[] => {
  const randomness = new Randomness(new SeededRandom(`policies-${seed}`))
  if (!randomness.happens(1 / 4)) return []
  const at = randomness.happens(0.5) ? 0 : randomness.between(1, life / 2)
  const object: ClusterPolicy = {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec: { ceilings: drawCeilings(randomness) },
  }
  const created: Step = { id: 'p0', at, action: { kind: 'apply', object } }
  if (!randomness.happens(0.5)) return [created]
  // Like `kubectl patch`, a merge patch keeps the other ceilings.
  const spec = { ceilings: drawCeilings(randomness) }
  return [created, { id: 'p1', at: randomness.between(at + 1, life), action: { kind: 'change-policy', spec } }]
}
