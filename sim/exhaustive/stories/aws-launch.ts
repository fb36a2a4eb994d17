import { poolOn } from '../../course/places.ts'
import { poolOf } from '../../course/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, oneANode, storyCourse } from './objects.ts'

/** The launch on the AWS provider: launch templates, a fleet for each of two claims, and what a start reads of the account. */
export const awsLaunch: Story = {
  name: 'aws-launch',
  course: storyCourse(110, { cloud: 'aws', pools: [poolOn('aws', poolOf('open'))] }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 2, spec: oneANode('web') }))],
  ]),
  most: 2,
  missing: (world) => [
    ...(world.pods().length === 2 ? [] : [`there are ${world.pods().length} pods, not 2`]),
    ...(world.nodes().length === 2 ? [] : [`there are ${world.nodes().length} nodes, not 2`]),
  ],
}
