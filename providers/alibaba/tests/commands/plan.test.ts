import { expect, test } from 'vitest'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import prices from '../../src/tables/on-demand-prices.json' with { type: 'json' }

const RATE = 7.11

/** Types of the tables, with the prices of the source in CNY. */
const expected: readonly (readonly [region: keyof typeof prices.prices, family: string, size: string])[] = [
  ['cn-hangzhou', 'ecs.g7', 'xlarge'],
  ['us-east-1', 'ecs.c6', '2xlarge'],
  ['ap-southeast-1', 'ecs.r7', 'large'],
]

test.each(expected)(
  'in %s, %s.%s has the price of the table in dollars, in every zone, and no spot offering',
  async (region, family, size) => {
    const { types } = await openTypes({ instanceTypes: 'alibaba', region })
    const families: Readonly<Record<string, string>> = prices.prices[region]
    const entry = families[family as keyof typeof families]?.split(' ').find((each) => each.startsWith(`${size}=`))
    const cny = Number(entry?.split('=')[1])
    const type = types.find(({ name }) => name === `${family}.${size}`)
    expect(cny).toBeGreaterThan(0)
    expect(type?.offerings.length).toBeGreaterThan(0)
    for (const { price, requirements } of type?.offerings ?? []) {
      expect(price).toBeCloseTo(cny / RATE, 6)
      expect(JSON.stringify(requirements)).not.toContain('spot')
    }
  },
)
