import { karpenterKinds, labels } from '@kerf/apis'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { awsAnnotations } from '../../labels.ts'
import { ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import { NODE_CLASS_HASH_VERSION } from '../../node-class/hash.ts'
import { CLASS, never } from '../aws-harness.ts'
import { harnesses } from '../conformance-harnesses.ts'
import { expectRejection, launch, minutes } from './launch.ts'

/** Checks of drift, for each drift reason. */
export const driftChecks: Checks = {
  H02: async (harness) => {
    const own = harnesses.of(harness)
    const { claim } = await launch(harness, 'a')
    await own.change({ ipPrefixCount: 1 })
    expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
    await own.change({ tags: { team: 'a' } })
    expect(await harness.provider.isDrifted(claim, never)).toBe('NodeClassDrift')
  },
  H03: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const metadata = {
      annotations: { [awsAnnotations.nodeClassHash]: '1', [awsAnnotations.nodeClassHashVersion]: 'v5' },
    }
    await harness.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    const old = { ...claim, metadata: { ...claim.metadata, ...metadata } }
    expect(await harness.provider.isDrifted(old, never)).toBeUndefined()
    await harness.client.patch(ec2NodeClassKind, { name: CLASS }, { type: 'merge', body: { metadata } })
    await harness.clock.advance(1_000)
    const [migrated, nodeClass] = [
      await harness.client.get(karpenterKinds.NodeClaim, { name: 'a' }),
      await harnesses.of(harness).nodeClass(),
    ]
    expect(nodeClass.metadata.annotations?.[awsAnnotations.nodeClassHashVersion]).toBe(NODE_CLASS_HASH_VERSION)
    expect(migrated.metadata.annotations?.[awsAnnotations.nodeClassHash]).toBe(
      nodeClass.metadata.annotations?.[awsAnnotations.nodeClassHash],
    )
    expect(await harness.provider.isDrifted(migrated, never)).toBeUndefined()
  },
  H04: async (harness) => {
    const { aws } = harnesses.of(harness)
    const { claim } = await launch(harness, 'a')
    const current = aws.ec2.images.find(({ ImageId }) => ImageId === claim.status?.imageID)
    aws.ec2.images.push({ ...current, ImageId: 'ami-new', CreationDate: '2026-06-01T00:00:00.000Z' })
    for (const [name, value] of aws.ssm.parameters)
      if (value === claim.status?.imageID) aws.ssm.parameters.set(name, 'ami-new')
    // The published parameter is cached for a day.
    await harness.clock.advance(25 * 60 * minutes(1))
    expect(await harness.provider.isDrifted(claim, never)).toBe('AMIDrift')
  },
  H05: async (harness) => {
    const own = harnesses.of(harness)
    const { claim, view } = await launch(harness, 'a')
    const zone = view.labels[labels.zone]
    const others = own.aws.ec2.subnets
      .filter(({ AvailabilityZone }) => AvailabilityZone !== zone)
      .flatMap(({ SubnetId }) => SubnetId ?? [])
    await own.change({ subnetSelectorTerms: others.map((id) => ({ id })) })
    expect(await harness.provider.isDrifted(claim, never)).toBe('SubnetDrift')
    await own.change({ subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }] })
    own.aws.ec2.groups.push({ GroupId: 'sg-2', GroupName: 'more', Tags: [{ Key: 'more', Value: 'yes' }] })
    await own.change({ securityGroupSelectorTerms: [{ id: 'sg-1' }, { id: 'sg-2' }] })
    expect(await harness.provider.isDrifted(claim, never)).toBe('SecurityGroupDrift')
  },
  H07: async (harness) => {
    const { claim } = await launch(harness, 'a')
    harness.restart()
    harness.cloud.fail('list', 'serverError')
    harness.cloud.fail('describe', 'serverError')
    expect(await expectRejection(harness.provider.isDrifted(claim, never))).toBeInstanceOf(Error)
  },
}
