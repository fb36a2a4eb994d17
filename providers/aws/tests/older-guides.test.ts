import { readFileSync } from 'node:fs'
import { findCondition, type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { legacyKinds, migrateManifests, type Provisioner } from '@kerf/apis/legacy'
import { installLegacyKinds } from '@kerf/controllers'
import {
  type AWSNodeTemplate,
  ec2NodeClassKind,
  ec2NodeClassResource,
  awsNodeTemplates as templates,
} from '@kerf/provider-aws/node-class'
import { silentLogger } from '@kerf/runtime'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { claims, running } from '../../../tests/integration/story/nginx-story.ts'
import { type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'

const CLUSTER = 'your-cluster-name'
const guide = <T extends KubeObject>(file: string): T =>
  parse(readFileSync(new URL(`../../../examples/older-guides/${file}`, import.meta.url), 'utf8'))

const templateKind: ResourceKind<AWSNodeTemplate> = templates.resource.kind

let story: FakeAwsStory
beforeEach(async () => {
  story = await startFakeAwsStory(1, {
    prepare: async (client, aws, clock) => {
      const Tags = [{ Key: 'karpenter.sh/discovery', Value: CLUSTER }]
      aws.ec2.subnets = aws.ec2.subnets.map((subnet) => ({ ...subnet, Tags }))
      aws.ec2.groups = aws.ec2.groups.map((group) => ({ ...group, Tags }))
      await installLegacyKinds({ client, clock, log: silentLogger, templates }, new AbortController().signal)
      return new Set()
    },
    aws: { clusterName: CLUSTER },
    settings: { legacyApis: true },
    legacy: { nodeClass: ec2NodeClassResource, templates },
  })
})
afterEach(() => story.close())

const provisioner = (): Promise<Provisioner> => story.client.get(legacyKinds.Provisioner, { name: 'default' })
const untilReady = (): Promise<void> =>
  story.until('the Provisioner ready', async () => findCondition(await provisioner(), 'Ready')?.status === 'True')
const change = (spec: object): Promise<unknown> =>
  story.client.patch(legacyKinds.Provisioner, { name: 'default' }, { type: 'merge', body: { spec } })
const readClass = () => story.client.get(ec2NodeClassKind, { name: 'default' })

/** Applies the manifests of the guides, and waits until ten pods run. */
const followGuides = async (): Promise<void> => {
  const { client } = story
  await client.create(legacyKinds.Provisioner, guide<Provisioner>('provisioner-v1alpha5.yaml'))
  await untilReady()
  const deployment = guide<KubeObject>('nginx.yaml')
  await client.create(kinds.Deployment, {
    ...deployment,
    metadata: { ...deployment.metadata, namespace: 'default' },
  } as never)
  await story.until('ten pods running', async () => (await running(client)).length === 10)
}

test('the guides end in ten running pods, and then in v1 objects on which nothing drifts', async () => {
  const { client, aws } = story
  await followGuides()
  expect(aws.ec2.launches.length).toBeGreaterThan(0)
  for (const { type, spot, tags } of aws.ec2.launches) {
    expect(type).toMatch(/^m5\.(large|xlarge)$/)
    expect(spot).toBe(false)
    expect(tags).toMatchObject({ 'karpenter.sh/nodepool': 'default', [`kubernetes.io/cluster/${CLUSTER}`]: 'owned' })
  }
  for (const { data } of aws.ec2.templates.values())
    expect(data.IamInstanceProfile).toEqual({ Name: 'your-instance-profile' })
  const { status } = await provisioner()
  expect(status).toMatchObject({ nodePool: 'default', nodeClass: 'EC2NodeClass/default' })
  expect(status?.resources).toMatchObject({ nodes: String((await claims(client)).length) })

  // kerf migrate converts the file exactly as the controller converts the object.
  const migration = migrateManifests([guide('provisioner-v1alpha5.yaml')], { templates, kubernetesVersion: '1.36' })
  const [nodeClass, pool] = migration.objects as readonly (KubeObject & { readonly spec: object })[]
  expect((await readClass()).spec).toMatchObject(nodeClass?.spec ?? {})
  expect((await client.get(karpenterKinds.NodePool, { name: 'default' })).spec).toMatchObject(pool?.spec ?? {})

  const before = (await claims(client)).map(({ metadata }) => metadata.uid)
  await client.delete(legacyKinds.Provisioner, { name: 'default' }, { propagationPolicy: 'Orphan' })
  await story.pass(15 * 60)
  expect((await client.list(legacyKinds.Provisioner)).items).toEqual([])
  const after = await claims(client)
  expect(after.map(({ metadata }) => metadata.uid)).toEqual(before)
  expect(after.filter((claim) => findCondition(claim, 'Drifted')?.status === 'True')).toEqual([])
  expect(await running(client)).toHaveLength(10)
})

test('the Provisioner reports why its pool is not ready; kubelet settings go into a separate class', async () => {
  const { client } = story
  await client.create(templateKind, {
    apiVersion: 'karpenter.k8s.aws/v1alpha1',
    kind: 'AWSNodeTemplate',
    metadata: { name: 'shared' },
    spec: {
      instanceProfile: 'nodes',
      subnetSelector: { 'karpenter.sh/discovery': 'another' },
      securityGroupSelector: { 'karpenter.sh/discovery': CLUSTER },
    },
  })
  await client.create(legacyKinds.Provisioner, {
    apiVersion: 'karpenter.sh/v1alpha5',
    kind: 'Provisioner',
    metadata: { name: 'default' },
    spec: { providerRef: { name: 'shared' } },
  })
  await story.until(
    'the missing subnets told',
    async () => findCondition(await provisioner(), 'NodePoolReady')?.status === 'False',
  )
  expect(findCondition(await provisioner(), 'NodePoolReady')?.message).toMatch(
    /^EC2NodeClass\/shared SubnetsReady: subnetSelectorTerms match no subnet/,
  )
  const template = await client.get(templateKind, { name: 'shared' })
  expect(findCondition(template, 'NodeClassReady')?.message).toMatch(/^EC2NodeClass\/shared SubnetsReady: /)
  await client.patch(
    templateKind,
    { name: 'shared' },
    { type: 'merge', body: { spec: { subnetSelector: { 'karpenter.sh/discovery': CLUSTER } } } },
  )
  await untilReady()
  await change({ kubeletConfiguration: { maxPods: 20 } })
  await story.until(
    'a class of its own',
    async () => (await provisioner()).status?.nodeClass === 'EC2NodeClass/shared-default',
  )
  await untilReady()
  const own = await client.get(ec2NodeClassKind, { name: 'shared-default' })
  expect(own.spec).toMatchObject({ instanceProfile: 'nodes', kubelet: { maxPods: 20 } })
  expect(own.metadata.ownerReferences?.map(({ kind }) => kind)).toEqual(['Provisioner'])
  await change({ kubeletConfiguration: null })
  await story.until('its class gone', async () =>
    (await client.list(ec2NodeClassKind)).items.every(({ metadata }) => metadata.name === 'shared'),
  )
})

test('the pool and its nodes are deleted with the Provisioner', async () => {
  const { client, aws } = story
  await followGuides()
  await client.delete(legacyKinds.Provisioner, { name: 'default' })
  await story.until('nothing left', async () => {
    const left = [karpenterKinds.NodePool, karpenterKinds.NodeClaim, ec2NodeClassKind]
    const lists = await Promise.all(left.map((kind) => client.list<KubeObject>(kind)))
    return lists.every(({ items }) => items.length === 0) && aws.ec2.living().length === 0
  })
})
