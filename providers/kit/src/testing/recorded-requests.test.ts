import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { RecordedRequests } from './recorded-requests.ts'

const LIST = { service: 'Servers', action: 'ListServers', page: 2 } as const
const PRICES = { service: 'Prices', action: 'ListPrices' } as const

/**
 * Creates a recorder of requests. Lists have pages of two items. The limits are three concurrent requests, and one unbounded request.
 * Requests for prices have no limit.
 */
const harness = () => {
  const clock = new VirtualClock()
  const requests = new RecordedRequests<'Servers' | 'Prices'>(clock, {
    cloud: 'Acme',
    wire: { list: LIST, prices: PRICES },
    bucketOf: ({ service }, isUnbounded) =>
      service === 'Prices' ? undefined : { capacity: isUnbounded ? 1 : 3, refill: 1 },
    refusalOf: (service) => ({ code: `${service}Throttled`, status: 429 }),
  })
  const codes = (count: number, call = 'list', isUnbounded = false) =>
    Array.from({ length: count }, () => requests.admit(call, { isUnbounded })?.code ?? 'fine')
  return { clock, start: clock.monotonic(), requests, codes }
}

test('requests above the limit are refused with the error of the service, and are recorded as well', async () => {
  const { clock, start, requests, codes } = harness()
  expect(codes(4)).toEqual(['fine', 'fine', 'fine', 'ServersThrottled'])
  expect(codes(5, 'prices')).toEqual(Array.from({ length: 5 }, () => 'fine'))
  await clock.advance(1_000)
  expect(codes(2)).toEqual(['fine', 'ServersThrottled'])
  expect([...requests.counts()]).toEqual([
    ['prices:ListPrices', 5],
    ['servers:ListServers', 6],
  ])
  expect([...requests.counts({ since: start + 1_000 })]).toEqual([['servers:ListServers', 2]])
  expect([...requests.counts({ until: start + 1_000 })].map(([, count]) => count)).toEqual([5, 4])
  expect(requests.made.filter(({ isRefused }) => isRefused).map(({ at }) => at - start)).toEqual([0, 1_000])
})

test('unbounded requests have their own bucket', () => {
  const { codes } = harness()
  expect(codes(2, 'list', true)).toEqual(['fine', 'ServersThrottled'])
  expect(codes(3)).toEqual(['fine', 'fine', 'fine'])
})

test('each page after the first is a request, which may be refused', () => {
  const { requests } = harness()
  expect(requests.admitPages('list', [1, 2])).toBeUndefined()
  expect(requests.made).toHaveLength(0)
  expect(requests.admitPages('list', [1, 2, 3, 4, 5])).toBeUndefined()
  expect(requests.made).toHaveLength(2)
  expect(requests.admitPages('list', [1, 2, 3, 4, 5])?.code).toBe('ServersThrottled')
  expect(requests.admitPages('list', 'no list')).toBeUndefined()
  expect(requests.admitPages('prices', [1, 2, 3])).toBeUndefined()
})

test('`drain` keeps a bucket empty; without limits nothing is refused, and every request is recorded', async () => {
  const { clock, requests, codes } = harness()
  requests.drain(LIST, 5_000)
  expect(codes(1)).toEqual(['ServersThrottled'])
  await clock.advance(7_000)
  expect(codes(3)).toEqual(['fine', 'fine', 'ServersThrottled'])
  requests.isLimited = false
  expect(codes(2)).toEqual(['fine', 'fine'])
  expect(requests.made).toHaveLength(6)
})

test('`take` uses a bucket by name, not for a request; an undeclared call is an error in the fake', () => {
  const { requests } = harness()
  const size = { capacity: 10, refill: 1 }
  expect([requests.take('servers', size, 10), requests.take('servers', size, 1)]).toEqual([true, false])
  expect(() => requests.admit('fly')).toThrow('the fake Acme does not know what fly is on the wire')
})
