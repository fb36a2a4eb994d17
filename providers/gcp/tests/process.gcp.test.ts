import { karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { gceNodeClassKind } from '@kerf/provider-gcp/node-class'
import { FakeGcp, gcpEnv, publishImages, serveGcp, sourceTemplate } from '@kerf/provider-gcp/testing'
import { gceNodeClass } from '@kerf/provider-gcp/testing/node-class'
import { SystemClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { KerfProcess } from '../../../tests/integration/story/kerf-process.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { emptied, httpClient, installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { realUntil } from '../../../tests/integration/story/until.ts'
import { gcpNodes } from './gcp-nodes.ts'

const classRef = { group: 'karpenter.k8s.gcp', kind: 'GCENodeClass', name: 'default' }

describeWithCustomResources('kerf run --provider=gcp', (shared) => {
  test('ten pods get instances, and nothing remains after the pods are deleted', async () => {
    const gcp = new FakeGcp(new SystemClock(), { insert: 3_000, delete: 1_000 })
    gcp.templates = [sourceTemplate('default-pool')]
    // For Arm, Kerf would read a hash from Google's public server.
    gcp.offer.types = gcp.offer.types.filter(({ arch }) => arch === 'amd64')
    const served = await serveGcp(gcp)
    const { env, close } = await gcpEnv(served.endpoint)
    const { kubeconfig } = await emptied(shared())
    const client = httpClient(shared())
    await installCrds(client)
    await publishImages(gcp, client, '125-19216-220-12', 0)
    const kerf = KerfProcess.start(kubeconfig, ['--provider=gcp', '--disable-leader-election'], {
      ...env,
      SYSTEM_NAMESPACE: 'kube-system',
    })
    const nodes = gcpNodes(client, gcp)
    nodes.start()
    const until = realUntil(client, () => kerf.output)
    const claims = async (): Promise<readonly NodeClaim[]> => (await client.list(karpenterKinds.NodeClaim)).items
    try {
      // The API server takes a moment to serve a new CRD.
      await until('the class served', async () => {
        const answers = await Promise.allSettled([client.list(gceNodeClassKind), client.list(karpenterKinds.NodePool)])
        return answers.every(({ status }) => status === 'fulfilled')
      })
      await client.create(gceNodeClassKind, gceNodeClass('default', { spec: { labels: { team: 'web' } } }))
      await client.create(karpenterKinds.NodePool, spreadPool(classRef))
      await client.create(kinds.Deployment, nginx(10))
      await until(
        'ten nginx pods running',
        async () => (await running(client)).length === 10 && (await claims()).length === gcp.instances.all().length,
      )
      for (const { metadata, status } of await claims()) {
        const instance = gcp.instances.all().find(({ body }) => body.name === status?.nodeName)
        expect(metadata.labels).toMatchObject({
          'node.kubernetes.io/instance-type': instance?.facts.name,
          'topology.kubernetes.io/zone': instance?.zone,
        })
        expect(instance?.body.labels).toMatchObject({ team: 'web', 'karpenter-sh-nodepool': 'general' })
        expect(status?.imageID).toContain('projects/gke-node-images/global/images/')
      }
      await client.patch(
        kinds.Deployment,
        { name: 'nginx', namespace: 'default' },
        { type: 'merge', body: { spec: { replicas: 0 } } },
      )
      await until('every instance gone', async () => gcp.instances.all().length === 0)
      await until('every claim gone', async () => (await claims()).length === 0)
      await client.delete(karpenterKinds.NodePool, { name: 'general' })
      await client.delete(gceNodeClassKind, { name: 'default' })
      await until('the class gone', async () => (await client.list(gceNodeClassKind)).items.length === 0)
      expect(await kerf.stop()).toBe(0)
    } finally {
      await kerf.kill()
      await nodes.stop()
      await client.close()
      served.close()
      await close()
    }
  })
})
