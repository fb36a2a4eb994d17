import { karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { ecsNodeClassDescriptor, ecsNodeClassKind } from '@kerf/provider-alibaba/node-class'
import { FakeAccount, FakeAlibaba, REGION, registeredNode } from '@kerf/provider-alibaba/testing'
import { SystemClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { CloudNodes } from '../../../tests/integration/kubelets/cloud-nodes.ts'
import { KerfProcess } from '../../../tests/integration/story/kerf-process.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { emptied, httpClient, installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { realUntil } from '../../../tests/integration/story/until.ts'
import { alibabaEnv } from '../src/testing/fake-alibaba/alibaba-env.ts'
import { serveAlibaba } from '../src/testing/fake-alibaba/loopback.ts'
import { JOIN_TOKEN } from '../src/testing/fake-alibaba/names.ts'

const classRef = { group: ecsNodeClassKind.group, kind: ecsNodeClassKind.kind, name: 'default' }
const UID_TAG = 'karpenter.k8s.alibabacloud/nodeclaim-uid'

describeWithCustomResources('kerf run --provider=alibaba', (shared) => {
  test('ten pods get instances, and nothing remains after the pods are deleted', async () => {
    const account = new FakeAccount(new SystemClock(), { startsFor: 3_000, stopsFor: 1_000 })
    const cloud = new FakeAlibaba(account)
    const served = await serveAlibaba(cloud)
    const { kubeconfig } = await emptied(shared())
    const client = httpClient(shared())
    await installCrds(client)
    const kerf = KerfProcess.start(kubeconfig, ['--provider=alibaba', '--disable-leader-election'], {
      ...alibabaEnv(served),
      SYSTEM_NAMESPACE: 'kube-system',
    })
    const nodes = new CloudNodes(client, () =>
      account.instances
        .living()
        .filter((instance) => account.statusOf(instance) === 'Running')
        .map((instance) => registeredNode(account, instance)),
    )
    nodes.start()
    const until = realUntil(client, () => kerf.output)
    const claims = async (): Promise<readonly NodeClaim[]> => (await client.list(karpenterKinds.NodeClaim)).items
    try {
      // The API server takes a moment to serve a new CRD.
      await until('the class served', async () => {
        const answers = await Promise.allSettled([client.list(ecsNodeClassKind), client.list(karpenterKinds.NodePool)])
        return answers.every(({ status }) => status === 'fulfilled')
      })
      await client.create(ecsNodeClassKind, ecsNodeClassDescriptor.example)
      await client.patch(
        ecsNodeClassKind,
        { name: 'default' },
        { type: 'merge', body: { spec: { tags: { team: 'web' } } } },
      )
      await client.create(karpenterKinds.NodePool, spreadPool(classRef))
      await client.create(kinds.Deployment, nginx(10))
      await until(
        'ten nginx pods running',
        async () =>
          (await running(client)).length === 10 && (await claims()).length === account.instances.living().length,
      )
      for (const { metadata, status } of await claims()) {
        const instance = account.instances.living().find(({ id }) => status?.providerID === `${REGION}.${id}`)
        expect(metadata.labels).toMatchObject({
          'node.kubernetes.io/instance-type': instance?.type,
          'topology.kubernetes.io/zone': instance?.zone,
        })
        expect(instance?.tags).toMatchObject({
          ...{ team: 'web', 'karpenter.sh/nodepool': 'general' },
          [UID_TAG]: metadata.uid,
        })
        expect(status?.imageID).toBe(instance?.image)
      }
      await client.patch(
        kinds.Deployment,
        { name: 'nginx', namespace: 'default' },
        { type: 'merge', body: { spec: { replicas: 0 } } },
      )
      await until('every instance gone', async () => account.instances.living().length === 0)
      await until('every claim gone', async () => (await claims()).length === 0)
      await client.delete(karpenterKinds.NodePool, { name: 'general' })
      await client.delete(ecsNodeClassKind, { name: 'default' })
      await until('the class gone', async () => (await client.list(ecsNodeClassKind)).items.length === 0)
      expect(await kerf.stop()).toBe(0)
      expect(cloud.problems).toEqual([])
      expect(kerf.output).not.toContain(JOIN_TOKEN)
    } finally {
      await kerf.kill()
      await nodes.stop()
      await client.close()
      await served.close()
    }
  })
})
