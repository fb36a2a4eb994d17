import { karpenterKinds, labels } from '@kerf/apis'
import { isInsufficientCapacity, offeringCoordinates } from '@kerf/provider-contract'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { awsAnnotations } from '../../labels.ts'
import { NODE_CLASS_HASH_VERSION } from '../../node-class/hash.ts'
import { type AwsHarness, never } from '../aws-harness.ts'
import { harnesses } from '../conformance-harnesses.ts'
import { expectRejection, launch, minutes } from './launch.ts'

const userDataTexts = (own: AwsHarness): readonly string[] =>
  [...own.aws.ec2.templates.values()].map(({ data }) => Buffer.from(data.UserData ?? '', 'base64').toString())

/** Checks of launches: annotations, quotas, cleaning up after a failure, user data, and secrets that must not appear. */
export const launchChecks: Checks = {
  C03: async (harness) => {
    const { view } = await launch(harness, 'a')
    const nodeClass = await harnesses.of(harness).nodeClass()
    const hash = nodeClass.metadata.annotations?.[awsAnnotations.nodeClassHash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toMatchObject({
      [awsAnnotations.nodeClassHash]: hash,
      [awsAnnotations.nodeClassHashVersion]: NODE_CLASS_HASH_VERSION,
      [awsAnnotations.instanceProfileName]: nodeClass.status?.instanceProfile,
    })
  },
  C20: async (harness) => {
    const { aws } = harnesses.of(harness)
    aws.ec2.shortage = 'VcpuLimitExceeded'
    harness.cloud.stockOut({ capacityType: 'on-demand' })
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] }]
    const claim = await harness.claim('a', { requirements })
    expect(isInsufficientCapacity(await expectRejection(harness.provider.create(claim, never)))).toBe(true)
    const out = (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
      type.offerings
        .filter(({ available }) => !available)
        .map((offering) => offeringCoordinates(type, offering).capacityType),
    )
    expect(new Set(out)).toEqual(new Set(['on-demand']))
  },
  C23: async (harness) => {
    const { aws } = harnesses.of(harness)
    const claim = await harness.claim('a')
    harness.cloud.fail('launch', 'auth')
    await expectRejection(harness.provider.create(claim, never))
    harness.cloud.recover()
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(minutes(3))
    expect(await harness.cloud.instances()).toEqual([])
    expect(aws.ec2.templates.size).toBe(0)
  },
  C26: async (harness) => {
    const { view } = await launch(harness, 'a')
    const maxPods = `maxPods: ${view.capacity['pods'] ?? ''}`
    const text = userDataTexts(harnesses.of(harness)).findLast((each) => each.includes(`${maxPods}\n`)) ?? ''
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
  L02: async (harness) => {
    const leaked = await harness.cloud.plantLeaked(0)
    expect((await harness.provider.list(never)).map(({ providerID }) => providerID)).toEqual([leaked])
  },
  X05: async (harness) => {
    const own = harnesses.of(harness)
    await launch(harness, 'a')
    const everything = JSON.stringify([
      harness.log.lines,
      harness.events.events.map(({ reason, message }) => [reason, message]),
      (await own.nodeClass()).status,
      own.aws.ec2.living().map(({ data }) => data.Tags),
    ])
    expect(everything).not.toMatch(/AKIA|secretAccessKey|sessionToken/i)
    // The bootstrap data is passed only to the instance.
    expect(everything).not.toContain('certificateAuthority')
  },
}
