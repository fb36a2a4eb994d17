import { formatQuantity, formatResources, parseQuantity, quantityFormat, toMilli, toWhole } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { offeringAllocatable } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import type { EC2NodeClassSpec } from '../node-class/ec2-node-class.ts'
import { nodeClassTraits } from '../node-class/node-class-traits.ts'
import { bytes, MIB, openMarket, resolve, type Setting, testSettings } from '../testing/resolved-type.ts'
import { ec2Type, ec2TypeOf, type TypeRow, typeRows } from '../testing/type-table.ts'
import { awsInstanceType } from './instance-type.ts'

/** The formulas of the specification, repeated with plain numbers. */
const expected = (machine: TypeRow) => {
  const seen = machine.arch === 'arm64' ? machine.mebibytes - 64 : machine.mebibytes
  const memory = seen - Math.ceil(seen * 0.075)
  const pods = machine.interfaces * machine.addresses - machine.interfaces + 2
  let cpu = 0
  if (machine.vcpus === 1) cpu = 60
  else if (machine.vcpus === 2) cpu = 60 + 10
  else cpu = 60 + 10 + 10 + Math.floor((machine.vcpus - 4) * 2.5)
  return { memory, pods, cpu, kept: 255 + 11 * pods }
}

describe('45 types, on AL2023', () => {
  test('the table contains enough types', () => {
    expect(typeRows.length).toBeGreaterThanOrEqual(40)
    expect(new Set(typeRows.map(({ name }) => name)).size).toBe(typeRows.length)
  })

  test.each(typeRows.map((machine) => [machine.name, machine] as const))('%s', (_, machine) => {
    const type = resolve(ec2TypeOf(machine))
    const want = expected(machine)
    const [manufacturer, , gpus = 0] = machine.gpu ?? []
    const [, devices = 0, cores = 0] = machine.neuron ?? []
    const none = <T>(count: number, value: T): T | undefined => (count === 0 ? undefined : value)
    expect({ ...formatResources(type.capacity), memory: bytes(type, 'memory') / MIB }).toEqual(
      JSON.parse(
        JSON.stringify({
          cpu: `${machine.vcpus}`,
          memory: want.memory,
          'ephemeral-storage': '20Gi',
          pods: `${want.pods}`,
          'nvidia.com/gpu': none(manufacturer === 'NVIDIA' ? gpus : 0, `${gpus}`),
          'amd.com/gpu': none(manufacturer === 'AMD' ? gpus : 0, `${gpus}`),
          'habana.ai/gaudi': none(manufacturer === 'Habana' ? gpus : 0, `${gpus}`),
          'aws.amazon.com/neuron': none(devices, `${devices}`),
          'aws.amazon.com/neuroncore': none(devices, `${devices * cores}`),
          'vpc.amazonaws.com/efa': none(machine.efas ?? 0, `${machine.efas}`),
        }),
      ),
    )
    const { kubeReserved = {}, evictionThreshold = {} } = type.overhead
    expect(toMilli(kubeReserved['cpu'] ?? parseQuantity(0))).toBe(want.cpu)
    expect(toWhole(kubeReserved['memory'] ?? parseQuantity(0)) / MIB).toBe(want.kept)
    expect(formatResources(evictionThreshold)).toEqual({ memory: '100Mi', 'ephemeral-storage': '2Gi' })
    const free = toWhole(offeringAllocatable(type)['memory'] ?? parseQuantity(0)) / MIB
    expect(free).toBe(Math.max(want.memory - want.kept - 100, 0))

    const striped = resolve(ec2TypeOf(machine), { spec: { instanceStorePolicy: 'RAID0' } })
    expect(bytes(striped, 'ephemeral-storage')).toBe(
      machine.store === undefined ? 20 * 1024 * MIB : machine.store * 1e9,
    )
  })

  test.each([
    ['t3.nano', 4],
    ['t3.large', 35],
    ['m5.large', 29],
    ['m5.xlarge', 58],
    ['m5.4xlarge', 234],
    ['m5.24xlarge', 737],
    ['c7g.medium', 8],
    ['g4ad.xlarge', 8],
    ['u-6tb1.metal', 147],
  ])('%s has the %i pods that EKS publishes', (name, pods) => {
    expect(bytes(resolve(ec2Type(name)), 'pods')).toBe(pods)
  })

  test.each([
    ['t4g.small', '1408312Ki', '1930m'],
    ['t4g.medium', '3377496Ki', '1930m'],
    ['t4g.xlarge', '15136012Ki', '3920m'],
    ['m5.large', '7220184Ki', '1930m'],
  ])('%s has at most the capacity that its kubelet reports', (name, memory, cpu) => {
    const free = offeringAllocatable(resolve(ec2Type(name)))
    expect(free['memory'] ?? 0n).toBeLessThanOrEqual(parseQuantity(memory))
    expect(free['cpu']).toBe(parseQuantity(cpu))
  })
})

