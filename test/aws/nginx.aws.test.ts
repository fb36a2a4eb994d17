import { type KubeObject, karpenterKinds, kinds } from '@kerf/apis'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { SeededRandom } from '@kerf/runtime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { running } from '../story/nginx-story.ts'
import { emptied, httpClient } from '../story/story-cluster.ts'
import { AwsAccount, type AwsStory, applyAll, CLUSTER, openSandbox, QUEUE, startAwsStory } from './aws-story.ts'
import { nodeConfigIn } from './node-config.ts'

const never = new AbortController().signal

let account: AwsAccount
// For each attempt its own: what one that failed left running is nobody else's.
beforeEach(async () => {
  account = await AwsAccount.open()
}, 10 * 60_000)
afterEach(() => account.close())

const scale = (story: AwsStory, replicas: number): Promise<unknown> =>
  story.client.patch(
    kinds.Deployment,
    { name: 'nginx', namespace: 'default' },
    { type: 'merge', body: { spec: { replicas } } },
  )

const gone = async (story: AwsStory, kind: Parameters<AwsStory['client']['list']>[0]): Promise<boolean> =>
  (await story.client.list<KubeObject>(kind)).items.length === 0

/** Ten pods get instances that are all that they should be; none leaves nothing behind. */
const tellNginxStory = async (story: AwsStory): Promise<void> => {
  const { client, proxy } = { client: story.client, proxy: story.account.proxy }
  await applyAll(client, 10)
  await story.until('ten nginx pods running', async () => (await running(client)).length === 10)
  const claims = (await client.list(karpenterKinds.NodeClaim)).items
  const instances = await story.harness.instances()
  expect(instances.length).toBe(claims.length)
  const subnets = (await client.get(karpenterKinds.EC2NodeClass, { name: 'default' })).status?.subnets ?? []
  expect(subnets.length).toBe(3)
  for (const instance of instances) {
    const {
      InstanceId: id = '',
      InstanceType: type,
      SubnetId: subnet,
      InstanceLifecycle: lifecycle,
      Tags = [],
    } = instance
    const tags = Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]))
    const claim = claims.find(({ status }) => status?.providerID?.endsWith(id) === true)
    expect(claim?.metadata.labels).toMatchObject({
      'node.kubernetes.io/instance-type': type,
      'karpenter.sh/capacity-type': 'spot',
    })
    expect(lifecycle).toBe('spot')
    expect(subnets.map((each) => each.id)).toContain(subnet)
    expect(tags).toMatchObject({
      team: 'web',
      [`kubernetes.io/cluster/${CLUSTER}`]: 'owned',
      'eks:eks-cluster-name': CLUSTER,
      'karpenter.sh/nodepool': 'general',
      'karpenter.k8s.aws/ec2nodeclass': 'default',
    })
    const template = proxy.templates.get(proxy.launchedFrom.get(id) ?? '')
    expect(template?.profile).toMatch(/^demo_\d+$/)
    expect(template?.securityGroups).toHaveLength(1)
    expect(template?.imageId).toBe(claim?.status?.imageID)
    const config = nodeConfigIn(template?.userData ?? '')
    expect(config.cluster).toMatchObject({ name: CLUSTER, apiServerEndpoint: 'https://demo.example.com' })
    expect(config.taints).toContainEqual({
      key: 'karpenter.sh/unregistered',
      effect: 'NoExecute',
    })
  }
  await story.until('the instances tagged with their names', async () =>
    (await client.list(karpenterKinds.NodeClaim)).items.every(
      ({ metadata }) => metadata.annotations?.['karpenter.k8s.aws/tagged'] === 'true',
    ),
  )
  const named = await story.harness.instances()
  for (const { Tags = [] } of named)
    expect(Tags.map(({ Key }) => Key)).toEqual(expect.arrayContaining(['Name', 'karpenter.sh/nodeclaim']))

  await scale(story, 0)
  await story.until('every claim gone', () => gone(story, karpenterKinds.NodeClaim))
  await story.until('every instance ended', async () => (await story.harness.instances()).length === 0)
  await client.delete(karpenterKinds.NodePool, { name: 'general' })
  await client.delete(karpenterKinds.EC2NodeClass, { name: 'default' })
  await story.until('the node class gone', () => gone(story, karpenterKinds.EC2NodeClass))
  const api = story.account.api()
  expect(await api.iam.listInstanceProfiles('/karpenter/', never)).toEqual([])
  expect(await api.ec2.describeLaunchTemplates({ filters: [] }, never)).toEqual([])
}

