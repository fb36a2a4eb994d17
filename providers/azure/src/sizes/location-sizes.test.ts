import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { ResourceSku } from '../api/compute-shapes.ts'
import { listOfferings } from '../instance-type/offerings.ts'
import { LocationSizes } from './location-sizes.ts'
import { ephemeralOsDiskFor, parseVmSize } from './vm-size.ts'

// See `providers/azure/docs/spec/azure.md#source-and-refresh`, `providers/azure/docs/spec/azure.md#ephemeral-os-disk`.

const DAY = 24 * 3_600_000
const sku = (name: string, more: Readonly<Record<string, string>> = {}, zones = ['1', '2', '3']): ResourceSku => ({
  ...{ resourceType: 'virtualMachines', name, family: 'standardDADSv5Family', locations: ['westeurope'] },
  locationInfo: [{ location: 'westeurope', zones }],
  restrictions: [],
  capabilities: Object.entries({
    ...{ vCPUs: '8', MemoryGB: '32', CpuArchitectureType: 'x64', HyperVGenerations: 'V1,V2', PremiumIO: 'True' },
    ...more,
  }).map(([key, value]) => ({ name: key, value })),
})

const harness = async (first: readonly ResourceSku[]) => {
  const clock = new VirtualClock()
  let current = first
  const sizes = new LocationSizes({ resourceSkus: async () => current }, clock, 'westeurope')
  const answer = async (skus: readonly ResourceSku[]) => {
    current = skus
    await sizes.read(new AbortController().signal)
    return sizes.all.map(({ name }) => name)
  }
  await answer(first)
  return { clock, sizes, answer }
}

test('a size that is missing in answers is kept for a day, and longer if answers are empty', async () => {
  const d4 = sku('Standard_D4ads_v5')
  const both = [d4, sku('Standard_D8ads_v5')]
  const { clock, sizes, answer } = await harness(both)
  const names = both.map(({ name }) => name)
  const before = sizes.sequence
  expect(await answer([d4])).toEqual(names)
  await clock.advance(DAY / 2)
  expect(await answer([d4])).toEqual(names)
  expect(sizes.sequence).toBe(before)
  await clock.advance(DAY / 2)
  expect(await answer([])).toEqual(names)
  expect(await answer([d4])).toEqual(['Standard_D4ads_v5'])
  expect(sizes.sequence).not.toBe(before)
  expect(await answer(both)).toEqual(names)
})

test('a size that becomes restricted, and a zone that is missing in an answer, are kept too; nothing is launched in such a zone', async () => {
  const d4 = sku('Standard_D4ads_v5')
  const { clock, sizes, answer } = await harness([d4, sku('Standard_D8ads_v5')])
  const restricted: ResourceSku = {
    ...sku('Standard_D8ads_v5'),
    restrictions: [{ type: 'Location', values: ['westeurope'], reasonCode: 'NotAvailableForSubscription' }],
  }
  const short = sku('Standard_D4ads_v5', {}, ['1', '3'])
  expect(await answer([short, restricted])).toEqual(['Standard_D4ads_v5', 'Standard_D8ads_v5'])
  const zones = () => {
    const size = sizes.get('Standard_D4ads_v5')
    if (size === undefined) throw new Error('the size is gone')
    const market = { location: 'westeurope', onDemandPrice: () => 1, spotPrice: () => 1, isAvailable: () => true }
    return listOfferings(size, market).flatMap(({ requirements, available }) =>
      requirements.some(({ values }) => values?.includes('on-demand'))
        ? [`${requirements.find(({ key }) => key.endsWith('/zone'))?.values?.[0]} ${available}`]
        : [],
    )
  }
  expect(zones()).toEqual(['westeurope-1 true', 'westeurope-3 true', 'westeurope-2 false', '0 true'])
  await clock.advance(DAY)
  await answer([short])
  expect(zones()).toEqual(['westeurope-1 true', 'westeurope-3 true', '0 true'])
})

const GIB = 2 ** 30
const disks = (placements: string, more: Readonly<Record<string, string>> = {}) => {
  const capabilities = {
    ...{ EphemeralOSDiskSupported: 'True', CachedDiskBytes: String(30 * GIB), MaxResourceVolumeMB: '163840' },
    ...(placements === '' ? {} : { SupportedEphemeralOSDiskPlacements: placements }),
  }
  return parseVmSize(sku('Standard_B20ms', { ...capabilities, ...more }), 'westeurope') ?? {}
}

test.each([
  ['CacheDisk,ResourceDisk', {}, 30, 'CacheDisk'],
  ['CacheDisk,ResourceDisk', {}, 128, 'ResourceDisk'],
  ['CacheDisk,ResourceDisk', {}, 172, undefined],
  ['ResourceDisk', {}, 30, 'ResourceDisk'],
  ['CacheDisk', {}, 128, undefined],
  ['', {}, 128, 'ResourceDisk'],
  ['NvmeDisk', { NvmeDiskSizeInMiB: '112640' }, 100, 'NvmeDisk'],
  ['NvmeDisk', { NvmeDiskSizeInMiB: '112640' }, 128, undefined],
  ['NvmeDisk, ResourceDisk', { NvmeDiskSizeInMiB: '112640' }, 128, 'ResourceDisk'],
  ['CacheDisk', { NvmeDiskSizeInMiB: '112640' }, 100, undefined],
  ['CacheDisk,ResourceDisk', { EphemeralOSDiskSupported: 'False' }, 30, undefined],
] as const)('with %s %o an OS disk of %i GB is placed on %s', (placements, more, sizeGB, placement) => {
  expect(ephemeralOsDiskFor(disks(placements, more), sizeGB)?.placement).toBe(placement)
})
