import { describe, expect, test } from 'vitest'
import { knownRegions, knownTypes, knownZones } from './known-types.ts'
import { onDemandPricesInCny } from './on-demand-prices.ts'

describe('the instance types that come with Kerf', () => {
  const types = knownTypes()

  test('894 types have vCPUs and memory', () => {
    expect(types.size).toBe(894)
    for (const { name, vcpus, memoryGiB } of types.values())
      expect([vcpus > 0, memoryGiB > 0], name).toEqual([true, true])
  })

  test('the facts of a type equal those of the sources', () => {
    expect(types.get('ecs.c4.xlarge')).toMatchObject({ vcpus: 4, memoryGiB: 8, arch: 'amd64' })
    expect(types.get('ecs.gn6i-c4g1.xlarge')).toMatchObject({
      vcpus: 4,
      memoryGiB: 15,
      gpus: { count: 1, model: 'NVIDIA T4' },
    })
    expect(types.get('ecs.ga1.xlarge')?.gpus).toEqual({ count: 1, model: 'AMD S7150' })
    expect(types.get('ecs.gn7i-c8g1.2xlarge')?.gpus).toEqual({ count: 1, model: 'NVIDIA' })
    expect(types.get('ecs.gn5-c8g1.2xlarge')).toMatchObject({ enis: 4, ipsPerEni: 10 })
    expect(types.get('ecs.g8y.large')?.arch).toBe('arm64')
    expect(types.get('ecs.c1.large')?.enis).toBeUndefined()
  })

  test('zones have the same names as in the API', () => {
    expect(knownZones('cn-qingdao')).toEqual(['cn-qingdao-b', 'cn-qingdao-c'])
    expect(knownZones('cn-hongkong')).toEqual(['cn-hongkong-b', 'cn-hongkong-c', 'cn-hongkong-d'])
    expect(knownZones('us-east-1')).toEqual(['us-east-1a', 'us-east-1b'])
    expect(knownZones('mars-1')).toEqual([])
  })
})

describe('the prices that come with Kerf', () => {
  test('27 regions have prices above 0', () => {
    expect(knownRegions).toHaveLength(27)
    for (const region of knownRegions) {
      const prices = onDemandPricesInCny(region)
      expect(prices?.size, region).toBeGreaterThan(10)
      for (const [type, price] of prices ?? []) expect(price, `${type} in ${region}`).toBeGreaterThan(0)
    }
  })

  test('prices equal those of the source', () => {
    expect(onDemandPricesInCny('us-east-1')?.get('ecs.c6.2xlarge')).toBe(1.8868)
    expect(onDemandPricesInCny('ap-northeast-1')?.get('ecs.c1.large')).toBe(2.75)
    expect(onDemandPricesInCny('ap-northeast-1')?.get('ecs.no.large')).toBeUndefined()
    expect(onDemandPricesInCny('mars-1')).toBeUndefined()
  })
})
