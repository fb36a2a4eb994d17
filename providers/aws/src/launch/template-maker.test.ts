import { labels, type NodeClaim } from '@kerf/apis'
import { CreateError } from '@kerf/provider-contract'
import { expect, onTestFinished, test } from 'vitest'
import { awsResources } from '../labels.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { type AwsHarness, type AwsHarnessOptions, createAwsHarness, never } from '../testing/aws-harness.ts'
import { nodeConfigIn } from '../testing/node-config.ts'
import type { TemplateLaunch } from './template-maker.ts'

// See `providers/aws/docs/spec/aws.md`.

const startHarness = async (options: AwsHarnessOptions = {}): Promise<AwsHarness> => {
  const harness = await createAwsHarness(options)
  onTestFinished(() => harness.stop())
  return harness
}
const group = { image: { id: 'ami-x86', requirements: [] }, pods: 29, efaCount: 0, reservation: undefined, types: [] }

/** Creates a template for a NodeClaim of the node class, and returns its content. */
const make = async (
  harness: AwsHarness,
  changes: {
    readonly claim?: NodeClaim
    readonly spec?: Partial<EC2NodeClass['spec']>
    readonly status?: Partial<EC2NodeClass['status']>
    readonly group?: Partial<typeof group>
    readonly launch?: Partial<TemplateLaunch>
  } = {},
) => {
  const read = await harness.nodeClass()
  const nodeClass = {
    ...read,
    spec: { ...read.spec, ...changes.spec },
    status: { ...read.status, ...changes.status },
  } as EC2NodeClass
  const claim = changes.claim ?? (await harness.claim(`claim-${harness.aws.ec2.templates.size}`))
  const ref = await harness.provider.deps.maker.ensure(
    { ...group, ...changes.group },
    { claim, nodeClass, capacityType: 'on-demand', tenancy: 'default', partition: undefined, ...changes.launch },
    never,
  )
  const made = harness.aws.ec2.templates.get(ref.name)
  if (made === undefined) throw new Error('no template was made')
  const userData = Buffer.from(made.data.UserData ?? '', 'base64').toString()
  return { ...made, userData, nodeClass, claim }
}

test('a template contains the values of the class, the claim and the cluster', async () => {
  const harness = await startHarness({ spec: { tags: { team: 'a' } } })
  const { data, tags, userData, nodeClass } = await make(harness)
  expect(tags).toEqual({
    team: 'a',
    'kubernetes.io/cluster/demo': 'owned',
    'karpenter.sh/nodepool': 'default',
    'eks:eks-cluster-name': 'demo',
    'karpenter.k8s.aws/ec2nodeclass': 'default',
  })
  expect(data).toMatchObject({
    ImageId: 'ami-x86',
    IamInstanceProfile: { Name: nodeClass.status?.instanceProfile },
    NetworkInterfaces: [{ DeviceIndex: 0, Groups: ['sg-1'] }],
    Placement: { Tenancy: 'default' },
    CapacityReservationSpecification: { CapacityReservationPreference: 'none' },
  })
  expect(data.EnclaveOptions).toBeUndefined()
  const config = nodeConfigIn(userData)
  expect(config).toMatchObject({
    cluster: { name: 'demo', apiServerEndpoint: 'https://demo.eks', cidr: '10.100.0.0/16' },
    maxPods: 29,
    labels: { [labels.capacityType]: 'on-demand', [labels.nodePool]: 'default' },
  })
  expect(userData).toContain('10.100.0.10')
})

test('a class without an instance profile launches nothing', async () => {
  const harness = await startHarness()
  for (const instanceProfile of ['', undefined]) {
    const claim = await harness.claim(`of-${typeof instanceProfile}`)
    const status = { instanceProfile } as Partial<EC2NodeClass['status']>
    const failure = await make(harness, { claim, status }).catch((error: unknown) => error)
    expect(failure instanceof CreateError && failure.reason).toBe('InstanceProfileMissing')
  }
})

test('enclaves, EFA interfaces, placement and reservation depend on the claim and its group', async () => {
  const harness = await startHarness({
    before: ({ ec2 }) =>
      ec2.placementGroups.push({
        GroupId: 'pg-1',
        GroupName: 'near',
        Strategy: 'partition',
        PartitionCount: 3,
        State: 'available',
      }),
  })
  const claim = await harness.claim('a', { requests: { [awsResources.nitroSandbox]: '1' } })
  const reservation = { id: 'cr-1', type: 'default', interruptible: false } as const
  const { data } = await make(harness, {
    claim,
    spec: { placementGroupSelector: { name: 'near' } },
    group: { efaCount: 2, reservation: reservation as never },
    launch: { capacityType: 'reserved', tenancy: 'dedicated', partition: '2' },
  })
  expect(data).toMatchObject({
    EnclaveOptions: { Enabled: true },
    Placement: { Tenancy: 'dedicated', GroupId: 'pg-1', PartitionNumber: 2 },
    CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: 'cr-1' } },
  })
  expect(data.NetworkInterfaces?.map(({ InterfaceType }) => InterfaceType)).toEqual(['efa', 'efa'])
  const unparted = await make(harness, { spec: { placementGroupSelector: { name: 'near' } } })
  expect(unparted.data.Placement).toEqual({ Tenancy: 'default', GroupId: 'pg-1' })
})

test('the class’s user data, instance store policy and Bottlerocket version reach the node', async () => {
  const harness = await startHarness()
  const custom = await make(harness, { spec: { userData: '#!/bin/bash\necho hi', instanceStorePolicy: 'RAID0' } })
  expect(custom.userData).toContain('echo hi')
  expect(custom.userData).toContain('RAID0')
  const plain = await make(harness)
  expect(plain.userData).not.toContain('RAID0')
  const { faults } = harness.aws.eks
  const before = faults.count('describeCluster')
  const bottle = await make(harness, { spec: { amiSelectorTerms: [{ alias: 'bottlerocket@v1.20.4' }] } })
  expect(bottle.userData).toContain('[settings.kubernetes]')
  expect(faults.count('describeCluster')).toBe(before)
})

test('the size of the user data is a metric, with a warning near EC2’s limit, and the metric is removed with the class', async () => {
  const harness = await startHarness()
  const { metrics, log, provider } = harness
  const SIZE = /^karpenter_ec2nodeclasses_userdata_bytes\{nodeclass="default"\} (\d+)$/m
  const family = { amiSelectorTerms: [{ id: 'ami-x86' }], amiFamily: 'Custom' as const }
  const measured = async (userData: string) => {
    await make(harness, { spec: { ...family, userData } })
    return Number(SIZE.exec(await metrics.text())?.[1])
  }
  const warnings = () => log.messages('warn').filter((each) => each.includes('close to the limit')).length
  expect(await measured('x'.repeat(100))).toBe(100)
  expect(await measured('x'.repeat(14_745))).toBe(14_745)
  expect(warnings()).toBe(0)
  expect(await measured('x'.repeat(14_746))).toBe(14_746)
  expect(warnings()).toBe(1)
  provider.deps.maker.forget('default')
  expect(await metrics.text()).not.toMatch(SIZE)
})

test('a kubelet setting without effect for the family is logged', async () => {
  const harness = await startHarness()
  const told = () => harness.log.lines.filter(({ message }) => message === 'a field of the node class has no effect')
  await make(harness, { spec: { kubelet: { podsPerCore: 4 } } })
  expect(told()).toEqual([])
  await make(harness, {
    spec: { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }], kubelet: { podsPerCore: 4 } },
  })
  expect(told()).toMatchObject([{ level: 'warn', fields: { EC2NodeClass: { name: 'default' } } }])
})
