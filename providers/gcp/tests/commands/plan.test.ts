import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capacityTypes, labels } from '@kerf/apis'
import { gceNodeClass } from '@kerf/provider-gcp/testing/node-class'
import { nodePool, pod, sampled } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../../../../packages/cli/src/plan/run-plan.ts'
import { gcpTables } from '../../tables/generator.ts'

const published = gcpTables.published('prices').split('\n')

/** Returns the published on-demand and spot prices of an instance type in a region. */
const publishedPrices = (region: string, type: string): readonly (number | undefined)[] => {
  const facts = published.find((line) => line.startsWith(`${region} `))?.split(' ') ?? []
  const prices = facts.find((fact) => fact.startsWith(`${type}=`))?.slice(type.length + 1)
  return (prices?.split('/') ?? []).map(Number)
}

/** Returns the plan for one pod that fits only on the given instance type. */
const planFor = async (region: string, type: string, capacityType: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const requirements = [
    { key: labels.instanceType, operator: 'In' as const, values: [type] },
    { key: labels.capacityType, operator: 'In' as const, values: [capacityType] },
  ]
  const nodeClassRef = { group: 'karpenter.k8s.gcp', kind: 'GCENodeClass', name: 'default' }
  const items = [
    gceNodeClass('default'),
    nodePool('general', { requirements, templateSpec: { nodeClassRef } }),
    pod('a'),
  ]
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  const out: string[] = []
  const write = (text: string) => out.push(text)
  await runPlan(
    { diff: false, explainCost: false, output: 'json', filename: [file], instanceTypes: 'gcp', region },
    { stdout: { write }, stderr: { write: () => undefined }, env: {} },
  )
  const { nodeClaims = [] }: { readonly nodeClaims?: readonly { readonly cheapest: { readonly price: number } }[] } =
    JSON.parse(out.join(''))
  return nodeClaims.map(({ cheapest: { price } }) => price)
}

const cases = [
  ['us-central1', 'e2-standard-2'],
  ['europe-west4', 'n2d-highmem-8'],
  ['asia-southeast1', 'c3-standard-8-lssd'],
] as const

test.each(sampled(cases, 1, 'plans of Google Cloud'))(
  'in %s, a plan with %s costs what the published table says, on demand and as spot',
  async (region, type) => {
    const [onDemand, spot] = publishedPrices(region, type)
    expect(onDemand).toBeGreaterThan(spot ?? 0)
    expect(await planFor(region, type, capacityTypes.onDemand)).toEqual([onDemand])
    expect(await planFor(region, type, capacityTypes.spot)).toEqual([spot])
  },
)
