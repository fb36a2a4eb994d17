import { expect, test } from 'vitest'
import { awsTables } from '../../tables/generator.ts'
import { firstPrices } from './first-prices.ts'
import { readInstanceFacts } from './instance-facts.ts'

const facts = readInstanceFacts()

test('every published type has facts, including those without trunking or bandwidth', () => {
  expect(facts.size).toBeGreaterThan(1400)
  expect(facts.get('m5.large')).toEqual({ baselineNetworkBandwidth: 750, branchInterfaces: 9, ipv4PerInterface: 10 })
  // t3 cannot have branch interfaces. c3.2xlarge has no bandwidth value.
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
  ['us-east-1', 'us-east-1', 'm5', 'large'],
  ['eu-central-1', 'us-east-1', 'm5', 'large'],
  ['us-gov-west-1', 'us-gov-west-1', 'c5', 'large'],
  ['cn-north-1', 'cn-north-1', 'c3', '2xlarge'],
  ['cn-northwest-1', 'cn-north-1', 'c3', '2xlarge'],
])('first prices of %s are those of %s, with the corrections', (region, from, family, size) => {
  const first = firstPrices(region)
  const line = awsTables
    .read('first-prices')
    .split('\n')
    .find((each) => each.startsWith(`${from} ${family} `))
  expect(first.region).toBe(from)
  expect(line?.split(' ')).toContain(`${size}=${first.onDemand.get(`${family}.${size}`)}`)
})

test('every first price is a number above zero', () => {
  for (const region of ['us-east-1', 'us-gov-east-1', 'us-gov-west-1', 'cn-north-1']) {
    const { onDemand } = firstPrices(region)
    expect(onDemand.size).toBeGreaterThan(150)
    for (const [name, price] of onDemand) expect(price, `${region} ${name}`).toBeGreaterThan(0)
  }
})
