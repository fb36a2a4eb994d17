import { karpenterKinds } from '@kerf/apis'
import { onTestFinished } from 'vitest'
import type { Cloud, VolumeZones } from '../../../tests/integration/volumes/volume-zones.ts'
import { ec2NodeClass } from '../src/testing/ec2-node-class.ts'
import { startFakeAwsStory } from '../tests/kerf-on-fake-aws.ts'
import { nodePool } from '../tests/node-pool.ts'

const aws: Cloud = {
  provider: 'aws',
  region: 'us-east-1',
  nodeClass: ec2NodeClass('default'),
  written: 'us-east-1b',
  zone: 'us-east-1b',
  type: 'm5.large',
  here: { written: 'us-east-1b', zone: 'us-east-1b' },
  launches: async (prepare) => {
    const story = await startFakeAwsStory(1)
    onTestFinished(() => story.close())
    await story.client.create(karpenterKinds.NodePool, nodePool())
    await prepare(story.client)
    await story.pass(60)
    return story.aws.ec2.launches.map(({ zone }) => zone)
  },
}

export const volumeZones: readonly VolumeZones[] = [{ cloud: aws, key: 'topology.ebs.csi.aws.com/zone' }]
