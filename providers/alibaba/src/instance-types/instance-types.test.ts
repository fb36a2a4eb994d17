import { capacityTypes, formatResources, labels } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import type { EcsType } from '../ecs-types/ecs-type.ts'
import { alibabaLabels, alibabaWellKnownLabels } from '../label-names.ts'
import type { ClassTraits } from './class-traits.ts'
import { classTraits } from './class-traits.ts'
import { instanceTypes, type TypeSettings } from './instance-types.ts'
import type { Market } from './offerings.ts'
import { podCount } from './pod-count.ts'

const g7: EcsType = { name: 'ecs.g7.xlarge', vcpus: 4, memoryGiB: 16, arch: 'amd64', enis: 4, ipsPerEni: 15 }
const settings: TypeSettings = { network: { plugin: 'other' }, vmMemoryOverheadPercent: 0.065 }
const market: Market = {
  region: 'cn-hangzhou',
  zones: ['cn-hangzhou-b', 'cn-hangzhou-e'],
  onDemandPrice: () => 1,
  spotPrice: (_, zone) => (zone === 'cn-hangzhou-e' ? 0.2 : undefined),
  isAvailable: () => true,
}

const typeOf = (
  type: EcsType,
  { traits = classTraits({}), ...more }: { traits?: ClassTraits; market?: Market } & Partial<TypeSettings> = {},
) => {
  const [made] = instanceTypes([type], traits, more.market ?? market, { ...settings, ...more })
  if (made === undefined) throw new Error(`${type.name} was left out`)
  return made
}

const label = (type: EcsType, key: string): readonly string[] | undefined =>
  typeOf(type).requirements.find((each) => each.key === key)?.values

describe('capacity and overhead', () => {
  test('of a node in a cluster with neither Terway nor Flannel', () => {
    const { capacity, overhead } = typeOf(g7)
    expect(formatResources(capacity)).toEqual({
      cpu: '4',
      // 16 GiB minus 1065 Mi, which is 6.5 percent of 16 GiB, rounded up.
      memory: '15319Mi',
      'ephemeral-storage': '20Gi',
      pods: '110',
      'nvidia.com/gpu': '0',
      'amd.com/gpu': '0',
      'aliyun/eni': '3',
    })
    // The reserved memory is 11 Mi for each of 110 pods, plus 255 Mi and 200 Mi.
    expect(formatResources(overhead.kubeReserved ?? {})).toEqual({ cpu: '80m', memory: '1665Mi' })
    expect([overhead.systemReserved, overhead.evictionThreshold]).toEqual([undefined, undefined])
  })

  test.each([
    [1, '60m'],
    [2, '70m'],
    [3, '75m'],
    [4, '80m'],
    [5, '82m'],
    [64, '230m'],
  ])('%i vCPUs reserve %s', (vcpus, cpu) => {
    expect(formatResources(typeOf({ ...g7, vcpus }).overhead.kubeReserved ?? {})['cpu']).toBe(cpu)
  })

  test('a small node reserves at most a quarter of its memory', () => {
    expect(formatResources(typeOf({ ...g7, memoryGiB: 2 }).overhead.kubeReserved ?? {})['memory']).toBe('712Mi')
  })

  test('the system disk is the ephemeral storage; without volumeSize, the deprecated size applies', () => {
    const storage = (systemDisk: object) =>
      formatResources(typeOf(g7, { traits: classTraits({ spec: { ...terms, systemDisk } }) }).capacity)[
        'ephemeral-storage'
      ]
    expect([storage({ volumeSize: '100G' }), storage({ size: 40 }), storage({ size: 40, volumeSize: '60Gi' })]).toEqual(
      ['97656250Ki', '40Gi', '60Gi'],
    )
    expect(storage({})).toBe('20Gi')
  })

  test('the kubelet settings of the class are subtracted', () => {
    const kubeletConfiguration = {
      kubeReserved: { cpu: '200m', memory: '1Mi', pid: '100' },
      systemReserved: { memory: '100Mi', cpu: 'abc' },
      evictionHard: { 'memory.available': '10%', 'nodefs.available': '1Gi' },
    }
    const { overhead } = typeOf(g7, { traits: classTraits({ spec: { ...terms, kubeletConfiguration } }) })
    expect(formatResources(overhead.kubeReserved ?? {})).toEqual({ cpu: '200m', memory: '1665Mi' })
    expect(formatResources(overhead.systemReserved ?? {})).toEqual({ memory: '100Mi' })
    expect(formatResources(overhead.evictionThreshold ?? {})).toEqual({
      memory: `${Math.ceil((15_319 * 1024 * 1024) / 10)}`,
      'ephemeral-storage': '1Gi',
    })
  })

  test('GPUs become the extended resource of their manufacturer', () => {
    const gpus = (model: string) => {
      const { capacity } = typeOf({ ...g7, gpus: { count: 2, model } })
      const amounts = formatResources(capacity)
      return [amounts['nvidia.com/gpu'], amounts['amd.com/gpu']]
    }
    expect([gpus('NVIDIA T4'), gpus('Nvidia'), gpus('AMD S7150'), gpus('Other X')]).toEqual([
      ['2', '0'],
      ['2', '0'],
      ['0', '2'],
      ['0', '0'],
    ])
  })
})

