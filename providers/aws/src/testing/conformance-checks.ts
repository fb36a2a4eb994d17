import { conditionSets, findCondition, karpenterKinds, labels, type NodeClaim, setCondition } from '@kerf/apis'
import { coordinatesOf, type InstanceView, isInsufficientCapacity } from '@kerf/provider-contract'
import type { CheckId, ConformanceWorld } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsAnnotations, awsTags } from '../labels.ts'
import { NODE_CLASS_HASH_VERSION } from '../node-class/hash.ts'
import { type AwsWorld, CLASS, never } from './aws-world.ts'

type Checks = Partial<Record<CheckId, (world: ConformanceWorld) => Promise<void>>>
const minutes = (count: number): number => count * 60_000

const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure')
}

/** Launches as the core does: create, then write what came of it into the claim. */
const launch = async (
  world: ConformanceWorld,
  name: string,
  request: Parameters<ConformanceWorld['claim']>[1] = {},
): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView }> => {
  const claim = await world.claim(name, request)
  const view = await world.provider.create(claim, never)
  const ref = { name }
  const metadata = { labels: view.labels, annotations: view.annotations }
  await world.client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { metadata } })
  const { providerID, imageID, capacity, allocatable } = view
  const conditions = setCondition(
    conditionSets.NodeClaim,
    claim,
    { type: 'Launched', status: 'True' },
    world.clock.now(),
  )
  const body = { status: { providerID, imageID, capacity, allocatable, conditions } }
  const stored = await world.client.patch(
    karpenterKinds.NodeClaim,
    ref,
    { type: 'merge', body },
    { subresource: 'status' },
  )
  await world.clock.advance(1_000)
  return { claim: stored, view }
}

const userDataOf = (own: AwsWorld): readonly string[] =>
  [...own.aws.ec2.templates.values()].map(({ data }) => Buffer.from(data.UserData ?? '', 'base64').toString())

const spotEvent = (instanceId: string): string =>
  JSON.stringify({
    version: '0',
    source: 'aws.ec2',
    'detail-type': 'EC2 Spot Instance Interruption Warning',
    time: '2026-01-01T00:00:00Z',
    detail: { 'instance-id': instanceId, 'instance-action': 'terminate' },
  })

const claimsOf = async (world: ConformanceWorld): Promise<readonly string[]> =>
  (await world.client.list(karpenterKinds.NodeClaim)).items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)

