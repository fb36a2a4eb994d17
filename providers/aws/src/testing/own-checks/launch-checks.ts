import { karpenterKinds, labels } from '@kerf/apis'
import { coordinatesOf, isInsufficientCapacity } from '@kerf/provider-contract'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { awsAnnotations } from '../../labels.ts'
import { NODE_CLASS_HASH_VERSION } from '../../node-class/hash.ts'
import { type AwsWorld, never } from '../aws-world.ts'
import { awsWorldOf } from '../conformance-worlds.ts'
import { failureOf, launch, minutes } from './launch.ts'

const userDataOf = (own: AwsWorld): readonly string[] =>
  [...own.aws.ec2.templates.values()].map(({ data }) => Buffer.from(data.UserData ?? '', 'base64').toString())

/** Checks of launches: annotations, quotas, cleaning up after a failure, user data, and secrets that must not appear. */
export const launchChecks: Checks = {
  C03: async (world) => {
    const { view } = await launch(world, 'a')
    const nodeClass = await awsWorldOf(world).nodeClass()
    const hash = nodeClass.metadata.annotations?.[awsAnnotations.nodeClassHash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toMatchObject({
      [awsAnnotations.nodeClassHash]: hash,
      [awsAnnotations.nodeClassHashVersion]: NODE_CLASS_HASH_VERSION,
      [awsAnnotations.instanceProfileName]: nodeClass.status?.instanceProfile,
    })
  },
  C20: async (world) => {
    const { aws } = awsWorldOf(world)
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
    const { aws } = awsWorldOf(world)
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
    const text = userDataOf(awsWorldOf(world)).findLast((each) => each.includes(`${maxPods}\n`)) ?? ''
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
  X05: async (world) => {
    const own = awsWorldOf(world)
    await launch(world, 'a')
    const everything = JSON.stringify([
      world.log.lines,
      world.events.events.map(({ reason, message }) => [reason, message]),
      (await own.nodeClass()).status,
      own.aws.ec2.living().map(({ data }) => data.Tags),
    ])
    expect(everything).not.toMatch(/AKIA|secretAccessKey|sessionToken/i)
    // The bootstrap data is passed only to the instance.
    expect(everything).not.toContain('certificateAuthority')
  },
}
