import { labels } from '@kerf/apis'
import { poolOf } from '../../runs/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, oneANode, podDisruptionBudget, storyRun } from './objects.ts'

const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: ['spot'] }]

/** The cloud takes one of two spot machines back: its pod moves to a new one before the two minutes are over. */
export const spotInterruption: Story = {
  name: 'spot-interruption',
  run: storyRun(102, { pools: [poolOf('open', {}, { requirements })] }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 2, spec: oneANode('web') }))],
    [1_000, apply(podDisruptionBudget('web', 1))],
    [60_000, { fault: { kind: 'spot-notice', pick: 0 } }],
  ]),
  most: 2,
  missing: (environment) => {
    const machines = environment.billedInstances().filter(({ providerID }) => environment.interrupted.has(providerID))
    return [
      ...(environment.interrupted.size === 1 ? [] : ['no machine was taken back']),
      ...machines.map(({ providerID }) => `${providerID} was taken back and is there`),
      ...(environment.nodes().length === 2 ? [] : [`there are ${environment.nodes().length} nodes, not 2`]),
    ]
  },
}
