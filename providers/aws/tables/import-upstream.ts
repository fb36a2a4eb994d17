import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const pairs = (text: string): ReadonlyMap<string, number> =>
  new Map(
    [...text.matchAll(/"([a-z0-9-]+\.[a-z0-9-]+)":\s*([0-9.]+)/g)].map(([, name = '', value]) => [name, Number(value)]),
  )

/** Returns one line per family: `m5 large=750 xlarge=1250`. */
const byFamily = (entries: Iterable<readonly [string, string]>): string => {
  const families = Map.groupBy(
    [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ([name]) => name.split('.')[0] ?? '',
  )
  return [...families]
    .map(
      ([family, types]) =>
        `${family} ${types.map(([name, value]) => `${name.slice(family.length + 1)}=${value}`).join(' ')}`,
    )
    .join('\n')
}

/** Returns the prices in a table, by region and instance type. */
const regions = (text: string): ReadonlyMap<string, ReadonlyMap<string, number>> =>
  new Map(
    [...text.matchAll(/"([a-z]{2}(?:-[a-z]+)+-\d)": \{([\s\S]*?)\n\t\}/g)].map(([, region = '', block = '']) => [
      region,
      pairs(block),
    ]),
  )

/**
 * Returns the tables of karpenter-provider-aws (Apache-2.0), for data that EC2 APIs do not return, or return too late
 * (`providers/aws/docs/spec/aws.md#tables`). The tables contain network bandwidth, branch interfaces and addresses (from
 * amazon-vpc-resource-controller-k8s, Apache-2.0), and initial prices.
 */
export const tablesOfUpstream = (directory: string): Readonly<Record<string, string>> => {
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8')
  const limits = [...read('zz_generated.vpclimits.go').matchAll(/^\t"([a-z0-9.-]+)": \{([\s\S]*?)^\t\}/gm)].map(
    ([, name = '', block = '']) => {
      const number = (field: string): string => new RegExp(`${field}:\\s*(\\d+)`).exec(block)?.[1] ?? '0'
      const branches = /IsTrunkingCompatible:\s*true/.test(block) ? number('BranchInterface') : '0'
      return [name, `${branches}/${number('IPv4PerInterface')}`] as const
    },
  )
  const texts = (numbers: ReadonlyMap<string, number>) =>
    [...numbers].map(([name, value]) => [name, `${value}`] as const)
  const prices = ['', '_us_gov', '_cn'].flatMap((part) => [...regions(read(`zz_generated.pricing_aws${part}.go`))])
  return {
    'vpc-limits': byFamily(limits),
    'network-bandwidth': byFamily(texts(pairs(read('zz_generated.bandwidth.go')))),
    'first-prices': prices
      .flatMap(([region, table]) =>
        byFamily(texts(table))
          .split('\n')
          .map((line) => `${region} ${line}`),
      )
      .join('\n'),
  }
}