/** The checks that only this package can write. */
export const ownChecks = (worldOf: (world: ConformanceWorld) => AwsWorld): Checks => ({
  C03: async (world) => {
    const { view } = await launch(world, 'a')
    const nodeClass = await worldOf(world).nodeClass()
    const hash = nodeClass.metadata.annotations?.[awsAnnotations.nodeClassHash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toMatchObject({
      [awsAnnotations.nodeClassHash]: hash,
      [awsAnnotations.nodeClassHashVersion]: NODE_CLASS_HASH_VERSION,
      [awsAnnotations.instanceProfileName]: nodeClass.status?.instanceProfile,
    })
  },
  C20: async (world) => {
    const { aws } = worldOf(world)
    aws.ec2.shortage = 'VcpuLimitExceeded'
    world.cloud.stockOut({ capacityType: 'on-demand' })
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] }]
    const claim = await world.claim('a', { requirements })
    expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
    const out = (await world.provider.instanceTypes(world.pool(), never)).flatMap((type) =>
      type.offerings
        .filter(({ available }) => !available)
        .map((offering) => coordinatesOf(type, offering).capacityType),
    )
    expect(new Set(out)).toEqual(new Set(['on-demand']))
  },
  C23: async (world) => {
    const { aws } = worldOf(world)
    const claim = await world.claim('a')
    world.cloud.fail('launch', 'auth')
    await failureOf(world.provider.create(claim, never))
    world.cloud.recover()
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(minutes(3))
    expect(await world.cloud.instances()).toEqual([])
    expect(aws.ec2.templates.size).toBe(0)
  },
  C26: async (world) => {
    const { view } = await launch(world, 'a')
    const maxPods = `maxPods: ${view.capacity['pods'] ?? ''}`
    const text = userDataOf(worldOf(world)).findLast((each) => each.includes(`${maxPods}\n`)) ?? ''
    for (const part of [
      'apiServerEndpoint: https://demo.eks',
      'certificateAuthority: Q0E=',
      'cidr: 10.100.0.0/16',
      'karpenter.sh/unregistered',
      'karpenter.sh/nodepool=default',
      maxPods,
      '10.100.0.10',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/AKIA|aws_secret|token/i)
  },
  L02: async (world) => {
    const leaked = await world.cloud.plantLeaked(0)
    expect((await world.provider.list(never)).map(({ providerID }) => providerID)).toEqual([leaked])
  },
  T06: async (world) => {
    const own = worldOf(world)
    const podsOf = async () =>
      (await world.provider.instanceTypes(world.pool(), never)).find(({ name }) => name === 'm5.large')
    const before = await podsOf()
    await own.change({ kubelet: { maxPods: 7, kubeReserved: { cpu: '1' } } })
    const after = await podsOf()
    expect(after?.capacity['pods']).toBe(7_000_000_000n)
    expect(after?.overhead.kubeReserved?.['cpu']).toBe(1_000_000_000n)
    expect(before?.capacity['pods']).not.toBe(after?.capacity['pods'])
  },
  T08: async (world) => {
    const own = worldOf(world)
    await own.change({ subnetSelectorTerms: [{ id: 'subnet-b' }] })
    const types = await world.provider.instanceTypes(world.pool(), never)
    const open = types.flatMap((type) =>
      type.offerings.filter(({ available }) => available).map((each) => coordinatesOf(type, each).zone),
    )
    expect(new Set(open)).toEqual(new Set(['us-east-1b']))
  },
  T09: async (world) => {
    const own = worldOf(world)
    const priceOf = async () => {
      const type = (await world.provider.instanceTypes(world.pool(), never)).find(({ name }) => name === 'm5.large')
      return type?.offerings.map(({ price }) => price)
    }
    const before = await priceOf()
    own.aws.pricing.faults.standing('getProducts', { code: 'InternalError', status: 500 })
    own.aws.ec2.faults.standing('describeSpotPriceHistory', { code: 'InternalError', status: 500 })
    await world.clock.advance(13 * 60 * minutes(1))
    expect(await priceOf()).toEqual(before)
    world.restart()
    expect((await priceOf())?.every((price) => price > 0)).toBe(true)
  },
  H02: async (world) => {
    const own = worldOf(world)
    const { claim } = await launch(world, 'a')
    await own.change({ ipPrefixCount: 1 })
    expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
    await own.change({ tags: { team: 'a' } })
    expect(await world.provider.isDrifted(claim, never)).toBe('NodeClassDrift')
  },
  H03: async (world) => {
    const { claim } = await launch(world, 'a')
    const metadata = {
      annotations: { [awsAnnotations.nodeClassHash]: '1', [awsAnnotations.nodeClassHashVersion]: 'v5' },
    }
    await world.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    const old = { ...claim, metadata: { ...claim.metadata, ...metadata } }
    expect(await world.provider.isDrifted(old, never)).toBeUndefined()
    await world.client.patch(karpenterKinds.EC2NodeClass, { name: CLASS }, { type: 'merge', body: { metadata } })
    await world.clock.advance(1_000)
    const [migrated, nodeClass] = [
      await world.client.get(karpenterKinds.NodeClaim, { name: 'a' }),
      await worldOf(world).nodeClass(),
    ]
    expect(nodeClass.metadata.annotations?.[awsAnnotations.nodeClassHashVersion]).toBe(NODE_CLASS_HASH_VERSION)
    expect(migrated.metadata.annotations?.[awsAnnotations.nodeClassHash]).toBe(
      nodeClass.metadata.annotations?.[awsAnnotations.nodeClassHash],
    )
    expect(await world.provider.isDrifted(migrated, never)).toBeUndefined()
  },
  H04: async (world) => {
    const { aws } = worldOf(world)
    const { claim } = await launch(world, 'a')
    const current = aws.ec2.images.find(({ ImageId }) => ImageId === claim.status?.imageID)
    aws.ec2.images.push({ ...current, ImageId: 'ami-new', CreationDate: '2026-06-01T00:00:00.000Z' })
    for (const [name, value] of aws.ssm.parameters)
      if (value === claim.status?.imageID) aws.ssm.parameters.set(name, 'ami-new')
    // The published parameter is kept for a day.
    await world.clock.advance(25 * 60 * minutes(1))
    expect(await world.provider.isDrifted(claim, never)).toBe('AMIDrift')
  },
  H05: async (world) => {
    const own = worldOf(world)
    const { claim, view } = await launch(world, 'a')
    const zone = view.labels[labels.zone]
    const others = own.aws.ec2.subnets
      .filter(({ AvailabilityZone }) => AvailabilityZone !== zone)
      .flatMap(({ SubnetId }) => SubnetId ?? [])
    await own.change({ subnetSelectorTerms: others.map((id) => ({ id })) })
    expect(await world.provider.isDrifted(claim, never)).toBe('SubnetDrift')
    await own.change({ subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }] })
    own.aws.ec2.groups.push({ GroupId: 'sg-2', GroupName: 'more', Tags: [{ Key: 'more', Value: 'yes' }] })
    await own.change({ securityGroupSelectorTerms: [{ id: 'sg-1' }, { id: 'sg-2' }] })
    expect(await world.provider.isDrifted(claim, never)).toBe('SecurityGroupDrift')
  },
  H07: async (world) => {
    const { claim } = await launch(world, 'a')
    world.restart()
    world.cloud.fail('list', 'serverError')
    world.cloud.fail('describe', 'serverError')
    expect(await failureOf(world.provider.isDrifted(claim, never))).toBeInstanceOf(Error)
  },
  B05: async (world) => {
    const { aws } = worldOf(world)
    const before = [...aws.iam.profiles.keys()]
    aws.iam.profiles.set('demo_old', {
      name: 'demo_old',
      path: '/karpenter/us-east-1/demo/gone/',
      roles: ['KarpenterNodeRole-demo'],
      tags: {},
    })
    await launch(world, 'a')
    expect(aws.ec2.templates.size).toBeGreaterThan(0)
    await world.clock.advance(minutes(65))
    expect(aws.ec2.templates.size).toBe(0)
    expect([...aws.iam.profiles.keys()]).toEqual(before)
  },
  B06: async (world) => {
    const { aws } = worldOf(world)
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: ['spot'] }]
    const { view } = await launch(world, 'a', { requirements })
    const id = parseProviderId(view.providerID)?.instanceId ?? ''
    for (const body of [spotEvent(id), spotEvent(id), 'no json', '{}']) aws.sqs.send(body)
    await world.clock.advance(25_000)
    expect(aws.sqs.messages.size).toBe(0)
    expect(await claimsOf(world)).toEqual([])
    const text = await worldOf(world).metrics.text()
    expect(text).toMatch(/karpenter_nodeclaims_disrupted_total\{[^}]*reason="spot_interrupted"[^}]*\} 1/)
    expect(text).toContain('karpenter_interruption_received_messages_total{message_type="spot_interrupted"} 2')
    expect(text).toContain('karpenter_interruption_received_messages_total{message_type="no_op"} 2')
    const type = (await world.provider.instanceTypes(world.pool(), never)).find(
      ({ name }) => name === view.labels[labels.instanceType],
    )
    const spot = type?.offerings.find((each) => {
      const { capacityType, zone } = coordinatesOf(type, each)
      return capacityType === 'spot' && zone === view.labels[labels.zone]
    })
    expect(spot?.available).toBe(false)
  },
  B07: async (world) => {
    const own = worldOf(world)
    await launch(world, 'a')
    expect(own.aws.iam.profiles.size).toBe(1)
    await world.client.delete(karpenterKinds.EC2NodeClass, { name: CLASS })
    await world.clock.advance(minutes(1))
    expect((await own.nodeClass()).metadata.deletionTimestamp).toBeDefined()
    expect(own.aws.iam.profiles.size).toBe(1)
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(minutes(3))
    expect((await world.client.list(karpenterKinds.EC2NodeClass)).items).toEqual([])
    expect(own.aws.iam.profiles.size).toBe(0)
    expect(own.aws.ec2.templates.size).toBe(0)
  },
  B08: async (world) => {
    const own = worldOf(world)
    const conditions = async () => {
      const nodeClass = await own.nodeClass()
      for (const { observedGeneration } of nodeClass.status?.conditions ?? [])
        expect(observedGeneration).toBe(nodeClass.metadata.generation)
      return (type: string) => findCondition(nodeClass, type)
    }
    expect((await conditions())('Ready')).toMatchObject({ status: 'True' })
    await own.change({ securityGroupSelectorTerms: [{ name: 'none' }] })
    expect((await conditions())('SecurityGroupsReady')).toMatchObject({
      status: 'False',
      reason: 'SecurityGroupsNotFound',
    })
    expect((await conditions())('ValidationSucceeded')).toMatchObject({
      status: 'False',
      reason: 'DependenciesNotReady',
    })
    expect((await conditions())('Ready')).toMatchObject({ status: 'False', reason: 'UnhealthyDependents' })
    await own.change({ securityGroupSelectorTerms: [{ name: 'nodes' }] })
    expect((await conditions())('Ready')).toMatchObject({ status: 'True' })
  },
  B09: async (world) => {
    const { aws } = worldOf(world)
    const { view } = await launch(world, 'a')
    const id = parseProviderId(view.providerID)?.instanceId ?? ''
    const body = { status: { nodeName: 'ip-10-0-0-1' } }
    await world.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body },
      { subresource: 'status' },
    )
    await world.clock.advance(5_000)
    const tags = () =>
      Object.fromEntries((aws.ec2.instances.get(id)?.data.Tags ?? []).map(({ Key, Value }) => [Key, Value]))
    expect(tags()).toMatchObject({ [awsTags.name]: 'ip-10-0-0-1', [awsTags.nodeClaim]: 'a' })
    expect((await world.client.get(karpenterKinds.NodeClaim, { name: 'a' })).metadata.annotations).toMatchObject({
      [awsAnnotations.tagged]: 'true',
      [awsAnnotations.clusterNameTagged]: 'true',
    })
    await world.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body: { metadata: { labels: { more: 'x' } } } },
    )
    await world.clock.advance(minutes(1))
    expect(aws.ec2.faults.count('createTags')).toBe(1)
  },
  X05: async (world) => {
    const own = worldOf(world)
    await launch(world, 'a')
    const everything = JSON.stringify([
      world.log.lines,
      world.events.events.map(({ reason, message }) => [reason, message]),
      (await own.nodeClass()).status,
      own.aws.ec2.living().map(({ data }) => data.Tags),
    ])
    expect(everything).not.toMatch(/AKIA|secretAccessKey|sessionToken/i)
    // The bootstrap goes to the instance only.
    expect(everything).not.toContain('certificateAuthority')
  },
})
