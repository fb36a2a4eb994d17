import { simulatedPool } from '../../runs/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, storyRun } from './objects.ts'

const RELEASE = 'release'
const disruption = { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', budgets: [{ nodes: '1' }] } as const
const release = (value: string) =>
  ({
    kind: 'change-pool',
    name: 'open',
    spec: { template: { metadata: { labels: { [RELEASE]: value } } } },
  }) as const

/**
 * The NodePool's template changes, and is reverted right after Kerf has tainted the node that it will replace. Kerf completes the
 * replacement. If Kerf restarts in the middle, it finds a tainted node without drift and removes the taint.
 */
export const driftTakenBack: Story = {
  name: 'drift-taken-back',
  run: storyRun(109, { pools: [simulatedPool('open', { disruption }, {}, { [RELEASE]: '1' })] }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 1 }))],
    [45_000, release('2')],
    [50_500, release('1')],
  ]),
  most: 2,
  missing: (environment) => [
    ...(environment.nodes().length === 1 ? [] : [`there are ${environment.nodes().length} nodes, not 1`]),
    ...environment
      .nodes()
      .filter(({ metadata }) => metadata.labels?.[RELEASE] !== '1')
      .map(({ metadata }) => `node ${metadata.name} is of release ${metadata.labels?.[RELEASE]}`),
  ],
}
