import { type KubeObject, karpenterKinds, kinds } from '@kerf/apis'
import { ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import { nodeConfigIn } from '@kerf/provider-aws/testing'
import { expect } from 'vitest'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { type AwsStory, applyAll, CLUSTER } from './aws-story.ts'

const never = new AbortController().signal

/** Scales the Deployment of the story. */
export const scale = (story: AwsStory, replicas: number): Promise<unknown> =>
  story.client.patch(
    kinds.Deployment,
    { name: 'nginx', namespace: 'default' },
    { type: 'merge', body: { spec: { replicas } } },
  )

/** Returns whether no object of the kind exists. */
export const gone = async (story: AwsStory, kind: Parameters<AwsStory['client']['list']>[0]): Promise<boolean> =>
  (await story.client.list<KubeObject>(kind)).items.length === 0

/** Runs ten pods and checks their instances, then scales to zero and checks that nothing is left. */
export const runNginxStory = async (story: AwsStory): Promise<void> => {
  const { client, proxy } = { client: story.client, proxy: story.account.proxy }
  await applyAll(client, 10)
  await story.until('ten nginx pods running', async () => (await running(client)).length === 10)
  const claims = (await client.list(karpenterKinds.NodeClaim)).items
  const instances = await story.harness.instances()
  expect(instances.length).toBe(claims.length)
  const subnets = (await client.get(ec2NodeClassKind, { name: 'default' })).status?.subnets ?? []
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
  await client.delete(ec2NodeClassKind, { name: 'default' })
  await story.until('the node class gone', () => gone(story, ec2NodeClassKind))
  const api = story.account.api()
  expect(await api.iam.listInstanceProfiles('/karpenter/', never)).toEqual([])
  expect(await api.ec2.describeLaunchTemplates({ filters: [] }, never)).toEqual([])
}
