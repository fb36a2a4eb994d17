import { apply, deployment, oneANode, storyRun } from '../../../../tests/simulation/exhaustive/stories/objects.ts'
import type { Story } from '../../../../tests/simulation/exhaustive/story.ts'
import { poolOn } from '../../../../tests/simulation/runs/cloud-names.ts'
import { simulatedPool } from '../../../../tests/simulation/runs/pools.ts'

/** A launch on Bizfly Cloud: Kerf signs in, reads flavors, images and networks, and creates one server for each of two claims. */
const launch: Story = {
  name: 'bizfly-launch',
  run: storyRun(110, { cloud: 'bizfly', pools: [poolOn('bizfly', simulatedPool('open'))] }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 2, spec: oneANode('web') }))],
  ]),
  most: 2,
  missing: (environment) => [
    ...(environment.pods().length === 2 ? [] : [`there are ${environment.pods().length} pods, not 2`]),
    ...(environment.nodes().length === 2 ? [] : [`there are ${environment.nodes().length} nodes, not 2`]),
  ],
}

export const stories: readonly Story[] = [launch]
