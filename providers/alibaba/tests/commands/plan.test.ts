import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capacityTypes, labels } from '@kerf/apis'
import { ecsNodeClassDescriptor, ecsNodeClassKind } from '@kerf/provider-alibaba/node-class'
import { nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../../../../packages/cli/src/plan/run-plan.ts'
import types from '../../src/tables/instance-types.json' with { type: 'json' }
import prices from '../../src/tables/on-demand-prices.json' with { type: 'json' }

/** The exchange rate in the documentation. */
const RATE = 7.11

/** Returns the value for a size, for example `2/8/2/10` from `large=2/8/2/10`. */
const entryIn = (family: Readonly<Record<string, string>>, name: string, size: string): string =>
  family[name]
    ?.split(' ')
    .find((each) => each.startsWith(`${size}=`))
    ?.slice(size.length + 1) ?? ''

interface Planned {
  readonly nodeClaims: readonly {
    readonly cheapest: { readonly price: number; readonly zone: string }
    readonly zones: readonly string[]
  }[]
}

const folderWith = async (files: Readonly<Record<string, unknown>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content))
  return folder
}

/** Runs a plan for one pod that fits only on the given instance type. */
const plan = async (
  type: string,
  options: {
    readonly region?: string
    readonly prices?: object
    readonly capacityType?: string
    readonly cpu?: number
  },
) => {
  const requirements = [
    { key: labels.instanceType, operator: 'In' as const, values: [type] },
    { key: labels.capacityType, operator: 'In' as const, values: [options.capacityType ?? capacityTypes.onDemand] },
  ]
  const nodeClassRef = { group: ecsNodeClassKind.group, kind: ecsNodeClassKind.kind, name: 'default' }
  const items = [
    ecsNodeClassDescriptor.example,
    nodePool('general', { requirements, templateSpec: { nodeClassRef } }),
    pod('a', { requests: { cpu: `${options.cpu ?? 1}` } }),
  ]
  const folder = await folderWith({
    'cluster.json': { apiVersion: 'v1', kind: 'List', items },
    'prices.json': options.prices ?? {},
  })
  const run = async (output: 'json' | 'table') => {
    const [out, notes]: [string[], string[]] = [[], []]
    await runPlan(
      {
        ...{ diff: false, explainCost: false, output, filename: [join(folder, 'cluster.json')] },
        instanceTypes: options.prices === undefined ? 'alibaba' : join(folder, 'prices.json'),
        ...(options.region === undefined ? {} : { region: options.region }),
      },
      {
        stdout: { write: (text: string) => out.push(text) },
        stderr: { write: (text: string) => notes.push(text) },
        env: {},
      },
    )
    return { out: out.join(''), notes: notes.join('') }
  }
  const [json, table] = [await run('json'), await run('table')]
  return { planned: JSON.parse(json.out) as Planned, text: table.out + table.notes }
}

test.each<readonly [region: keyof typeof prices.prices, family: keyof typeof types.families, size: string]>([
  ['cn-hangzhou', 'ecs.g7', 'xlarge'],
  ['us-east-1', 'ecs.c6', '2xlarge'],
  ['ap-southeast-1', 'ecs.r7', 'large'],
])('in %s, a plan with %s.%s has the price, the zones and the vCPUs of the tables', async (region, family, size) => {
  const cny = Number(entryIn(prices.prices[region], family, size))
  const vcpus = Number(entryIn(types.families, family, size).split('/')[0])
  const { planned, text } = await plan(`${family}.${size}`, { region, cpu: vcpus - 1 })
  expect(planned.nodeClaims).toMatchObject([{ cheapest: { price: expect.closeTo(cny / RATE, 6) } }])
  expect(planned.nodeClaims[0]?.zones).toHaveLength(types.regions[region].length)
  expect(text).toContain(
    `on-demand prices in ${region} of September 2025, converted at 7.11 CNY to the dollar, the rate of`,
  )
  expect((await plan(`${family}.${size}`, { region, cpu: vcpus })).planned.nodeClaims).toEqual([])
})

test('spot capacity is planned only with the user’s prices, and the user can also set the exchange rate', async () => {
  const type = 'ecs.g7.xlarge'
  const cny = Number(entryIn(prices.prices['cn-hangzhou'], 'ecs.g7', 'xlarge'))
  const offline = await plan(type, { region: 'cn-hangzhou', capacityType: capacityTypes.spot })
  expect([offline.planned.nodeClaims, offline.text]).toEqual([[], expect.stringContaining('no spot offering counts')])
  const own = { kind: 'ECSPrices', cnyPerUsd: 8, spot: { [type]: { 'cn-hangzhou-h': 0.4 } } }
  const spot = await plan(type, { prices: own, capacityType: capacityTypes.spot })
  expect(spot.planned.nodeClaims).toMatchObject([{ cheapest: { price: 0.05, zone: 'cn-hangzhou-h' } }])
  const onDemand = await plan(type, { prices: own })
  expect(onDemand.planned.nodeClaims).toMatchObject([{ cheapest: { price: expect.closeTo(cny / 8, 6) } }])
  expect(onDemand.text).toContain('converted at 8 CNY to the dollar;')
})
