import { karpenterKinds, kinds, type NodeClaim, type ResourceKind } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { oracleNodeClassKind } from '@kerf/provider-oci/node-class'
import { createClasses, FakeAccount, FakeOci, registeredNode } from '@kerf/provider-oci/testing'
import { SystemClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { CloudNodes } from '../../../tests/integration/kubelets/cloud-nodes.ts'
import { KerfProcess } from '../../../tests/integration/story/kerf-process.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { emptied, httpClient, installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { realUntil } from '../../../tests/integration/story/until.ts'
import { zoneOfDomain } from '../src/availability-domain.ts'
import { freeformTagKeys } from '../src/instances/tags.ts'
import { communityNodeClassKind } from '../src/node-class/community-node-class.ts'
import { fakeKey } from '../src/testing/fake-oci/fake-oci.ts'
import { serveOci } from '../src/testing/fake-oci/loopback.ts'
import { ociEnv } from '../src/testing/fake-oci/oci-env.ts'

const { group, kind } = oracleNodeClassKind
const classKinds: readonly ResourceKind[] = [oracleNodeClassKind, communityNodeClassKind]

describeWithCustomResources('kerf run --provider=oci', (shared) => {
  test('ten pods get instances, and nothing remains after the pods are deleted', async () => {
    const account = new FakeAccount(new SystemClock(), { startsFor: 3_000, stopsFor: 1_000 })
    const cloud = new FakeOci(account)
    const served = await serveOci(cloud)
    const { env, close } = ociEnv(served.url)
    const { kubeconfig } = await emptied(shared())
    const client = httpClient(shared())
    await installCrds(client)
    const kerf = KerfProcess.start(kubeconfig, ['--provider=oci', '--disable-leader-election'], {
      ...env,
      SYSTEM_NAMESPACE: 'kube-system',
    })
    const nodes = new CloudNodes(client, () =>
      account.instances
        .living()
        .filter((instance) => account.lifecycleState(instance) === 'RUNNING')
        .map((instance) => registeredNode(account, instance, 'oracle')),
    )
    nodes.start()
    const until = realUntil(client, () => kerf.output)
    const claims = async (): Promise<readonly NodeClaim[]> => (await client.list(karpenterKinds.NodeClaim)).items
    try {
      // The API server takes a moment to serve a new CRD.
      await until('the classes served', async () => {
        const answers = await Promise.allSettled(
          [...classKinds, karpenterKinds.NodePool].map((each) => client.list(each)),
        )
        return answers.every(({ status }) => status === 'fulfilled')
      })
      await createClasses(client, {
        oracle: { shapeConfigs: [{ ocpus: 2, memoryInGbs: 16 }], freeformTags: { team: 'web' } },
      })
      await client.create(karpenterKinds.NodePool, spreadPool({ group, kind, name: 'default' }))
      await client.create(kinds.Deployment, nginx(10))
      await until(
        'ten nginx pods running',
        async () =>
          (await running(client)).length === 10 && (await claims()).length === account.instances.living().length,
      )
      for (const { metadata, status } of await claims()) {
        const instance = account.instances.living().find(({ id }) => status?.providerID === id)
        expect(metadata.labels).toMatchObject({
          'oci.oraclecloud.com/instance-shape': instance?.details.shape,
          'topology.kubernetes.io/zone': zoneOfDomain(instance?.details.availabilityDomain ?? ''),
        })
        expect(instance?.details.freeformTags).toMatchObject({
          ...{ team: 'web', [freeformTagKeys.nodePool]: 'general', [freeformTagKeys.cluster]: 'demo' },
          [freeformTagKeys.nodeClaimUid]: metadata.uid,
        })
        expect(status?.imageID).toBe(instance?.details.sourceDetails.imageId)
      }
      await client.patch(
        kinds.Deployment,
        { name: 'nginx', namespace: 'default' },
        { type: 'merge', body: { spec: { replicas: 0 } } },
      )
      await until('every instance gone', async () => account.instances.living().length === 0)
      await until('every claim gone', async () => (await claims()).length === 0)
      await client.delete(karpenterKinds.NodePool, { name: 'general' })
      for (const each of classKinds) await client.delete(each, { name: 'default' })
      await until('the classes gone', async () => {
        const lists = await Promise.all(classKinds.map((each) => client.list(each)))
        return lists.every(({ items }) => items.length === 0)
      })
      expect(await kerf.stop()).toBe(0)
      // Every request was valid for the SDK's models.
      expect(cloud.problems).toEqual([])
      expect(kerf.output).not.toContain(fakeKey.privateKey.split('\n')[1])
    } finally {
      await kerf.kill()
      await nodes.stop()
      await client.close()
      await served.close()
      close()
    }
  })
})
