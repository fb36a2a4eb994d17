import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { gceNodeClassKind } from '@kerf/provider-gcp/node-class'
import { FakeGcp, gcpEnv, publishImages, serveGcp, sourceTemplate } from '@kerf/provider-gcp/testing'
import { gceNodeClass } from '@kerf/provider-gcp/testing/node-class'
import { SystemClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { playProcessStory } from '../../../tests/integration/story/process-story.ts'
import { runningNodes } from './gcp-nodes.ts'

describeWithCustomResources('kerf run --provider=gcp', (shared) => {
  test('ten pods get instances, and nothing remains after the pods are deleted', async () => {
    const gcp = new FakeGcp(new SystemClock(), { insert: 3_000, delete: 1_000 })
    gcp.templates = [sourceTemplate('default-pool')]
    // For Arm, Kerf would read a hash from Google's public server.
    gcp.offer.types = gcp.offer.types.filter(({ arch }) => arch === 'amd64')
    const served = await serveGcp(gcp)
    onTestFinished(() => served.close())
    const { env, close } = await gcpEnv(served.endpoint)
    onTestFinished(close)
    await playProcessStory(shared(), {
      ...{ provider: 'gcp', env, classKinds: [gceNodeClassKind] },
      createClasses: async (client) => {
        await publishImages(gcp, client, '125-19216-220-12', 0)
        await client.create(gceNodeClassKind, gceNodeClass('default', { spec: { labels: { team: 'web' } } }))
      },
      nodes: () => runningNodes(gcp),
      instances: () => gcp.instances.all().length,
      check: ({ metadata, status }) => {
        const instance = gcp.instances.all().find(({ body }) => body.name === status?.nodeName)
        expect(metadata.labels).toMatchObject({
          'node.kubernetes.io/instance-type': instance?.facts.name,
          'topology.kubernetes.io/zone': instance?.zone,
        })
        expect(instance?.body.labels).toMatchObject({ team: 'web', 'karpenter-sh-nodepool': 'general' })
        expect(status?.imageID).toContain('projects/gke-node-images/global/images/')
      },
    })
  })
})
