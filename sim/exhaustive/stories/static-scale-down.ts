import { poolOf } from '../../course/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, podDisruptionBudget, storyCourse } from './objects.ts'

/** A static pool shrinks from three nodes to one. The pods have room there. */
export const staticScaleDown: Story = {
  name: 'static-scale-down',
  course: storyCourse(107, { pools: [poolOf('fixed', { replicas: 3 })] }, [
    [1_000, apply(deployment('web', { cpu: '400m', replicas: 3 }))],
    [1_000, apply(podDisruptionBudget('web', 1))],
    [45_000, { kind: 'change-pool', name: 'fixed', spec: { replicas: 1 } }],
  ]),
  most: 3,
  missing: (world) => [
    ...(world.nodes().length === 1 ? [] : [`there are ${world.nodes().length} nodes, not 1`]),
    ...(world.pods().length === 3 ? [] : [`there are ${world.pods().length} pods, not 3`]),
  ],
}
