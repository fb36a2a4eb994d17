/**
 * Regenerates `providers/aws/src/tables/generated/` from the published tables of karpenter-provider-aws (Apache-2.0), for data
 * that no EC2 API returns, or not early enough (`providers/aws/docs/spec/aws.md#tables`): network bandwidth, branch interfaces and addresses
 * (from amazon-vpc-resource-controller-k8s, Apache-2.0), and initial prices.
 *
 *   npm run aws:tables -- DIRECTORY
 *
 * DIRECTORY holds zz_generated.bandwidth.go, zz_generated.vpclimits.go and zz_generated.pricing_aws*.go.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const target = join(dirname(fileURLToPath(import.meta.url)), '..', 'providers', 'aws', 'src', 'tables', 'generated')

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

const write = (file: string, origin: string, constants: Readonly<Record<string, string>>): void => {
  const body = Object.entries(constants).map(([name, text]) => `export const ${name} = \`\n${text}\n\``)
  writeFileSync(
    join(target, file),
    `// Made by tools/aws-tables.ts from data of ${origin} (Apache-2.0). One line a family.\n\n${body.join('\n\n')}\n`,
  )
}

/** Returns the regions of a price table, each with its block. */
const regions = (text: string): ReadonlyMap<string, ReadonlyMap<string, number>> =>
  new Map(
    [...text.matchAll(/"([a-z]{2}(?:-[a-z]+)+-\d)": \{([\s\S]*?)\n\t\}/g)].map(([, region = '', block = '']) => [
      region,
      pairs(block),
    ]),
  )

const main = (directory: string | undefined): void => {
  if (directory === undefined) throw new Error('usage: npm run aws:tables -- DIRECTORY')
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8')
  const limits = [...read('zz_generated.vpclimits.go').matchAll(/^\t"([a-z0-9.-]+)": \{([\s\S]*?)^\t\}/gm)].map(
    ([, name = '', block = '']) => {
      const number = (field: string): string => new RegExp(`${field}:\\s*(\\d+)`).exec(block)?.[1] ?? '0'
      const branches = /IsTrunkingCompatible:\s*true/.test(block) ? number('BranchInterface') : '0'
      return [name, `${branches}/${number('IPv4PerInterface')}`] as const
    },
  )
  write('vpc-limits.ts', 'amazon-vpc-resource-controller-k8s: branch interfaces, then IPv4 addresses of an interface', {
    VPC_LIMITS: byFamily(limits),
  })
  write('network-bandwidth.ts', 'karpenter-provider-aws: the baseline in Mbit/s', {
    NETWORK_BANDWIDTH: byFamily(
      [...pairs(read('zz_generated.bandwidth.go'))].map(([name, value]) => [name, `${value}`]),
    ),
  })
  const prices = ['', '_us_gov', '_cn'].flatMap((part) => [...regions(read(`zz_generated.pricing_aws${part}.go`))])
  write('first-prices.ts', 'karpenter-provider-aws: on-demand prices an hour, in USD, in CNY for China', {
    ...Object.fromEntries(
      prices.map(([region, table]) => [
        region.toUpperCase().replaceAll('-', '_'),
        byFamily([...table].map(([name, value]) => [name, `${value}`])),
      ]),
    ),
  })
}

main(process.argv[2])