describeOnCluster('ten nginx pods on EC2, on a real control plane', (shared) => {
  test('get instances, and leave nothing behind', { timeout: 300_000 }, async () => {
    const client = httpClient(await emptied(shared()))
    const story = await startAwsStory(client, account)
    try {
      await tellNginxStory(story)
    } finally {
      await story.close()
      await client.close()
    }
  })
})

describe('through the SDK, in the sandbox', () => {
  test('ten nginx pods get instances, and leave nothing behind', { timeout: 180_000 }, async () => {
    const cluster = await openSandbox(1)
    const story = await startAwsStory(cluster.client, account, { seed: 1 })
    try {
      await tellNginxStory(story)
    } finally {
      await story.close()
      await cluster.close()
    }
  })

  test('a spot interruption, a shortage, and calls that fail', { timeout: 240_000 }, async () => {
    const { proxy } = account
    const cluster = await openSandbox(2)
    const story = await startAwsStory(cluster.client, account, { seed: 2 })
    try {
      await applyAll(cluster.client, 4)
      await story.until('four pods running', async () => (await running(cluster.client)).length === 4)
      const [claim] = (await cluster.client.list(karpenterKinds.NodeClaim)).items
      const instanceId = claim?.status?.providerID?.split('/').at(-1) ?? ''
      // What the interrupted node was is short, and a third of all calls fail, some after they were done.
      const type = claim?.metadata.labels?.['node.kubernetes.io/instance-type'] ?? ''
      proxy.shortages.push({ instanceType: type, capacityType: 'spot' })
      const random = new SeededRandom(7)
      proxy.fault = () => {
        if (random.next() > 0.3) return undefined
        const status = random.next() < 0.5 ? 503 : 500
        return {
          status,
          code: status === 503 ? 'RequestLimitExceeded' : 'InternalError',
          afterwards: random.next() < 0.3,
        }
      }
      await account.sendMessage(
        JSON.stringify({
          version: '0',
          source: 'aws.ec2',
          'detail-type': 'EC2 Spot Instance Interruption Warning',
          time: new Date().toISOString(),
          detail: { 'instance-id': instanceId, 'instance-action': 'terminate' },
        }),
      )
      await story.until(
        'the interrupted claim gone',
        async () => {
          const { items } = await cluster.client.list(karpenterKinds.NodeClaim)
          return items.every(({ metadata }) => metadata.name !== claim?.metadata.name)
        },
        120,
      )
      await story.until('four pods running again', async () => (await running(cluster.client)).length === 4, 120)
      expect((await story.harness.instances()).map(({ InstanceId }) => InstanceId)).not.toContain(instanceId)
      await scale(story, 0)
      await story.until('every claim gone', () => gone(story, karpenterKinds.NodeClaim), 120)
      proxy.fault = () => undefined
      // Whatever a lost answer may have left is collected when it is half a minute old.
      await story.until('every instance ended', async () => (await story.harness.instances()).length === 0, 120)
      const launchedFor = [...(await everLaunched(account))]
      expect(new Set(launchedFor).size).toBe(launchedFor.length)
      const { sqs } = account.api()
      expect(await sqs.receive(await sqs.queueUrl(QUEUE, never), never)).toEqual([])
    } finally {
      proxy.fault = () => undefined
      proxy.shortages.length = 0
      await story.close()
      await cluster.close()
    }
  })

  test('every instance type of the emulator is read', { timeout: 240_000 }, async () => {
    const { proxy } = account
    const only = proxy.types
    proxy.types = []
    try {
      const types = await account.api(proxy.endpoint).ec2.describeInstanceTypes(never)
      expect(types.length).toBeGreaterThan(1_300)
      // Only what decisions are made from is kept.
      expect(Object.keys(types[0] ?? {})).not.toContain('SupportedRootDeviceTypes')
    } finally {
      proxy.types = only
    }
  })
})

/** For whom instances were launched, the ended ones too: one entry for each instance that was launched alone. */
const everLaunched = async (from: AwsAccount): Promise<readonly string[]> =>
  (await from.api().ec2.describeInstances({ filters: [] }, never)).flatMap(({ Tags = [] }) => {
    const claims = Tags.find(({ Key }) => Key === 'kerf.sh/nodeclaims')?.Value ?? ''
    return claims.includes(' ') ? [] : [claims]
  })