const terms = { vSwitchSelectorTerms: [], securityGroupSelectorTerms: [], imageSelectorTerms: [] }

describe('pods', () => {
  const terway = { plugin: 'terway-eniip' } as const
  test('by network plugin and by class', () => {
    expect(podCount(g7, {}, terway)).toBe(48)
    expect(podCount(g7, {}, { plugin: 'flannel', podsPerNode: 256 })).toBe(256)
    expect(podCount(g7, {}, { plugin: 'flannel', podsPerNode: 64 })).toBe(64)
    expect(podCount(g7, {}, { plugin: 'other' })).toBe(110)
    expect(podCount(g7, { maxPods: 0 }, terway)).toBe(0)
    expect(podCount(g7, { podsPerCore: 5 }, terway)).toBe(20)
    expect(podCount(g7, { podsPerCore: 50 }, terway)).toBe(48)
    expect(podCount(g7, { podsPerCore: 0 }, terway)).toBe(48)
  })

  test('Terway needs eleven addresses for pods', () => {
    const made = (enis: number, ipsPerEni: number) =>
      instanceTypes([{ ...g7, enis, ipsPerEni }], classTraits({}), market, { ...settings, network: terway }).length
    expect([made(2, 10), made(2, 11)]).toEqual([0, 1])
    const { enis: _, ...unknown } = g7
    expect(instanceTypes([unknown], classTraits({}), market, { ...settings, network: terway })).toEqual([])
  })
})

describe('labels', () => {
  test('every well-known label has a requirement', () => {
    const keys = new Set(typeOf(g7).requirements.map(({ key }) => key))
    for (const key of alibabaWellKnownLabels) expect(keys, key).toContain(key)
  })

  test('come from the name, the processor and the GPUs', () => {
    const type: EcsType = {
      ...g7,
      name: 'ecs.gn7i-c8g1.2xlarge',
      processorModel: 'Intel(R) Xeon(R) Platinum 8369B',
      gpus: { count: 1, model: 'NVIDIA A10', memoryGB: 24 },
    }
    const values = Object.values(alibabaLabels).map((key) => label(type, key)?.join())
    expect(values).toEqual([
      ...['gn', 'ecs.gn7i-c8g1', '7', '2xlarge', '4', 'intel', '16384', 'nvidia-a10', 'NVIDIA', '1', '24'],
      'cn-hangzhou-b,cn-hangzhou-e',
    ])
  })

  test.each([
    ['ecs.e-c1m1.large', undefined, undefined, 'ecs.e-c1m1', 'large'],
    ['ecs.u0.c1m1.large', 'u', '0', undefined, undefined],
    ['ecs.re4-1tb.large', 're', '4', 'ecs.re4-1tb', 'large'],
    ['ecs.re-1tb4.large', 're', '4', 'ecs.re-1tb4', 'large'],
    ['ecs.ebmg7.32xlarge', 'ebmg', '7', 'ecs.ebmg7', '32xlarge'],
  ])('%s', (name, category, generation, family, size) => {
    const type = { ...g7, name }
    expect(
      [alibabaLabels.category, alibabaLabels.generation, alibabaLabels.family, alibabaLabels.size].map(
        (key) => label(type, key)?.[0],
      ),
    ).toEqual([category, generation, family, size])
  })

  test('memory is an integer, and Arm has no processor model', () => {
    expect(label({ ...g7, memoryGiB: 1024 }, alibabaLabels.memory)).toEqual(['1048576'])
    expect(label({ ...g7, memoryGiB: 0.5 }, alibabaLabels.memory)).toEqual(['512'])
    expect(label({ ...g7, processorModel: 'Yitian 710' }, alibabaLabels.cpuModel)).toBeUndefined()
    expect(label({ ...g7, processorModel: 'AMD EPYC' }, alibabaLabels.cpuModel)).toEqual(['amd'])
  })

  test('zones and capacity types are those of the available offerings', () => {
    const only: Market = { ...market, isAvailable: (_, zone) => zone === 'cn-hangzhou-b' }
    const { requirements, offerings } = typeOf(g7, { market: only })
    const values = (key: string) => requirements.find((each) => each.key === key)?.values
    expect([values(labels.zone), values(labels.capacityType)]).toEqual([['cn-hangzhou-b'], [capacityTypes.onDemand]])
    expect(offerings.map(({ available, price }) => [available, price])).toEqual([
      [true, 1],
      [false, 1],
      [false, 0.2],
    ])
    const none = typeOf(g7, { market: { ...market, isAvailable: () => false } })
    expect(none.requirements.find(({ key }) => key === labels.zone)?.operator).toBe('DoesNotExist')
  })

  test('a type without any price is left out', () => {
    const free: Market = { ...market, onDemandPrice: () => undefined, spotPrice: () => undefined }
    expect(instanceTypes([g7], classTraits({}), free, settings)).toEqual([])
  })
})
