import { formatQuantity, labels, parseQuantity, toWhole } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { offeringAllocatable } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { awsLabels } from '../label-names.ts'
import { offlineRegions, USUAL_REGION } from '../regions.ts'
import { firstPrices } from '../tables/first-prices.ts'
import { INSTANCE_TYPES } from '../tables/generated/instance-types.ts'
import { readOfflineTypes } from '../tables/offline-types.ts'
import { ec2TypeOf, typeRows } from '../testing/type-table.ts'
import { offlineInstanceTypes } from './offline-instance-types.ts'
import { OFFLINE_SPOT_FACTOR, offlineMarket } from './offline-market.ts'

const described = new Map([...readOfflineTypes(INSTANCE_TYPES)].map((each) => [each.InstanceType, each]))
const market = offlineMarket(USUAL_REGION)
const zonesByType = new Map(market.types.map(({ type, zones }) => [type.InstanceType, zones]))
const regionTypes = offlineInstanceTypes()
const byName = new Map(regionTypes.map((type) => [type.name, type]))

const typeValues = (type: InstanceType | undefined, key: string): readonly string[] =>
  type?.requirements.find((each) => each.key === key)?.values ?? []

test('about 1,400 types of many families are described, and nearly all have an offering', () => {
  expect(described.size).toBeGreaterThan(1_350)
  expect(regionTypes.length).toBeGreaterThan(1_300)
  const families = new Set(regionTypes.map(({ name }) => name.split('.')[0]))
  expect(families.size).toBeGreaterThan(130)
  expect(new Set(regionTypes.flatMap((type) => typeValues(type, labels.arch)))).toEqual(new Set(['amd64', 'arm64']))
})

describe('facts that AWS publishes about instance types', () => {
  const known = typeRows.filter(({ name }) => described.has(name))
  test('most of the types that other tests use are in the table', () => {
    expect(known.length).toBeGreaterThan(35)
  })
  test.each(known)('$name', (machine) => {
    const type = described.get(machine.name)
    const expected = ec2TypeOf(machine)
    expect(type?.VCpuInfo).toEqual(expected.VCpuInfo)
    expect(type?.MemoryInfo).toEqual(expected.MemoryInfo)
    expect(type?.Hypervisor).toBe(expected.Hypervisor)
    expect(type?.ProcessorInfo?.SupportedArchitectures).toEqual(expected.ProcessorInfo?.SupportedArchitectures)
    expect(type?.NetworkInfo?.NetworkCards?.[0]).toEqual(expected.NetworkInfo?.NetworkCards?.[0])
    expect(type?.NetworkInfo?.Ipv4AddressesPerInterface).toBe(machine.addresses)
    expect(type?.InstanceStorageInfo?.TotalSizeInGB).toBe(machine.store)
    const gpu = type?.GpuInfo?.Gpus?.[0]
    expect(gpu === undefined ? undefined : [gpu.Manufacturer, gpu.Name, gpu.Count]).toEqual(machine.gpu?.slice(0, 3))
  })
})

test('one complete type, computed by hand from the data that AWS publishes', () => {
  const type = byName.get('m5.large')
  if (type === undefined) throw new Error('m5.large is there')
  expect(typeValues(type, awsLabels.category)).toEqual(['m'])
  expect(typeValues(type, awsLabels.family)).toEqual(['m5'])
  expect(typeValues(type, labels.region)).toEqual([USUAL_REGION])
  expect(typeValues(type, labels.capacityType)).toEqual(['on-demand', 'spot'])
  // Three interfaces have 10 addresses each. Each interface uses one of its addresses itself. Two pods use the host network.
  expect(toWhole(type.capacity['pods'] ?? parseQuantity(0))).toBe(3 * 9 + 2)
  // 8 GiB minus the 7.5 % that the hypervisor keeps, in whole MiB.
  expect(formatQuantity(type.capacity['memory'] ?? parseQuantity(0), 'BinarySI')).toBe(
    `${8192 - Math.ceil(8192 * 0.075)}Mi`,
  )
  const [offering] = type.offerings
  if (offering === undefined) throw new Error('m5.large is offered')
  expect(offeringAllocatable(type, offering)['cpu']).toBe(parseQuantity('1930m'))
  const priceIn = (capacityType: string): readonly number[] => [
    ...new Set(
      type.offerings
        .filter(({ requirements }) => requirements.some(({ values }) => values?.includes(capacityType)))
        .map(({ price = Number.NaN }) => price),
    ),
  ]
  const price = firstPrices(USUAL_REGION).onDemand.get('m5.large') ?? Number.NaN
  expect(priceIn('on-demand')).toEqual([price])
  expect(priceIn('spot')).toEqual([expect.closeTo(price * OFFLINE_SPOT_FACTOR, 9)])
})

