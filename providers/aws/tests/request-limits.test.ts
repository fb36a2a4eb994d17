import { karpenterKinds, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { nginx } from '../../../tests/integration/story/spread-objects.ts'
import { createClass, goodSpec } from './class-objects.ts'
import { startFakeAwsStory } from './kerf-on-fake-aws.ts'
import { nodePool } from './node-pool.ts'

const PODS = 300

test(`${PODS} pods that are pending at the start get their nodes within the request limits of EC2`, async () => {
  const story = await startFakeAwsStory(1, {
    prepare: async (client) => {
      await createClass(client, 'default', goodSpec)
      const pool = nodePool()
      const { template } = pool.spec
      // A node fits only one of the pods.
      const requirements = [{ key: 'karpenter.k8s.aws/instance-size', operator: 'In' as const, values: ['large'] }]
      await client.create(karpenterKinds.NodePool, {
        ...pool,
        spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, requirements } } },
      })
      await client.create(kinds.Deployment, nginx(PODS))
      return new Set()
    },
  })
  const { aws } = story
  try {
    await story.until('an instance for each pod', async () => aws.ec2.launches.length >= PODS)
    expect(aws.ec2.launches).toHaveLength(PODS)
    const { made } = aws.requests
    expect(made.filter(({ isRefused }) => isRefused)).toEqual([])
    // The NodeClaims could be from an earlier run, so Kerf asks EC2 for their instances, 200 claims per request. The other two requests are
    // the first rounds of garbage collection.
    expect(made.filter(({ action }) => action === 'DescribeInstances').length).toBeLessThanOrEqual(4)
    const times = aws.ec2.launches.map(({ at }) => at)
    expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(3_000)
  } finally {
    await story.close()
  }
})
