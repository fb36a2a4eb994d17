import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PriceTable, parsePriceTable } from '@kerf/provider-kit'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { VirtualClock } from '@kerf/runtime'
import { afterAll, expect, test } from 'vitest'
import { firstPrices } from '../tables/first-prices.ts'
import { FakeAws } from '../testing/fake-aws/fake-aws.ts'
import type { PriceReaders } from './price-readers.ts'
import { type PricesOptions, runPrices } from './run-prices.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf-prices-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const kept = (now: number): PriceTable =>
  parsePriceTable(
    JSON.stringify({
      onDemand: { 'm5.large': 0.1, 'x9.large': 0.5 },
      spot: { 'm5.large': { 'us-east-1a': 0.03, 'us-east-1b': 0.04 } },
      readAt: new Date(now - 3 * 3_600_000).toISOString(),
    }),
  )

const firstPrice = (type: string, region = 'us-east-1'): string =>
  (firstPrices(region).onDemand.get(type) ?? Number.NaN).toFixed(4)

const harness = (
  remembered: (now: number) => PriceTable | undefined = () => undefined,
): { readonly aws: FakeAws; readonly readers: PriceReaders } => {
  const clock = new VirtualClock()
  const aws = new FakeAws(clock, { terminationDelay: 0, kubernetes: '1.36' })
  return { aws, readers: { clock, remembered: async () => remembered(clock.now()), api: () => aws } }
}

const prices = async (
  options: Partial<PricesOptions>,
  readers: PriceReaders,
): Promise<{ readonly out: string; readonly err: string }> => {
  let [out, err] = ['', '']
  const all = {
    namespace: 'kube-system',
    region: 'us-east-1',
    type: [],
    zone: [],
    output: 'table',
    ...options,
  } as const
  await runPrices(
    all,
    { stdout: { write: (text) => (out += text) }, stderr: { write: (text) => (err += text) }, env: {} },
    readers,
  )
  return { out, err }
}

test('the latest prices of the controller take precedence over the estimate, and each price has its source', async () => {
  const { readers } = harness(kept)
  const { out, err } = await prices({ type: ['m5.large', 'm5.xlarge', 'x9.*'] }, readers)
  expect(err).toBe('')
  expect(out.replace(firstPrice('m5.xlarge'), '0.XXXX')).toMatchInlineSnapshot(`
    "PRICES     MOST TRUSTED SOURCE  TYPES  AGE
    on demand  last-seen            2      3 h
    spot       last-seen            1      3 h

    TYPE       ZONE        ON DEMAND  FROM          SPOT  FROM
    m5.large   us-east-1a    $0.1000  last-seen  $0.0300  last-seen
    m5.large   us-east-1b    $0.1000  last-seen  $0.0400  last-seen
    m5.xlarge  -             $0.XXXX  estimate         -  -
    x9.large   -             $0.5000  last-seen        -  -
    "
  `)
})

test('current prices from AWS come first; types that AWS does not list keep their known price', async () => {
  const { readers } = harness(kept)
  const { out } = await prices({ live: true, output: 'json', type: ['m5.large', 'x9.large'], zone: [] }, readers)
  const document = JSON.parse(out)
  expect(document.sources).toMatchObject({
    onDemand: { source: 'aws', ageSeconds: 0 },
    spot: { source: 'aws', ageSeconds: 0 },
  })
  expect(document.prices).toContainEqual({
    type: 'm5.large',
    zone: 'us-east-1c',
    onDemand: { price: 0.058, source: 'aws' },
    spot: { price: 0.0232, source: 'aws' },
  })
  expect(document.prices).toContainEqual({ type: 'x9.large', onDemand: { price: 0.5, source: 'last-seen' } })
})

test('a file takes precedence over the estimate, and --zone limits the output', async () => {
  const file = join(directory, 'prices.json')
  writeFileSync(file, JSON.stringify({ onDemand: { 'm5.large': 0.2 }, spot: { 'm5.large': { 'us-east-1f': 0.07 } } }))
  const { readers } = harness()
  const options = { awsPriceFile: file, type: ['m5.*'], zone: ['us-east-1f'], output: 'json' } as const
  const { out, err } = await prices(options, readers)
  expect(JSON.parse(out).prices).toEqual([
    {
      type: 'm5.large',
      zone: 'us-east-1f',
      onDemand: { price: 0.2, source: 'file' },
      spot: { price: 0.07, source: 'file' },
    },
  ])
  expect(JSON.parse(out).sources.onDemand).toEqual({ source: 'file', types: 1 })
  expect(err).toMatch(/has no prices of us-east-1 \(ConfigMap kube-system\/karpenter-aws-prices\)/)
})

test('without a cluster the estimate is used; a cluster that was named must be reachable', async () => {
  const { readers } = harness(() => {
    throw new Error('nobody listens')
  })
  const { out, err } = await prices({ type: ['m5.large'] }, readers)
  expect(err).toBe('kerf: could not read the last prices from a cluster: nobody listens\n')
  expect(out).toMatch(/^on demand +estimate +\d+ +unknown$/m)
  expect(out.replace(firstPrice('m5.large'), '0.XXXX')).toMatch(/^m5\.large +- +\$0\.XXXX +estimate +- +-$/m)
  await expect(prices({ context: 'production' }, readers)).rejects.toThrow(/nobody listens/)
})

test('in China prices are in yuan', async () => {
  const { readers } = harness()
  const { out } = await prices({ region: 'cn-north-1', type: ['c3.2xlarge'] }, readers)
  expect(out.replace(firstPrice('c3.2xlarge', 'cn-north-1'), '0.XXXX')).toMatch(/^c3\.2xlarge +- +¥0\.XXXX +estimate/m)
})

test('if AWS returns only one kind of prices, the other is reported as missing; if neither, the command fails', async () => {
  const { aws, readers } = harness(kept)
  aws.pricing.faults.standing('getProducts', { code: 'AccessDeniedException', status: 403, message: 'not allowed' })
  const { out, err } = await prices({ live: true, type: ['m5.large'] }, readers)
  expect(err).toMatch(/AWS did not return on-demand prices of us-east-1 \(AccessDenied\w*: not allowed\)/)
  expect(out).toMatch(/^on demand +last-seen/m)
  expect(out).toMatch(/^spot +aws/m)
  aws.ec2.faults.standing('describeSpotPriceHistory', { code: 'ExpiredToken', status: 401 })
  const error = await prices({ live: true }, readers).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CliError)
  expect(String(error)).toMatch(/ExpiredToken.*check the region and your credentials.*pricing:GetProducts/)
})

test.each<[string, Partial<PricesOptions>, RegExp]>([
  ['an invalid region', { region: 'Ireland' }, /not the name of a region such as eu-west-1/],
  ['no region', { region: '' }, /region/],
  ['an unknown type', { type: ['z9.huge'] }, /--type z9\.huge: no matching instance type has a price in us-east-1/],
  ['an unknown zone', { zone: ['moon'] }, /--zone moon: no spot price is known/],
])('wrong usage: %s', async (_, options, message) => {
  const { readers } = harness(kept)
  const error = await prices(options, readers).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UsageError)
  expect(String(error)).toMatch(message)
})

test('an invalid price file is a usage error too', async () => {
  const file = join(directory, 'broken.json')
  writeFileSync(file, '{"onDemand": {"m5.large": "cheap"}}')
  const error = await prices({ awsPriceFile: file }, harness().readers).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ exitCode: 2 })
  expect(String(error)).toMatch(/onDemand\["m5\.large"\] is not a number above 0/)
})
