import { expect, test } from 'vitest'
import { regionOffer } from '../instance-type/region-offer.ts'
import { firstPrices } from './first-prices.ts'
import { isTriedSize, knownSizes } from './known-sizes.ts'

test('amounts, GPUs, architectures and families are parsed', () => {
  expect(knownSizes.get('Standard_D4s_v5')).toEqual({
    quotaFamily: 'standardDSv5Family',
    vcpus: 4,
    memoryMiB: 16_384,
    gpus: 0,
    arch: 'amd64',
  })
  expect(knownSizes.get('Standard_NC4as_T4_v3')).toMatchObject({ quotaFamily: 'Standard NCASv3_T4 Family', gpus: 1 })
  expect(knownSizes.get('Standard_D4pls_v6')).toMatchObject({ arch: 'arm64' })
  expect(knownSizes.size).toBe(1370)
})

test('an untested size has no price', () => {
  const untried = [...knownSizes.keys()].filter((name) => !isTriedSize(name))
  expect(untried).toHaveLength(2)
  const sold = new Set(
    regionOffer('eastus')
      .types()
      .map(({ name }) => name),
  )
  for (const name of untried) expect(sold.has(name), name).toBe(false)
})

test('a location has its own prices, and one without a table those of eastus', () => {
  expect(firstPrices('westeurope').onDemand.get('Standard_D4s_v5')).toBe(0.23)
  expect(firstPrices('atlantis')).toEqual({ ...firstPrices('eastus'), location: 'eastus' })
})
