import { simulatedPool } from '../../runs/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, oneANode, podDisruptionBudget, storyRun } from './objects.ts'

const RELEASE = 'release'
const disruption = { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', budgets: [{ nodes: '1' }] } as const

/** The NodePool's template changes. Kerf replaces two nodes, one after the other. */
export const drift: Story = {
  name: 'drift',
  run: storyRun(103, { pools: [simulatedPool('open', { disruption }, {}, { [RELEASE]: '1' })] }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 2, spec: oneANode('web') }))],
    [1_000, apply(podDisruptionBudget('web', 1))],
    [45_000, { kind: 'change-pool', name: 'open', spec: { template: { metadata: { labels: { [RELEASE]: '2' } } } } }],
  ]),
  most: 3,
  missing: (environment) => [
    ...(environment.nodes().length === 2 ? [] : [`there are ${environment.nodes().length} nodes, not 2`]),
    ...environment
      .nodes()
      .filter(({ metadata }) => metadata.labels?.[RELEASE] !== '2')
      .map(({ metadata }) => `node ${metadata.name} is of release ${metadata.labels?.[RELEASE]}`),
  ],
}
