import { formatResources, labels } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { offeringAllocatable, offeringCoordinates, singleValue } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { diskTypeLabel, gcpLabels } from '../label-names.ts'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { knownTypes } from '../tables/known-types.ts'
import type { TypeFacts } from '../type-facts.ts'
import { classTraits } from './class-traits.ts'
import { instanceTypesForClass } from './instance-types.ts'
import type { Market } from './offerings.ts'

const OVERHEAD = 0.07

const market: Market = {
  region: 'us-central1',
  zones: () => ['us-central1-a', 'us-central1-b'],
  price: (_type, _zone, capacityType) => (capacityType === 'spot' ? 0.1 : 0.3),
  isAvailable: () => true,
}

const factsOf = (name: string): TypeFacts => {
  const facts = knownTypes.get(name)
  if (facts === undefined) throw new Error(`there is no ${name}`)
  return facts
}

const typesOf = (names: readonly string[], spec: Partial<GCENodeClassSpec> = {}, other: Partial<Market> = {}) =>
  instanceTypesForClass(
    names.map(factsOf),
    classTraits({ spec: { imageSelectorTerms: [], ...spec } }),
    { ...market, ...other },
    OVERHEAD,
  )

const typeOf = (name: string, spec: Partial<GCENodeClassSpec> = {}, other: Partial<Market> = {}): InstanceType => {
  const [type] = typesOf([name], spec, other)
  if (type === undefined) throw new Error(`${name} is left out`)
  return type
}

describe('capacity and overhead', () => {
  test('of a type with the defaults of a class', () => {
    const type = typeOf('n2-standard-4')
    // 16 GiB minus 7 percent, rounded to bytes. The reserved resources follow GKE's formula.
    expect(formatResources(type.capacity)).toEqual({
      cpu: '4',
      memory: `${16 * 1024 ** 3 - Math.trunc(16 * 1024 ** 3 * OVERHEAD)}`,
      pods: '110',
      'ephemeral-storage': '100Gi',
      'nvidia.com/gpu': '0',
    })
    expect(formatResources(type.overhead.kubeReserved ?? {})).toEqual({
      cpu: '80m',
      memory: `${1024 + 819 + 819}Mi`,
      'ephemeral-storage': '41Gi',
    })
    expect(formatResources(type.overhead.systemReserved ?? {})).toEqual({ cpu: '100m' })
    expect(formatResources(type.overhead.evictionThreshold ?? {})).toEqual({
      memory: '100Mi',
      'ephemeral-storage': '10Gi',
    })
    expect(formatResources(offeringAllocatable(type))['cpu']).toBe('3820m')
  })

  test.each([
    ['e2-micro', '1060m', '255Mi'],
    ['e2-medium', '1060m', '1Gi'],
    ['t2d-standard-1', '60m', '1Gi'],
    ['n2-standard-2', '70m', `${1024 + 819}Mi`],
    ['n2-standard-128', '390m', `${1024 + 819 + 819 + 6881 + 7864}Mi`],
  ])('%s reserves %s of CPU and %s of memory for Kubernetes', (name, cpu, memory) => {
    expect(formatResources(typeOf(name).overhead.kubeReserved ?? {})).toMatchObject({ cpu, memory })
  })

  test.each([
    [10, '5Gi', '1Gi'],
    [20, '10Gi', '2Gi'],
    [50, '24Gi', '5Gi'],
    [105, '43Gi', '10Gi'],
    [1000, '100Gi', '100Gi'],
  ])('a boot disk of %s GiB reserves %s, and evicts below %s', (sizeGiB, reserved, threshold) => {
    const { overhead, capacity } = typeOf('n2-standard-4', { disks: [{ boot: true, sizeGiB }] })
    expect(formatResources(capacity)['ephemeral-storage']).toBe(`${sizeGiB}Gi`)
    expect(formatResources(overhead.kubeReserved ?? {})['ephemeral-storage']).toBe(reserved)
    expect(formatResources(overhead.evictionThreshold ?? {})['ephemeral-storage']).toBe(threshold)
  })

  test('the last boot disk counts, and a disk without size has 100 GiB', () => {
    const storage = (disks: GCENodeClassSpec['disks']) =>
      formatResources(typeOf('n2-standard-4', { disks: disks ?? [] }).capacity)['ephemeral-storage']
    expect(storage([{ boot: true, sizeGiB: 20 }, { boot: true, sizeGiB: 30 }, { sizeGiB: 40 }])).toBe('30Gi')
    expect(storage([{ boot: true }])).toBe('100Gi')
    expect(storage([{ sizeGiB: 40 }])).toBe('100Gi')
  })

  test('bundled local SSDs are no ephemeral storage, because nothing configures the node for it', () => {
    expect(factsOf('c3-standard-8-lssd').localSsdGiB).toBe(750)
    expect(formatResources(typeOf('c3-standard-8-lssd').capacity)['ephemeral-storage']).toBe('100Gi')
  })

  test('the kubelet configuration of the class applies', () => {
    const { capacity, overhead } = typeOf('n2-standard-4', {
      kubeletConfiguration: {
        maxPods: 64,
        podsPerCore: 10,
        kubeReserved: { cpu: '200m' },
        systemReserved: { cpu: '50m', memory: '1Gi' },
        evictionHard: { 'memory.available': '10%', 'nodefs.available': '5Gi', 'pid.available': '1%' },
      },
    })
    expect(formatResources(capacity)['pods']).toBe('40')
    expect(formatResources(overhead.kubeReserved ?? {})).toMatchObject({ cpu: '200m', 'ephemeral-storage': '41Gi' })
    expect(formatResources(overhead.systemReserved ?? {})).toEqual({ cpu: '150m', memory: '1Gi' })
    expect(overhead.evictionThreshold).toMatchObject({
      memory: BigInt(Math.ceil((Number((capacity['memory'] ?? 0n) / 1_000_000_000n) * 10) / 100)) * 1_000_000_000n,
    })
    expect(formatResources(overhead.evictionThreshold ?? {})['ephemeral-storage']).toBe('5Gi')
  })

  test.each([
    [0, undefined, '0'],
    [8, 0, '8'],
    [8, 1, '4'],
    [3, 1, '3'],
  ])('maxPods %s with podsPerCore %s on four vCPUs is %s', (maxPods, podsPerCore, pods) => {
    const kubeletConfiguration = { maxPods, ...(podsPerCore === undefined ? {} : { podsPerCore }) }
    expect(formatResources(typeOf('n2-standard-4', { kubeletConfiguration }).capacity)['pods']).toBe(pods)
  })
})

