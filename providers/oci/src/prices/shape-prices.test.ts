import { HttpClient } from '@kerf/provider-kit'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { describe, expect, it } from 'vitest'
import { knownRates } from '../tables/known-shapes.ts'
import { readPriceList } from './price-list.ts'
import { ShapePrices } from './shape-prices.ts'

const { signal } = new AbortController()
const clock = new VirtualClock()

const localizations = (...values: readonly number[]) => [
  { currencyCode: 'EUR', prices: [{ model: 'PAY_AS_YOU_GO', value: 99 }] },
  { currencyCode: 'USD', prices: values.map((value) => ({ model: 'PAY_AS_YOU_GO', value })) },
]

const catalogue = (items: Readonly<Record<string, readonly number[]>>) => {
  const body = {
    items: Object.entries(items).map(([partNumber, values]) => ({
      ...{ partNumber, displayName: 'a name that may change', currencyCodeLocalizations: localizations(...values) },
    })),
  }
  const send = async () => ({ status: 200, headers: {}, text: JSON.stringify(body) })
  return readPriceList(new HttpClient({ send, clock, random: new SeededRandom(1) }), 'https://prices.test/', signal)
}

describe('prices', () => {
  it('are built-in ones until Kerf has read the catalogue', async () => {
    const prices = new ShapePrices({ clock, read: () => catalogue({ B93113: [0.03], B93114: [0.002] }) })
    expect(prices.rates('VM.Standard.E4.Flex')).toEqual(knownRates.get('VM.Standard.E4.Flex'))
    expect(prices.sources.onDemand).toEqual({ source: 'estimate', types: knownRates.size })
    await prices.read(signal)
    expect(prices.rates('VM.Standard.E4.Flex')).toMatchObject({ perOcpu: 0.03, perGB: 0.002 })
    // This shape has no part in the catalogue.
    expect(prices.rates('VM.Standard.E5.Flex')).toEqual(knownRates.get('VM.Standard.E5.Flex'))
    expect(prices.sequence).toBe(1)
  })

  it('are those of the highest tier, because only a tenancy’s first hours are free', async () => {
    expect((await catalogue({ B93297: [0, 0.01] })).get('B93297')).toBe(0.01)
  })

  it('are refused if the response contains none', async () => {
    await expect(catalogue({})).rejects.toThrow(/no prices in USD/)
  })
})

/** Prices of Oracle's catalogue of November 2026, by part number. */
const PARTS: Readonly<Record<string, number | readonly number[]>> = {
  B109479: 3.5,
  B109485: 6,
  B109529: 0.014,
  B109530: 0.002,
  B110519: 10,
  B110978: 14,
  B110979: 16,
  B111129: 0.03,
  B111130: 0.002,
  B112145: 0.0138,
  B112146: 0.0027,
  B88315: 0.0638,
  B88317: 0.0638,
  B88513: 0.0638,
  B88514: 0.0638,
  B88515: 0.1275,
  B88516: 0.1275,
  B88517: 1.275,
  B88518: 1.275,
  B89734: 2.95,
  B90398: 0.075,
  B90425: 0.03,
  B91119: 0.0638,
  B91120: 0.0638,
  B92306: 0.025,
  B92307: 0.0015,
  B92740: 3.05,
  B93113: 0.025,
  B93114: 0.0015,
  B93121: 0.025,
  B93122: 0.0015,
  B93123: 0.0612,
  B93297: [0, 0.01],
  B93298: [0, 0.0015],
  B93311: 0.054,
  B93312: 0.0015,
  B94176: 0.04,
  B94177: 0.0015,
  B95907: 4,
  B95909: 2,
  B97384: 0.03,
  B97385: 0.002,
  B98202: 0.03,
  B98203: 0.002,
  B98204: 0.0612,
  B98415: 10,
}

it('equal those of Oracle’s own table of shapes, by part number', async () => {
  const parts = Object.fromEntries(Object.entries(PARTS).map(([part, price]) => [part, [price].flat()]))
  const prices = new ShapePrices({ clock, read: () => catalogue(parts) })
  const before = new Map([...knownRates.keys()].map((shape) => [shape, prices.rates(shape)]))
  await prices.read(signal)
  expect(prices.sources.onDemand.types).toBeGreaterThan(30)
  const differing = [...before].filter(
    ([shape, rates]) => JSON.stringify(rates) !== JSON.stringify(prices.rates(shape)),
  )
  expect(differing.map(([shape]) => shape)).toEqual([])
})
