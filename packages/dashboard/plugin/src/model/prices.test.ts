import { instanceTypeToJson } from '@kerf/engine'
import { expect, test } from 'vitest'
import { readExposition, readVector } from './exposition.ts'
import { claimsCost, costIfAsked } from './price.ts'
import { labelPrices, samplePrices } from './prices.ts'
import { reportedInstanceTypes } from './reported-instance-types.ts'
import { seenInstanceTypes } from './seen-instance-types.ts'
import { claim, objects, pool, priceLabel, shownTypes } from './testing/cluster-objects.ts'

/** Returns the claim of a node whose controller writes no label with the price, as on most clouds. */
const unlabelled = (name: string, zone: string) => {
  const { metadata, ...rest } = claim(name, zone)
  const { [priceLabel]: _, ...labels } = metadata.labels as Record<string, string>
  return { ...rest, metadata: { ...metadata, labels } }
}
const claims = [unlabelled('a', 'z1'), unlabelled('b', 'z2')]

const TYPE = 'instance_type="m.large",capacity_type="spot"'
const METRIC = 'karpenter_cloudprovider_instance_type_offering_price_estimate'
const samples = (text: string) => readExposition(text)

test('a price without a label comes from the offerings that Kerf reports for the pool of the claim', () => {
  const lists = [...shownTypes(objects()).values()].map((types) => types.map(instanceTypeToJson))
  const read = reportedInstanceTypes(JSON.parse(JSON.stringify({ lists, pools: { general: 0 }, vocabulary: {} })))
  const prices = read?.prices ?? labelPrices
  expect(claimsCost(claims, labelPrices)).toEqual({ total: 0, instances: 2, unknown: 2 })
  expect(claimsCost(claims, prices)).toEqual({ total: 0.2, instances: 2, unknown: 0 })
  const elsewhere = unlabelled('c', 'z9')
  expect(prices.instance(elsewhere)).toBeUndefined()
  const { metadata } = claims[0] ?? elsewhere
  const ofOtherPool = { metadata: { ...metadata, labels: { ...metadata.labels, 'karpenter.sh/nodepool': 'other' } } }
  expect(prices.instance(ofOtherPool)).toBeUndefined()
  // The label contains the price at the time of the launch.
  expect(prices.instance({ metadata: { labels: { [priceLabel]: '7' } } })).toBe(7)
})

test.each<readonly [string, string, readonly (number | undefined)[]]>([
  ['by zone', `${METRIC}{${TYPE},zone="z1"} 0.3\n${METRIC}{${TYPE},zone="z2"} 0.4`, [0.3, 0.4]],
  ['without a zone', `${METRIC}{${TYPE},region="r"} 0.3`, [0.3, 0.3]],
  ['only by type', `${METRIC}{instance_type="m.large",region="r"} 0.3`, [0.3, 0.3]],
  [
    'of another capacity type',
    `${METRIC}{instance_type="m.large",capacity_type="on-demand",zone="z1"} 1`,
    [undefined, undefined],
  ],
  // A controller reports 0 if the price is unknown.
  ['of 0', `${METRIC}{${TYPE},zone="z1"} 0\n${METRIC}{${TYPE},zone="z2"} NaN`, [undefined, undefined]],
])('prices in the metrics of another controller: %s', (_, text, expected) => {
  const prices = samplePrices(samples(text))
  expect(claims.map(prices.instance)).toEqual(expected)
  const seen = seenInstanceTypes(claims, [], [pool()], prices).get('general')
  expect(seen?.[0]?.offerings.map(({ price }) => price)).toEqual(expected)
})

test.each<readonly [string, string, object]>([
  ['the cost of the pool', 'karpenter_nodepools_cost_total{nodepool="general"} 0.9', { total: 0.9, unknown: 0 }],
  ['no cost', 'karpenter_nodepools_cost_total{nodepool="general"} 0', { total: 0, unknown: 2 }],
  ['the cost of another pool', 'karpenter_nodepools_cost_total{nodepool="other"} 0.9', { total: 0, unknown: 2 }],
  [
    'less than the price that is known',
    `karpenter_nodepools_cost_total{nodepool="general"} 0.1\n${METRIC}{${TYPE},zone="z1"} 0.3`,
    { total: 0.3, unknown: 1 },
  ],
  [
    'every price, which is newer than the cost of the pool',
    `karpenter_nodepools_cost_total{nodepool="general"} 9\n${METRIC}{${TYPE}} 0.3`,
    { total: 0.6, unknown: 0 },
  ],
])('if the metrics have %s, the cost is %j', (_, text, expected) => {
  expect(claimsCost(claims, samplePrices(samples(text)))).toEqual({ instances: 2, ...expected })
})

test('before the first response, a cost with missing prices is unknown', () => {
  const asking = { ...labelPrices, isAsking: true }
  expect(costIfAsked(claimsCost(claims, asking), asking)).toBeUndefined()
  expect(costIfAsked(claimsCost([claim('a', 'z1')], asking), asking)?.total).toBe(0.1)
  expect(costIfAsked(claimsCost(claims, labelPrices), labelPrices)?.unknown).toBe(2)
})

test.each<readonly [string, unknown, number]>([
  [
    'a vector',
    { data: { result: [{ metric: { __name__: METRIC, instance_type: 'm.large' }, value: [1, '0.3'] }] } },
    1,
  ],
  ['a page', '<html>login</html>', 0],
  ['a series without a name', { data: { result: [{ metric: {}, value: [1, '0.3'] }] } }, 0],
  ['a value that is no number', { data: { result: [{ metric: { __name__: METRIC }, value: [1, 'x'] }] } }, 0],
  ['a series without a value', { data: { result: [{ metric: { __name__: METRIC } }, null, 7] } }, 0],
])('a response of Prometheus that is %s has as many samples as it says', (_, response, count) => {
  expect(readVector(response)).toHaveLength(count)
  expect(samplePrices(readVector(response)).instance(claims[0])).toBe(count === 1 ? 0.3 : undefined)
})