test('only purchasable types are offered: in the zones that have them, at a known price', () => {
  const { prices } = market
  for (const { name, offerings, capacity } of regionTypes) {
    const zones = zonesByType.get(name) ?? []
    const onDemand = prices.onDemand(name) ?? 0
    expect(offerings.length, name).toBeGreaterThan(0)
    for (const { requirements, price, available } of offerings) {
      const value = (key: string): string => requirements.find((each) => each.key === key)?.values?.[0] ?? ''
      expect(available).toBe(true)
      expect(zones, name).toContain(value(labels.zone))
      expect(price, name).toBeCloseTo(value(labels.capacityType) === 'spot' ? onDemand * OFFLINE_SPOT_FACTOR : onDemand)
      expect(price, name).toBeGreaterThan(0)
    }
    for (const resource of ['cpu', 'memory', 'pods'])
      expect(capacity[resource] ?? 0n, `${name}: ${resource}`).toBeGreaterThan(0n)
  }
  // The instance type is described, but either its price is unknown or the region does not offer it.
  const unpriced = [...described.keys()].filter((name) => name !== undefined && prices.onDemand(name) === undefined)
  expect(unpriced.length).toBeGreaterThan(0)
  for (const name of unpriced) expect(byName.has(name ?? ''), name).toBe(false)
})

describe('other regions', () => {
  const namesIn = (region: string, zone: string): readonly string[] =>
    offlineInstanceTypes(undefined, offlineMarket(region))
      .filter(({ offerings }) =>
        offerings.some(({ requirements }) =>
          requirements.some(({ key, values }) => key === labels.zone && values?.includes(zone)),
        ),
      )
      .map(({ name }) => name)

  test('there are thirty other regions, each with zones and with types in every zone', () => {
    expect(offlineRegions.length).toBe(30)
    for (const region of offlineRegions) {
      const { zones, types } = offlineMarket(region)
      expect(zones.length, region).toBeGreaterThanOrEqual(2)
      expect(types.length, region).toBeGreaterThan(200)
      for (const zone of zones)
        expect(types.filter(({ zones: of }) => of.includes(zone)).length, zone).toBeGreaterThan(60)
    }
  })

  test('zones are those that AWS publishes: Tokyo has no zone b, and Canada (Central) has no zone c', () => {
    expect(offlineMarket('ap-northeast-1').zones).toEqual(['ap-northeast-1a', 'ap-northeast-1c', 'ap-northeast-1d'])
    expect(offlineMarket('ca-central-1').zones).toEqual(['ca-central-1a', 'ca-central-1b', 'ca-central-1d'])
  })

  test('types belong to the region: its label, its zones, and only what it offers', () => {
    const type = offlineInstanceTypes(undefined, offlineMarket('eu-west-1')).find(({ name }) => name === 'm5.large')
    expect(typeValues(type, labels.region)).toEqual(['eu-west-1'])
    expect(typeValues(type, labels.zone)).toEqual(['eu-west-1a', 'eu-west-1b', 'eu-west-1c'])
    // Large memory instance types exist in few regions.
    expect(namesIn('us-east-1', 'us-east-1a')).toContain('u7i-12tb.224xlarge')
    expect(namesIn('ca-west-1', 'ca-west-1a')).not.toContain('u7i-12tb.224xlarge')
    expect(namesIn('ca-west-1', 'ca-west-1a')).toContain('m6i.large')
  })

  test('a note says if prices are from another region; an unknown region is an error', () => {
    expect(offlineMarket('us-east-1').pricesOf).toBe('us-east-1')
    expect(offlineMarket('eu-west-1').pricesOf).toBe('us-east-1')
    expect(() => offlineMarket('eu-west-9')).toThrow('Kerf does not include the types and zones of eu-west-9')
  })
})
