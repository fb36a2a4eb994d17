import { labels } from '@kerf/apis'
import { simulatedPool } from '../../runs/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, oneANode, storyRun } from './objects.ts'

const disruption = {
  consolidationPolicy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: '15s',
  budgets: [{ nodes: '100%' }],
} as const

/** On-demand only, because spot-to-spot consolidation has additional conditions. */
const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] }]

/** Three large nodes run one small pod each. Kerf launches one small node that replaces all three. */
export const consolidation: Story = {
  name: 'consolidation',
  run: storyRun(105, { pools: [simulatedPool('open', { disruption }, { requirements })] }, [
    [1_000, apply(deployment('spread', { cpu: '2500m', replicas: 3, spec: oneANode('spread') }))],
    [30_000, apply(deployment('web', { cpu: '500m', replicas: 3 }))],
    [60_000, { kind: 'scale', workload: 'Deployment', name: 'spread', replicas: 0 }],
  ]),
  most: 4,
  missing: (environment) => [
    ...(environment.nodes().length === 1 ? [] : [`there are ${environment.nodes().length} nodes, not 1`]),
    ...(environment.pods().length === 3 ? [] : [`there are ${environment.pods().length} pods, not 3`]),
  ],
}