describe('GPUs and TPUs', () => {
  const typeValues = (type: InstanceType) =>
    [gcpLabels.gpuName, gcpLabels.gpuCount, gcpLabels.accelerator, gcpLabels.cpuScalingLevel].map((key) =>
      singleValue(type.requirements, key),
    )

  test('the number of GPUs is the sum of their counts', () => {
    const type = typeOf('a3-highgpu-8g')
    expect(formatResources(type.capacity)['nvidia.com/gpu']).toBe('8')
    expect(typeValues(type)).toEqual(['nvidia-h100-80gb', '8', 'nvidia-h100-80gb', '208'])
  })

  test('a share of a GPU is one GPU for pods', () => {
    expect(formatResources(typeOf('g4-standard-6').capacity)['nvidia.com/gpu']).toBe('1')
  })

  test('a TPU is no GPU', () => {
    const facts: TypeFacts = { ...factsOf('ct5lp-hightpu-4t'), accelerators: [{ type: 'ct5lp', count: 4 }] }
    const [type] = instanceTypesForClass([facts], classTraits({}), market, OVERHEAD)
    expect(formatResources(type?.capacity ?? {})).toMatchObject({ 'google.com/tpu': '4', 'nvidia.com/gpu': '0' })
    expect(typeValues(type ?? typeOf('n2-standard-4'))).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe('requirements and offerings', () => {
  const typeOperator = (type: InstanceType, key: string) =>
    type.requirements.find((requirement) => requirement.key === key)?.operator

  test('the architecture, and the words of the name', () => {
    const { requirements } = typeOf('c4a-standard-8')
    const { arch, region, instanceType } = labels
    const { family, shape, size, generation, cpu, memory } = gcpLabels
    expect(
      [arch, region, instanceType, family, shape, size, generation, cpu, memory].map((key) =>
        singleValue(requirements, key),
      ),
    ).toEqual(['arm64', 'us-central1', 'c4a-standard-8', 'c4a', 'standard', '8', '4', '8', '32768'])
  })

  test('the disk types of the family, and none for a family that the table does not contain', () => {
    const attachable = (name: string, diskType: string) =>
      singleValue(typeOf(name).requirements, diskTypeLabel(diskType))
    expect(attachable('n2-standard-4', 'pd-balanced')).toBe('true')
    expect(attachable('c4-standard-8', 'pd-balanced')).toBeUndefined()
    expect(attachable('c4-standard-8', 'hyperdisk-balanced')).toBe('true')
    expect(typeOperator(typeOf('c4n-standard-8'), diskTypeLabel('pd-balanced'))).toBe('DoesNotExist')
  })

  test('zones and capacity types are those of the available offerings', () => {
    const type = typeOf(
      'n2-standard-4',
      {},
      { isAvailable: (_, zone, capacityType) => zone.endsWith('a') && capacityType === 'spot' },
    )
    expect(type.offerings).toHaveLength(4)
    expect(type.offerings.filter(({ available }) => available).map((each) => offeringCoordinates(type, each))).toEqual([
      { capacityType: 'spot', instanceType: 'n2-standard-4', zone: 'us-central1-a' },
    ])
    expect(singleValue(type.requirements, labels.zone)).toBe('us-central1-a')
    expect(singleValue(type.requirements, gcpLabels.zoneId)).toBe('us-central1-a')
    expect(singleValue(type.requirements, labels.capacityType)).toBe('spot')
    const none = typeOf('n2-standard-4', {}, { isAvailable: () => false })
    expect(typeOperator(none, labels.zone)).toBe('DoesNotExist')
    expect(typeOperator(none, labels.capacityType)).toBe('DoesNotExist')
  })

  test('a type without a price or a zone is left out', () => {
    expect(typesOf(['n2-standard-4'], {}, { price: () => undefined })).toEqual([])
    expect(typesOf(['n2-standard-4'], {}, { zones: () => [] })).toEqual([])
    const { offerings } = typeOf(
      'n2-standard-4',
      {},
      { price: (_name, _zone, type) => (type === 'spot' ? undefined : 1) },
    )
    expect(offerings).toHaveLength(2)
  })
})

test('types that cannot attach the disks of the class are left out', () => {
  const names = ['n2-standard-4', 'c4-standard-8', 'c4n-standard-8', 'c3-standard-8-lssd', 'c3-standard-8']
  const kept = (disks: GCENodeClassSpec['disks']) => typesOf(names, { disks: disks ?? [] }).map(({ name }) => name)
  expect(kept([{ boot: true }])).toEqual(names)
  expect(kept([{ boot: true, category: 'pd-balanced' }])).toEqual(names.filter((name) => name !== 'c4-standard-8'))
  expect(kept([{ boot: true, category: 'pd-standard' }])).toEqual(['n2-standard-4', 'c4n-standard-8'])
  expect(kept([{ boot: true }, { category: 'local-ssd' }])).toEqual(['n2-standard-4'])
})
