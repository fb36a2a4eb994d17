import { simulatedPool } from '../../runs/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, oneANode, storyRun } from './objects.ts'

/** Two pods that cannot share a node lead to two NodeClaims, two instances and two nodes. */
export const launch: Story = {
  name: 'launch',
  run: storyRun(101, { pools: [simulatedPool('open')] }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 2, spec: oneANode('web') }))],
  ]),
  most: 2,
  missing: (environment) => {
    const running = environment.pods().filter(({ status }) => status?.phase === 'Running').length
    return [
      ...(running === 2 ? [] : [`${running} of 2 pods run`]),
      ...(environment.nodes().length === 2 ? [] : [`there are ${environment.nodes().length} nodes, not 2`]),
    ]
  },
}