const limits = (type: InstanceType): string[] =>
  Object.entries(type.overhead.kubeReserved ?? {}).map(
    ([name, amount]) => `${name}=${formatQuantity(amount, quantityFormat(name))}`,
  )

describe('the number of pods, and the resources that are reserved for them', () => {
  test('maxPods does not reduce the reservation on Amazon Linux, but it does on other families', () => {
    const keeps = (amiFamily: NonNullable<EC2NodeClassSpec['amiFamily']>): string | undefined =>
      limits(resolve(ec2Type('t3.large'), { spec: { amiFamily, kubelet: { maxPods: 10 } } })).find((each) =>
        each.startsWith('memory'),
      )
    for (const family of ['AL2', 'AL2023', 'Custom'] as const) expect(keeps(family), family).toBe('memory=640Mi')
    for (const family of ['Bottlerocket', 'Windows2019', 'Windows2022'] as const)
      expect(keeps(family), family).toBe('memory=365Mi')
    expect(limits(resolve(ec2Type('m5.xlarge')))).toEqual(['cpu=80m', 'memory=893Mi', 'ephemeral-storage=1Gi'])
  })

  const pods = (name: string, setting: Setting = {}): number => bytes(resolve(ec2Type(name), setting), 'pods')
  test('maxPods, pods per core, reserved interfaces', () => {
    expect(pods('m5.large', { spec: { kubelet: { maxPods: 10 } } })).toBe(10)
    expect(pods('m5.large', { spec: { kubelet: { maxPods: 110 } } })).toBe(110)
    expect(pods('m5.large', { spec: { kubelet: { maxPods: 'vcpus * 10' } } })).toBe(29)
    expect(pods('m5.large', { spec: { kubelet: { podsPerCore: 4 } } })).toBe(8)
    expect(pods('m5.large', { spec: { kubelet: { podsPerCore: 4, maxPods: 5 } } })).toBe(5)
    expect(pods('m5.large', { spec: { kubelet: { podsPerCore: 0 } } })).toBe(29)
    expect(pods('m5.large', { spec: { amiFamily: 'Bottlerocket', kubelet: { podsPerCore: 4 } } })).toBe(29)
    expect(pods('m5.large', { spec: { amiFamily: 'Windows2022' } })).toBe(110)
    expect(pods('m5.large', { settings: { reservedEnis: 1 } })).toBe(20)
    expect(pods('m5.large', { settings: { reservedEnis: 3 } })).toBe(0)
    expect(pods('m5.large', { settings: { reservedEnis: 100 } })).toBe(0)
  })

  test('an EFA without IP uses an interface of the default card, so fewer pods have an address', () => {
    const card = (networkCardIndex: number): Setting => ({
      spec: {
        networkInterfaces: [
          { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
          { networkCardIndex, deviceIndex: 1, interfaceType: 'efa-only' },
        ],
      },
    })
    expect(pods('p4d.24xlarge', card(0))).toBe(14 * 49 + 2)
    expect(pods('p4d.24xlarge', card(1))).toBe(737)
    expect(bytes(resolve(ec2Type('p4d.24xlarge'), card(1)), 'vpc.amazonaws.com/efa')).toBe(1)
  })

  test('kubeReserved by key, systemReserved, and expressions that are left out', () => {
    const type = resolve(ec2Type('m5.xlarge'), {
      spec: {
        kubelet: { kubeReserved: { cpu: '2', memory: 'vcpus * 100' }, systemReserved: { memory: '1Gi', pid: 'x' } },
      },
    })
    expect(limits(type)).toEqual(['cpu=2', 'memory=893Mi', 'ephemeral-storage=1Gi'])
    expect(formatResources(type.overhead.systemReserved ?? {})).toEqual({ memory: '1Gi' })
  })

  const evicts = (evictionHard: Record<string, string>, more = {}): Record<string, string> =>
    formatResources(
      resolve(ec2Type('m5.xlarge'), { spec: { kubelet: { evictionHard, ...more } } }).overhead.evictionThreshold ?? {},
    )
  test('eviction: amounts, percentages rounded up, 100 % disables the threshold, soft thresholds do not count', () => {
    const inBytes = (signals: Record<string, string>): number =>
      toWhole(parseQuantity(evicts(signals)['memory'] ?? '0'))
    expect(evicts({ 'memory.available': '500Mi' })).toEqual({ memory: '500Mi', 'ephemeral-storage': '2Gi' })
    // 16384 MiB minus 7.5 %, rounded up to 1229, leaves 15155 MiB.
    expect(inBytes({ 'memory.available': '10%' })).toBe(Math.ceil((15155 * MIB) / 10))
    expect(inBytes({ 'memory.available': '0.1%' })).toBe(Math.ceil((15155 * MIB) / 1000))
    expect(inBytes({ 'memory.available': '33.3%' })).toBe(Math.ceil((15155 * MIB * 333) / 1000))
    expect(evicts({ 'nodefs.available': '100%' })['ephemeral-storage']).toBe('0')
    expect(evicts({ 'nodefs.available': '50%' })['ephemeral-storage']).toBe('10Gi')
    expect(evicts({}, { evictionSoft: { 'memory.available': '50%' } })['memory']).toBe('100Mi')
  })

  test('observed memory replaces the estimate, and the estimate can be adjusted', () => {
    expect(bytes(resolve(ec2Type('m5.large'), { settings: { vmMemoryOverheadPercent: 0 } }), 'memory')).toBe(8192 * MIB)
    const seen = awsInstanceType({
      type: ec2Type('m5.large'),
      facts: {},
      traits: nodeClassTraits({
        spec: { amiFamily: 'AL2', amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
      }),
      settings: testSettings,
      market: openMarket(),
      offeredIn: new Set(),
      discoveredMemory: parseQuantity('7900Mi'),
    })
    expect(formatResources(seen.capacity)['memory']).toBe('7900Mi')
  })
})

test.each<readonly [string, Partial<EC2NodeClassSpec>, string]>([
  [
    'the family’s device',
    { blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi' } }] },
    '100Gi',
  ],
  ['another device', { blockDeviceMappings: [{ deviceName: '/dev/xvdb', ebs: { volumeSize: '100Gi' } }] }, '20Gi'],
  [
    'a snapshot without size',
    { blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { snapshotID: 'snap-1' } }] },
    '20Gi',
  ],
  [
    'the marked volume',
    {
      blockDeviceMappings: [
        { deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi' } },
        { deviceName: '/dev/xvdb', ebs: { volumeSize: '50Gi' }, rootVolume: true },
      ],
    },
    '50Gi',
  ],
  ['Bottlerocket by itself', { amiFamily: 'Bottlerocket' }, '20Gi'],
  [
    'Bottlerocket’s data volume',
    { amiFamily: 'Bottlerocket', blockDeviceMappings: [{ deviceName: '/dev/xvdb', ebs: { volumeSize: '30Gi' } }] },
    '30Gi',
  ],
  ['Windows', { amiFamily: 'Windows2022' }, '50Gi'],
  ['Custom by itself', { amiFamily: 'Custom' }, '20Gi'],
  [
    'Custom’s last volume',
    {
      amiFamily: 'Custom',
      blockDeviceMappings: [
        { deviceName: 'a', ebs: { volumeSize: '1Ti' } },
        { deviceName: 'b', ebs: { volumeSize: '30Gi' } },
      ],
    },
    '30Gi',
  ],
])('ephemeral storage: %s', (_, spec, size) => {
  expect(formatResources(resolve(ec2Type('m5.large'), { spec }).capacity)['ephemeral-storage']).toBe(size)
})
