import { labels } from '@kerf/apis'
import { simulatedPool } from '../../runs/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, oneANode, podDisruptionBudget, storyRun } from './objects.ts'

const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: ['spot'] }]

/** The cloud interrupts one of two spot instances. Its pod moves to a new instance within the two-minute notice. */
export const spotInterruption: Story = {
  name: 'spot-interruption',
  run: storyRun(102, { pools: [simulatedPool('open', {}, { requirements })] }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 2, spec: oneANode('web') }))],
    [1_000, apply(podDisruptionBudget('web', 1))],
    [60_000, { fault: { kind: 'spot-notice', pick: 0 } }],
  ]),
  most: 2,
  missing: (environment) => {
    const instances = environment.billedInstances().filter(({ providerID }) => environment.interrupted.has(providerID))
    return [
      ...(environment.interrupted.size === 1 ? [] : ['no instance was interrupted']),
      ...instances.map(({ providerID }) => `${providerID} was interrupted and still exists`),
      ...(environment.nodes().length === 2 ? [] : [`there are ${environment.nodes().length} nodes, not 2`]),
    ]
  },
}
