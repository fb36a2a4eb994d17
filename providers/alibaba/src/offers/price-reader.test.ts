import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { cloudFaults } from '../testing/cloud-faults.ts'
import { REGION } from '../testing/fake-alibaba/names.ts'
import { fakeApi } from '../testing/fake-api.ts'
import { OfferedTypes } from './offered-types.ts'
import { PriceReader } from './price-reader.ts'

const never = new AbortController().signal

const reader = async () => {
  const clock = new VirtualClock()
  const { api, cloud } = await fakeApi(clock)
  const learned: string[] = []
  const offered = new OfferedTypes(api, clock, REGION)
  const book = {
    learnSpot: (prices: ReadonlyMap<string, unknown>) => void learned.push(...prices.keys()),
    learnOnDemand: () => undefined,
  }
  const prices = new PriceReader({ api, clock, offered, book }, { region: REGION, cnyPerUsd: 7 })
  return { cloud, learned, read: () => clock.advanceUntilDone(prices.read(never), 500) }
}

test('if the API refuses one type, the prices of the others are still read', async () => {
  const { cloud, learned, read } = await reader()
  cloud.failNext('DescribeSpotPriceHistory', {
    refusal: { status: 400, code: 'InvalidInstanceType.ValueNotSupported', message: 'InstanceType' },
  })
  await read()
  expect(learned).toHaveLength(7)
})

test('if the API does not respond, no price is stored', async () => {
  const { cloud, learned, read } = await reader()
  cloud.failNext('DescribeSpotPriceHistory', cloudFaults.serverError)
  await expect(read()).rejects.toThrow()
  expect(learned).toEqual([])
})
