import { simulatedPool } from '../../runs/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, podDisruptionBudget, storyRun } from './objects.ts'

/** A static NodePool shrinks from three nodes to one. All pods fit on the remaining node. */
export const staticScaleDown: Story = {
  name: 'static-scale-down',
  run: storyRun(107, { pools: [simulatedPool('fixed', { replicas: 3 })] }, [
    [1_000, apply(deployment('web', { cpu: '400m', replicas: 3 }))],
    [1_000, apply(podDisruptionBudget('web', 1))],
    [45_000, { kind: 'change-pool', name: 'fixed', spec: { replicas: 1 } }],
  ]),
  most: 3,
  missing: (environment) => [
    ...(environment.nodes().length === 1 ? [] : [`there are ${environment.nodes().length} nodes, not 1`]),
    ...(environment.pods().length === 3 ? [] : [`there are ${environment.pods().length} pods, not 3`]),
  ],
}
