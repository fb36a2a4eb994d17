import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@kerf/apis'
import { nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../../../../packages/cli/src/plan/run-plan.ts'
import { communityNodeClassDescriptor } from '../../src/node-class/community-descriptor.ts'
import { oracleNodeClassDescriptor } from '../../src/node-class/oracle-descriptor.ts'
import { knownRates } from '../../src/tables/known-shapes.ts'

const SHAPE = 'VM.Standard.E4.Flex'
const oracle = oracleNodeClassDescriptor.example
const community = communityNodeClassDescriptor.example

/** Plans for one pod of three CPUs and 11 GiB on one flexible shape. */
const plan = async (nodeClass: KubeObject, region: string, shapeLabel: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const group = nodeClass.apiVersion?.split('/')[0] ?? ''
  const nodeClassRef = { group, kind: nodeClass.kind ?? '', name: nodeClass.metadata.name }
  const requirements = [
    { key: shapeLabel, operator: 'In' as const, values: [SHAPE] },
    { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] },
  ]
  const items = [
    nodeClass,
    nodePool('general', { requirements, templateSpec: { nodeClassRef } }),
    pod('a', { requests: { cpu: '3', memory: '11Gi' } }),
  ]
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  let text = ''
  await runPlan(
    { diff: false, explainCost: false, output: 'json', filename: [file], instanceTypes: 'oci', region },
    { stdout: { write: (part) => (text += part) }, stderr: { write: () => undefined }, env: {} },
  )
  return JSON.parse(text).nodeClaims
}

const price = (ocpus: number, memoryInGBs: number): unknown => {
  const rates = knownRates.get(SHAPE) ?? expect.unreachable()
  return expect.closeTo(ocpus * rates.perOcpu + memoryInGBs * rates.perGB, 9)
}

const sizes = [1, 2, 4, 8].flatMap((ocpus) => [4, 12, 13, 14, 16, 32].map((memoryInGbs) => ({ ocpus, memoryInGbs })))

test.each([
  ['us-phoenix-1', ['PHX-AD-1', 'PHX-AD-2', 'PHX-AD-3']],
  ['eu-frankfurt-1', ['EU-FRANKFURT-1-AD-1', 'EU-FRANKFURT-1-AD-2', 'EU-FRANKFURT-1-AD-3']],
  ['ap-tokyo-1', ['AP-TOKYO-1-AD-1']],
])('in %s a flexible shape has exactly the size that the pods need', async (region, zones) => {
  const nodeClass = { ...oracle, ...{ spec: { ...oracle.spec, shapeConfigs: sizes } } }
  // With 2 OCPUs and 13 GB, less than 11 GiB remain for pods.
  const instanceType = `${SHAPE}.2o.14g.1_1b`
  expect(await plan(nodeClass, region, 'oci.oraclecloud.com/instance-shape')).toMatchObject([
    { zones, cheapest: { instanceType, price: price(2, 14) } },
  ])
})

test('a plan for an OciNodeClass uses the sizes in the chart of zoom/karpenter-oci', async () => {
  expect(await plan(community, 'us-phoenix-1', 'karpenter.k8s.oracle/instance-shape-name')).toMatchObject([
    { cheapest: { instanceType: `${SHAPE}.2o.16g`, price: price(2, 16) } },
  ])
})
