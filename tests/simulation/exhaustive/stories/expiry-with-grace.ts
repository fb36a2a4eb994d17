import { simulatedPool } from '../../runs/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, podDisruptionBudget, storyRun } from './objects.ts'

const disruption = { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } as const
const template = { expireAfter: '90s', terminationGracePeriod: '40s' }

/**
 * A node expires while it runs a pod that its PodDisruptionBudget protects from eviction. Kerf terminates the node after the node's
 * terminationGracePeriod. Later nodes do not expire, so that the story ends.
 */
export const expiryWithGrace: Story = {
  name: 'expiry-with-grace',
  run: storyRun(106, { pools: [simulatedPool('open', { disruption }, template)], recoveredAt: 240_000 }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 1 }))],
    [1_000, apply(podDisruptionBudget('web', 0))],
    [1_000, apply(deployment('side', { cpu: '500m', replicas: 1 }))],
    [60_000, { kind: 'change-pool', name: 'open', spec: { template: { spec: { expireAfter: 'Never' } } } }],
  ]),
  most: 1,
  missing: (environment) =>
    environment
      .claims()
      .filter(({ spec }) => spec.expireAfter !== 'Never')
      .map(({ metadata }) => `claim ${metadata.name} has expired and is kept`),
}
