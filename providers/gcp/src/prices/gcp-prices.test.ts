import { parsePriceTable } from '@kerf/provider-kit'
import { RecordingLogger, VirtualClock } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { priceRefresh } from '../controllers/price-refresh.ts'
import { knownPrices } from '../tables/known-prices.ts'
import { knownTypes } from '../tables/known-types.ts'
import { fakeBillingCatalog } from '../testing/fake-gcp/connect.ts'
import { FakeGcp } from '../testing/fake-gcp/fake-gcp.ts'
import { REGION } from '../testing/fake-gcp/names.ts'
import { parseTypeName } from '../type-name.ts'
import { GcpPrices } from './gcp-prices.ts'

const never = new AbortController().signal
const ZONE = `${REGION}-a`
const known = knownPrices(REGION)

const setUp = (file?: string) => {
  const clock = new VirtualClock()
  const gcp = new FakeGcp(clock)
  const catalog = fakeBillingCatalog(gcp)
  const log = new RecordingLogger()
  const prices = new GcpPrices({
    clock,
    region: REGION,
    catalog,
    file: file === undefined ? undefined : parsePriceTable(file),
  })
  const refresh = () => priceRefresh(prices, log).reconcile('', never)
  return { clock, gcp, prices, log, refresh }
}

describe('the Cloud Billing Catalog', () => {
  test('the sum of the components is the published price, for each family of the fake', async () => {
    const { gcp, prices } = setUp()
    gcp.billing.pageSize = 7
    await prices.read(never)
    expect(gcp.count('cloudbilling.services.skus.list')).toBeGreaterThan(5)
    const families = new Set(['e2', 'n1', 'n2', 'n2d', 'c4', 'c4a', 'c2', 'm3', 'g2'])
    const types = [...knownTypes.values()].filter(
      ({ name, localSsdGiB }) =>
        families.has(parseTypeName(name)?.family ?? '') && localSsdGiB === 0 && known?.has(name),
    )
    expect(new Set(types.map(({ name }) => parseTypeName(name)?.family))).toEqual(families)
    // The published prices have five significant digits or more.
    for (const { name } of types) {
      const { onDemand = 0 } = known?.get(name) ?? {}
      expect((prices.onDemand(name) ?? 0) / onDemand, name).toBeCloseTo(1, 3)
    }
  })

  test('catalog prices replace the built-in ones, and types without a component keep the built-in price', async () => {
    const { gcp, prices } = setUp()
    gcp.billing.factor = 2
    await prices.read(never)
    expect(prices.onDemand('n2-standard-4')).toBeCloseTo(2 * (4 * 0.031611 + 16 * 0.004237), 9)
    expect(prices.spot('n2-standard-4', ZONE)).toBeCloseTo(2 * (4 * 0.01499 + 16 * 0.00201), 9)
    for (const name of ['c3-standard-8-lssd', 'm2-ultramem-208', 'a2-highgpu-1g'])
      expect(prices.onDemand(name), name).toBe(known?.get(name)?.onDemand)
  })

  test('a type that is not in Kerf’s tables has a price', async () => {
    const { prices } = setUp()
    await prices.read(never)
    const facts = {
      ...{ name: 'n2-standard-5', vcpus: 5, memoryMiB: 20_480, arch: 'amd64' as const },
      accelerators: [],
      localSsdGiB: 0,
    }
    expect(prices.onDemand('n2-standard-5')).toBeUndefined()
    expect(prices.onDemand('n2-standard-5', facts)).toBeCloseTo(5 * 0.031611 + 20 * 0.004237, 9)
  })
})

test('declared prices take precedence in the zones for which they are declared', async () => {
  const { prices } = setUp(`{"onDemand": {"n2-standard-4": 0.5}, "spot": {"n2-standard-4": {"${ZONE}": 0.1}}}`)
  expect(prices.sources).toEqual({ onDemand: { source: 'file', types: 1 }, spot: { source: 'file', types: 1 } })
  await prices.read(never)
  expect(prices.onDemand('n2-standard-4')).toBe(0.5)
  expect(prices.spot('n2-standard-4', ZONE)).toBe(0.1)
  expect(prices.spot('n2-standard-4', `${REGION}-b`)).toBeCloseTo(0.09212, 9)
})

test('the sources state where prices come from, and when they were read', async () => {
  const { clock, prices } = setUp()
  expect(prices.sources.onDemand).toEqual({ source: 'estimate', types: known?.size })
  await clock.advance(1_000)
  await prices.read(never)
  expect(prices.sources.onDemand).toMatchObject({ source: 'gcp', readAt: clock.now() })
  expect(prices.sources.onDemand.types).toBeGreaterThan(100)
})

describe('after a failed read, Kerf keeps the known prices and reads again an hour later', () => {
  test('the API is disabled', async () => {
    const { gcp, prices, log, refresh } = setUp()
    gcp.billing.isDisabled = true
    expect(await refresh()).toEqual({ kind: 'retry-after', after: 3_600_000 })
    expect(prices.onDemand('n2-standard-4')).toBe(known?.get('n2-standard-4')?.onDemand)
    expect(JSON.stringify(log.lines)).toMatch(/Enable the API with .*cloudbilling\.googleapis\.com/)
    gcp.billing.isDisabled = false
    expect(await refresh()).toEqual({ kind: 'retry-after', after: 12 * 3_600_000 })
    expect(prices.sources.spot.source).toBe('gcp')
  })

  test('a first read that takes too long does not delay plans', async () => {
    const { clock, gcp, prices } = setUp()
    gcp.faults.standing('cloudbilling.services.skus.list', { code: 'backendError', status: 503 })
    await clock.advanceUntilDone(prices.ready(never), 250)
    const hanging = new GcpPrices({ clock, region: REGION, catalog: { rates: () => new Promise(() => {}) } })
    const began = clock.now()
    await clock.advanceUntilDone(hanging.ready(never), 1_000)
    expect(clock.now() - began).toBeLessThanOrEqual(11_000)
    expect(hanging.sources.onDemand.source).toBe('estimate')
  })

  test('the catalog has no prices of the region', async () => {
    const clock = new VirtualClock()
    const prices = new GcpPrices({ clock, region: 'europe-west9', catalog: fakeBillingCatalog(new FakeGcp(clock)) })
    await expect(prices.read(never)).rejects.toThrow('the Cloud Billing Catalog has no prices of europe-west9')
    expect(prices.onDemand('n2-standard-4')).toBeGreaterThan(0)
  })
})

test.each([
  ['pageSize=5001', '400'],
  ['filter=x', '400'],
  ['pageToken=x', '400'],
])('the fake refuses %s', async (query, status) => {
  const gcp = new FakeGcp(new VirtualClock())
  const url = new URL(`https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus?${query}`)
  const answer = await gcp.send({ method: 'GET', url, headers: { authorization: 'Bearer token' } }, never)
  expect(`${answer.status}`).toBe(status)
})
