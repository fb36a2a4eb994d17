import { karpenterKinds, labels } from '@kerf/apis'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { awsAnnotations } from '../../labels.ts'
import { ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import { NODE_CLASS_HASH_VERSION } from '../../node-class/hash.ts'
import { CLASS, never } from '../aws-world.ts'
import { awsWorldOf } from '../conformance-worlds.ts'
import { failureOf, launch, minutes } from './launch.ts'

/** Checks of drift, for each drift reason. */
export const driftChecks: Checks = {
  H02: async (world) => {
    const own = awsWorldOf(world)
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
    await world.client.patch(ec2NodeClassKind, { name: CLASS }, { type: 'merge', body: { metadata } })
    await world.clock.advance(1_000)
    const [migrated, nodeClass] = [
      await world.client.get(karpenterKinds.NodeClaim, { name: 'a' }),
      await awsWorldOf(world).nodeClass(),
    ]
    expect(nodeClass.metadata.annotations?.[awsAnnotations.nodeClassHashVersion]).toBe(NODE_CLASS_HASH_VERSION)
    expect(migrated.metadata.annotations?.[awsAnnotations.nodeClassHash]).toBe(
      nodeClass.metadata.annotations?.[awsAnnotations.nodeClassHash],
    )
    expect(await world.provider.isDrifted(migrated, never)).toBeUndefined()
  },
  H04: async (world) => {
    const { aws } = awsWorldOf(world)
    const { claim } = await launch(world, 'a')
    const current = aws.ec2.images.find(({ ImageId }) => ImageId === claim.status?.imageID)
    aws.ec2.images.push({ ...current, ImageId: 'ami-new', CreationDate: '2026-06-01T00:00:00.000Z' })
    for (const [name, value] of aws.ssm.parameters)
      if (value === claim.status?.imageID) aws.ssm.parameters.set(name, 'ami-new')
    // The published parameter is cached for a day.
    await world.clock.advance(25 * 60 * minutes(1))
    expect(await world.provider.isDrifted(claim, never)).toBe('AMIDrift')
  },
  H05: async (world) => {
    const own = awsWorldOf(world)
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
}
