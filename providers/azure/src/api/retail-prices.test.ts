import { HttpClient, type HttpResponse } from '@kerf/provider-kit'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { readRetailPrices } from './retail-prices.ts'

const never = new AbortController().signal

/** An item in the format of https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices. */
const item = (size: string, retailPrice: number, rest: object = {}) => ({
  ...{ currencyCode: 'USD', retailPrice, unitPrice: retailPrice, unitOfMeasure: '1 Hour', type: 'Consumption' },
  ...{ armRegionName: 'westeurope', armSkuName: size, serviceName: 'Virtual Machines', serviceFamily: 'Compute' },
  ...{ skuName: size, meterName: size, productName: 'Virtual Machines Dsv5 Series' },
  ...rest,
})

const page = (items: readonly object[], next: string | null = null): HttpResponse => ({
  status: 200,
  headers: {},
  text: JSON.stringify({ Items: items, NextPageLink: next, Count: items.length }),
})

const harness = (...answers: readonly HttpResponse[]) => {
  const left = [...answers]
  const urls: URL[] = []
  const client = new HttpClient({
    send: async ({ url }) => {
      urls.push(url)
      return left.shift() ?? { status: 404, headers: {}, text: '' }
    },
    clock: new VirtualClock(),
    random: new SeededRandom(1),
    retries: { attempts: 1, base: 1, max: 1, jitter: 0, longestWait: 1 },
  })
  return { urls, read: () => readRetailPrices(client, 'westeurope', never) }
}

test('pages are read to the end; spot and on-demand are distinguished; Windows and Low Priority are left out', async () => {
  const next = 'https://prices.azure.com:443/api/retail/prices?$skip=1000'
  const { urls, read } = harness(
    page(
      [
        item('Standard_D4s_v5', 0.23),
        item('Standard_D4s_v5', 0.414, { productName: 'Virtual Machines Dsv5 Series Windows' }),
        item('Standard_D4s_v5', 0.05, { skuName: 'Standard_D4s_v5 Low Priority', meterName: 'D4s v5 Low Priority' }),
      ],
      next,
    ),
    page([item('Standard_D4s_v5', 0.04, { skuName: 'D4s v5 Spot' }), item('', 1), item('Standard_D8s_v5', 0.46)]),
  )
  const { onDemand, spot } = await read()
  expect([...onDemand]).toEqual([
    ['Standard_D4s_v5', 0.23],
    ['Standard_D8s_v5', 0.46],
  ])
  expect([...spot]).toEqual([['Standard_D4s_v5', 0.04]])
  expect(urls.map(({ host, pathname }) => `${host}${pathname}`)).toEqual([
    'prices.azure.com/api/retail/prices',
    'prices.azure.com/api/retail/prices',
  ])
  expect(urls[0]?.searchParams.get('$filter')).toBe(
    "priceType eq 'Consumption' and currencyCode eq 'USD' and serviceFamily eq 'Compute' and serviceName eq 'Virtual Machines' and armRegionName eq 'westeurope'",
  )
})

test('a failed page, an answer without a list, or a page on another server fails the call', async () => {
  const first = [item('Standard_D4s_v5', 0.23)]
  await expect(harness(page(first, 'https://prices.azure.com/api/retail/prices?$skip=1')).read()).rejects.toThrow()
  await expect(harness({ status: 200, headers: {}, text: '{}' }).read()).rejects.toThrow('no list of prices')
  await expect(harness(page(first, 'https://elsewhere.invalid/prices')).read()).rejects.toThrow('elsewhere.invalid')
})
