import { findCondition, karpenterKinds, labels } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import type { Checks, ConformanceHarness } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { parseProviderId } from '../../instances/provider-id.ts'
import { awsAnnotations, awsTags } from '../../labels.ts'
import { ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import { CLASS, never } from '../aws-harness.ts'
import { harnesses } from '../conformance-harnesses.ts'
import { launch, minutes } from './launch.ts'

const spotEvent = (instanceId: string): string =>
  JSON.stringify({
    version: '0',
    source: 'aws.ec2',
    'detail-type': 'EC2 Spot Instance Interruption Warning',
    time: '2026-01-01T00:00:00Z',
    detail: { 'instance-id': instanceId, 'instance-action': 'terminate' },
  })

const harnessClaims = async (harness: ConformanceHarness): Promise<readonly string[]> =>
  (await harness.client.list(karpenterKinds.NodeClaim)).items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)

/** Checks of the provider's own controllers. */
export const controllerChecks: Checks = {
  B05: async (harness) => {
    const { aws } = harnesses.of(harness)
    const before = [...aws.iam.profiles.keys()]
    aws.iam.profiles.set('demo_old', {
      name: 'demo_old',
      path: '/karpenter/us-east-1/demo/gone/',
      roles: ['KarpenterNodeRole-demo'],
      tags: {},
    })
    await launch(harness, 'a')
    expect(aws.ec2.templates.size).toBeGreaterThan(0)
    await harness.clock.advance(minutes(65))
    expect(aws.ec2.templates.size).toBe(0)
    expect([...aws.iam.profiles.keys()]).toEqual(before)
  },
  B06: async (harness) => {
    const { aws } = harnesses.of(harness)
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: ['spot'] }]
    const { view } = await launch(harness, 'a', { requirements })
    const id = parseProviderId(view.providerID)?.instanceId ?? ''
    for (const body of [spotEvent(id), spotEvent(id), 'no json', '{}']) aws.sqs.send(body)
    await harness.clock.advance(25_000)
    expect(aws.sqs.messages.size).toBe(0)
    expect(await harnessClaims(harness)).toEqual([])
    const text = await harnesses.of(harness).metrics.text()
    expect(text).toMatch(/karpenter_nodeclaims_disrupted_total\{[^}]*reason="spot_interrupted"[^}]*\} 1/)
    expect(text).toContain('karpenter_interruption_received_messages_total{message_type="spot_interrupted"} 2')
    expect(text).toContain('karpenter_interruption_received_messages_total{message_type="no_op"} 2')
    const type = (await harness.provider.instanceTypes(harness.pool(), never)).find(
      ({ name }) => name === view.labels[labels.instanceType],
    )
    const spot = type?.offerings.find((each) => {
      const { capacityType, zone } = offeringCoordinates(type, each)
      return capacityType === 'spot' && zone === view.labels[labels.zone]
    })
    expect(spot?.available).toBe(false)
  },
  B07: async (harness) => {
    const own = harnesses.of(harness)
    await launch(harness, 'a')
    expect(own.aws.iam.profiles.size).toBe(1)
    await harness.client.delete(ec2NodeClassKind, { name: CLASS })
    await harness.clock.advance(minutes(1))
    expect((await own.nodeClass()).metadata.deletionTimestamp).toBeDefined()
    expect(own.aws.iam.profiles.size).toBe(1)
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(minutes(3))
    expect((await harness.client.list(ec2NodeClassKind)).items).toEqual([])
    expect(own.aws.iam.profiles.size).toBe(0)
    expect(own.aws.ec2.templates.size).toBe(0)
  },
  B08: async (harness) => {
    const own = harnesses.of(harness)
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
  B09: async (harness) => {
    const { aws } = harnesses.of(harness)
    const { view } = await launch(harness, 'a')
    const id = parseProviderId(view.providerID)?.instanceId ?? ''
    const body = { status: { nodeName: 'ip-10-0-0-1' } }
    await harness.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body },
      { subresource: 'status' },
    )
    await harness.clock.advance(5_000)
    const tags = () =>
      Object.fromEntries((aws.ec2.instances.get(id)?.data.Tags ?? []).map(({ Key, Value }) => [Key, Value]))
    expect(tags()).toMatchObject({ [awsTags.name]: 'ip-10-0-0-1', [awsTags.nodeClaim]: 'a' })
    expect((await harness.client.get(karpenterKinds.NodeClaim, { name: 'a' })).metadata.annotations).toMatchObject({
      [awsAnnotations.tagged]: 'true',
      [awsAnnotations.clusterNameTagged]: 'true',
    })
    await harness.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body: { metadata: { labels: { more: 'x' } } } },
    )
    await harness.clock.advance(minutes(1))
    expect(aws.ec2.faults.count('createTags')).toBe(1)
  },
}
