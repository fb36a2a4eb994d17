import { expect, test } from 'vitest'
import { firstPrices } from './first-prices.ts'
import { readInstanceFacts } from './instance-facts.ts'

const facts = readInstanceFacts()

test('every published type has facts, including those without trunking or bandwidth', () => {
  expect(facts.size).toBeGreaterThan(1400)
  expect(facts.get('m5.large')).toEqual({ baselineNetworkBandwidth: 750, branchInterfaces: 9, ipv4PerInterface: 10 })
  // t3 cannot have branch interfaces; c3.2xlarge has no bandwidth value.
  expect(facts.get('t3.large')).toEqual({ baselineNetworkBandwidth: 512, ipv4PerInterface: 12 })
  expect(facts.get('c3.2xlarge')).toEqual({ ipv4PerInterface: 15 })
  expect(facts.get('z9.huge')).toBeUndefined()
})

test('every fact is in a plausible range', () => {
  for (const [name, { baselineNetworkBandwidth = 1, branchInterfaces = 1, ipv4PerInterface = 1 }] of facts) {
    expect(name).toMatch(/^[a-z0-9-]+\.[a-z0-9-]+$/)
    for (const value of [baselineNetworkBandwidth, branchInterfaces, ipv4PerInterface])
      expect(value, name).toBeGreaterThan(0)
  }
})

test.each([
  ['us-east-1', 'us-east-1', 'm5.large', 0.096],
  ['eu-central-1', 'us-east-1', 'm5.large', 0.096],
  ['us-gov-west-1', 'us-gov-west-1', 'c5.large', 0.102],
  ['cn-north-1', 'cn-north-1', 'c3.2xlarge', 4.217],
  ['cn-northwest-1', 'cn-north-1', 'c3.2xlarge', 4.217],
])('first prices of %s are those of %s', (region, from, type, price) => {
  const first = firstPrices(region)
  expect(first.region).toBe(from)
  expect(first.onDemand.get(type)).toBe(price)
})

test('every first price is a number above zero', () => {
  for (const region of ['us-east-1', 'us-gov-east-1', 'us-gov-west-1', 'cn-north-1']) {
    const { onDemand } = firstPrices(region)
    expect(onDemand.size).toBeGreaterThan(150)
    for (const [name, price] of onDemand) expect(price, `${region} ${name}`).toBeGreaterThan(0)
  }
})
