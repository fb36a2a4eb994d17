import { karpenterKinds, kinds } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KerfProcess } from '../../../tests/integration/story/kerf-process.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { httpClient, installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { realUntil } from '../../../tests/integration/story/until.ts'
import { AwsAccount, applyAll, CLUSTER, QUEUE } from './aws-story.ts'
import { NodeHarness } from './node-harness.ts'

let account: AwsAccount
beforeEach(async () => {
  account = await AwsAccount.open()
})
afterEach(() => account.close())

describeWithCustomResources('kerf run --provider aws', (shared) => {
  test('launches, is killed during a launch, and continues without launching anything twice', async () => {
    const cluster = shared()
    const client = httpClient(cluster)
    await installCrds(client)
    const start = (): KerfProcess =>
      KerfProcess.start(
        cluster.kubeconfig,
        [
          '--provider=aws',
          '--disable-leader-election',
          `--cluster-name=${CLUSTER}`,
          '--cluster-endpoint=https://demo.example.com',
          `--interruption-queue=${QUEUE}`,
          '--aws-region=us-east-1',
          `--aws-endpoint-url=${account.proxy.endpoint}`,
        ],
        { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', SYSTEM_NAMESPACE: 'kube-system' },
      )
    let kerf = start()
    const harness = new NodeHarness({ client, ec2: account.api().ec2, proxy: account.proxy })
    harness.start()
    const until = realUntil(client, () => kerf.output)
    const scale = (replicas: number): Promise<unknown> =>
      client.patch(
        kinds.Deployment,
        { name: 'nginx', namespace: 'default' },
        { type: 'merge', body: { spec: { replicas } } },
      )
    try {
      await applyAll(client, 2)
      await until('two pods running', async () => (await running(client)).length === 2)
      // Prices are stored for the next start.
      await until('prices kept', async () =>
        (await client.list(kinds.ConfigMap, { namespace: 'kube-system' })).items.some(
          ({ metadata }) => metadata.name === 'karpenter-aws-prices',
        ),
      )
      const fleets = account.proxy.count('CreateFleet')
      await scale(12)
      await until('a launch under way', async () => account.proxy.count('CreateFleet') > fleets)
      await kerf.kill()
      kerf = start()
      await until('twelve pods running', async () => (await running(client)).length === 12)
      // Instances that a crash left without a NodeClaim are terminated when they are half a minute old.
      await until('an instance for each claim', async () => {
        const claims = (await client.list(karpenterKinds.NodeClaim)).items
        const instances = await harness.instances()
        return (
          claims.length === instances.length &&
          claims.every(({ status }) =>
            instances.some(({ InstanceId = '' }) => status?.providerID?.endsWith(InstanceId)),
          )
        )
      })
      const tags = (await harness.instances()).map(
        ({ Tags = [] }) => Tags.find(({ Key }) => Key === 'kerf.sh/nodeclaims')?.Value ?? '',
      )
      for (const [group, instances] of Map.groupBy(tags, (tag) => tag))
        expect(instances.length).toBeLessThanOrEqual(group.split(' ').length)
      await scale(0)
      await until('every instance ended', async () => (await harness.instances()).length === 0)
      expect(await kerf.stop()).toBe(0)
    } finally {
      await kerf.kill()
      await harness.stop()
      await client.close()
    }
  })
})
