import { poolOf } from '../../course/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, oneANode, storyCourse } from './objects.ts'

/** Two pods that share no node: two claims, two machines, two nodes. */
export const launch: Story = {
  name: 'launch',
  course: storyCourse(101, { pools: [poolOf('open')] }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 2, spec: oneANode('web') }))],
  ]),
  most: 2,
  missing: (world) => {
    const running = world.pods().filter(({ status }) => status?.phase === 'Running').length
    return [
      ...(running === 2 ? [] : [`${running} of 2 pods run`]),
      ...(world.nodes().length === 2 ? [] : [`there are ${world.nodes().length} nodes, not 2`]),
    ]
  },
}
