import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instanceTypeToJson } from '@kerf/engine'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { VirtualClock } from '@kerf/runtime'
import { node, nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../plan/run-plan.ts'
import { loadReportCluster } from '../report/report-cluster.ts'
import { reportDocument } from '../report/report-document.ts'
import { reportMarkdown } from '../report/report-markdown.ts'
import { runSimulate } from '../simulate/run-simulate.ts'
import { runPolicyExplain } from './run-explain.ts'
import { runPolicyLint } from './run-lint.ts'

const TYPE = 's-16x-amd64-linux'

const writeObjects = async (objects: readonly object[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'commitments-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  return file
}

const policy = (...commitments: readonly object[]) => ({
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'ClusterPolicy',
  metadata: { name: 'default' },
  spec: { commitments },
})

const prepaid = (count: number, more: object = {}) => ({
  name: 'reserved',
  prepaid: { instanceType: TYPE, count, ...more },
})

const covered = (name: string) =>
  node(name, {
    pool: 'general',
    providerID: `kwok://${name}`,
    capacity: { cpu: '16', memory: '32Gi', pods: '110' },
    labels: {
      'node.kubernetes.io/instance-type': TYPE,
      'karpenter.sh/capacity-type': 'on-demand',
      'topology.kubernetes.io/zone': 'test-zone-a',
      'kubernetes.io/hostname': name,
    },
  })

const apart = {
  labels: { app: 'a' },
  requests: { cpu: '900m' },
  spec: {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'a' } } },
        ],
      },
    },
  },
}

const texts = () => {
  let [text, notes] = ['', '']
  return {
    streams: {
      stdout: { write: (part: string) => (text += part) },
      stderr: { write: (part: string) => (notes += part) },
      env: {},
    },
    get text() {
      return text
    },
    get notes() {
      return notes
    },
  }
}

const plan = async (objects: readonly object[], output: 'json' | 'table' = 'json') => {
  const file = await writeObjects([nodePool('general', {}), ...objects])
  const out = texts()
  await runPlan({ filename: [file], output, diff: true, explainCost: false }, out.streams)
  return out.text
}

test('a plan uses what is left of a commitment, and shows which nodes are covered', async () => {
  const pods = ['a', 'b', 'c'].map((name) => pod(name, apart))
  const planned = JSON.parse(await plan([policy(prepaid(2)), covered('n'), ...pods.slice(0, 2)]))
  expect(planned.nodeClaims.map(({ commitment }: { commitment?: string }) => commitment)).toEqual(['reserved'])
  expect(planned.nodeClaims[0].cheapest).toMatchObject({ instanceType: TYPE, capacityType: 'on-demand', price: 0 })
  expect(planned.hourlyCost).toBe(0)
  // The commitment covers both the existing and the planned node.
  expect(planned.diff.pools).toEqual([{ nodePool: 'general', nodes: [1, 2], hourlyCost: [0, 0] }])
  const text = await plan([policy(prepaid(1)), ...pods], 'table')
  expect(text).toMatch(/COVERED BY/)
  expect(text).toMatch(/s-16x-amd64-linux .* \$0\.0000\/h +reserved/)
  expect(text.match(/\/h +-/g)).toHaveLength(2)
})

const savingsPlan = {
  name: 'plan',
  prepaid: { committedUsdPerHour: '1', rates: { factor: '0.5' } },
}

test('a plan covers nodes with a savings plan, at its rates', async () => {
  const pods = ['a', 'b', 'c'].map((name) => pod(name, apart))
  const planned = JSON.parse(await plan([policy(savingsPlan), ...pods]))
  expect(planned.nodeClaims.map(({ commitment }: { commitment?: string }) => commitment)).toEqual([
    'plan',
    'plan',
    'plan',
  ])
  expect(planned.hourlyCost).toBe(0)
})

test('a plan reads the commitments of a ConfigMap, otherwise those in the status', async () => {
  const map = (text: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kerf-commitments', namespace: 'kube-system' },
    data: { 'commitments.yaml': text },
  })
  const sourced = { ...policy(), spec: { commitmentSource: { configMap: {} } } }
  const uses = async (...objects: readonly object[]) => {
    const out = texts()
    await runPolicyExplain(
      { filename: [await writeObjects([nodePool('general', {}), ...objects])], output: 'json' },
      out.streams,
    )
    const { commitments = [] } = JSON.parse(out.text)
    return [commitments.map(({ covers }: { covers: number }) => covers), out.notes]
  }
  const text = `commitments: [{name: a, prepaid: {instanceType: ${TYPE}, count: 7}}]`
  expect(await uses(sourced, map(text))).toEqual([[7], ''])
  const status = { commitmentSource: { source: 's', readAt: '', commitments: [prepaid(3)] } }
  expect(await uses({ ...sourced, status })).toEqual([[3], ''])
  expect(await uses({ ...sourced, status }, map('commitments: 1'))).toEqual([
    [3],
    expect.stringContaining('commitments: ConfigMap kerf-commitments (commitments.yaml): commitments'),
  ])
  expect(await uses(sourced)).toEqual([[], expect.stringContaining('is not among the objects')])
})

test('kerf policy explain and report show a savings plan in dollars', async () => {
  const file = await writeObjects([nodePool('general', {}), covered('n'), policy(savingsPlan)])
  const out = texts()
  expect(await runPolicyExplain({ filename: [file], output: 'text' }, out.streams)).toBe(0)
  // The node costs $0.4687.
  expect(out.text).toMatch(/^plan +every +every +Active +1 \$\/h +0\.2344 \$\/h +0\.7656 \$\/h +\$0\.7656\/h$/m)
  const report = reportDocument(await loadReportCluster({ paths: [file] }, {}, new VirtualClock()), '2026-11-30')
  expect(report.now.cost).toBe(0)
  expect(reportMarkdown(report)).toContain(
    '| plan | every | 1 $/h | 0\\.2344 $/h | 0\\.7656 $/h | $1.0000/h | $0.7656/h |',
  )
})

test('a discount lowers the prices of a plan', async () => {
  const priced = async (...objects: readonly object[]): Promise<number> =>
    JSON.parse(await plan([pod('a', { requests: { cpu: '900m' } }), ...objects])).hourlyCost
  const full = await priced()
  const factor = { factor: '0.5', capacityTypes: ['spot', 'on-demand'] }
  expect(await priced(policy({ name: 'half', discount: factor }))).toBeCloseTo(full / 2, 6)
})

test('a discount does not lower the prices of a running controller, which already include it', async () => {
  const [type] = (await loadInstanceTypes()).filter(({ name }) => name === TYPE).map(instanceTypeToJson)
  const folder = await mkdtemp(join(tmpdir(), 'commitments-types-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const instanceTypes = join(folder, 'types.json')
  await writeFile(instanceTypes, JSON.stringify({ lists: [[type]], pools: { general: 0 } }))
  const planned = async (...objects: readonly object[]) => {
    const filename = [await writeObjects([nodePool('general', {}), pod('a', apart), ...objects])]
    const out = texts()
    const options = { filename, instanceTypes, diff: false, explainCost: false }
    await runPlan({ ...options, output: 'json' }, out.streams)
    return [JSON.parse(out.text).hourlyCost, out.notes.includes('not applied: the price book and discounts')]
  }
  const factor = { factor: '0.5', capacityTypes: ['spot', 'on-demand'] }
  const [full] = await planned()
  expect(await planned(policy({ name: 'half', discount: factor }))).toEqual([full, true])
})

test('kerf policy explain shows the use of commitments, and discounts', async () => {
  const file = await writeObjects([
    nodePool('general', {}),
    covered('n'),
    policy(prepaid(3, { usdPerHour: '0.25' }), {
      name: 'negotiated',
      discount: { factor: '0.9', instanceTypes: ['c-*'] },
    }),
  ])
  const out = texts()
  expect(await runPolicyExplain({ filename: [file], output: 'text' }, out.streams)).toBe(0)
  expect(out.text).toMatch(/^reserved +s-16x-amd64-linux +every +Active +3 +1 +2 +\$0\.5000\/h$/m)
  expect(out.text).toContain('Discount negotiated: 0.9 times the price of c-*, on-demand')
  const json = texts()
  await runPolicyExplain({ filename: [file], output: 'json' }, json.streams)
  expect(JSON.parse(json.text)).toMatchObject({
    commitments: [{ name: 'reserved', unit: 'instances', covers: 3, used: 1, unused: 2, unusedCost: 0.5 }],
    discounts: [{ name: 'negotiated', factor: '0.9' }],
  })
})

test.each([
  ['an instance type that no NodePool offers', prepaid(1, { instanceType: 'm5.lagre' }), 'correct instanceType'],
  ['a commitment that has ended', prepaid(1, { end: '2020-01-01T00:00:00Z' }), 'remove it, or correct its end'],
  ['a share that leaves nothing', prepaid(1, { share: '0.9' }), 'raise its share'],
  ['another zone', prepaid(1, { zone: 'test-zone-z' }), 'correct zone'],
  [
    'a family that no NodePool offers',
    { name: 'a', prepaid: { instanceTypes: ['z9.*'], normalizedUnits: '16' } },
    'correct instanceTypes, or allow these types',
  ],
  [
    'one of several families that no NodePool offers',
    { name: 'a', prepaid: { instanceTypes: ['s-*', 'z9.*'], vcpus: 16 } },
    'correct instanceTypes, or remove these entries',
  ],
  [
    'a discount on one of several families that no NodePool offers',
    { name: 'a', discount: { factor: '0.9', instanceTypes: ['s-*', 'z9.*'] } },
    'correct instanceTypes, or remove these entries',
  ],
  ['a monthly price of an instance', prepaid(1, { usdPerHour: '200' }), 'state the price of one instance,'],
  [
    'a monthly price of a vCPU',
    { name: 'a', prepaid: { instanceTypes: ['s-*'], vcpus: 16, usdPerHour: '15' } },
    'state the price of one instance,',
  ],
  [
    'a discount on nothing',
    { name: 'a', discount: { factor: '0.9', instanceTypes: ['z9.*'] } },
    'correct instanceTypes',
  ],
])('kerf policy lint reports %s', async (_name, commitment, remedy) => {
  const file = await writeObjects([nodePool('general', {}), policy(commitment)])
  const out = texts()
  expect(await runPolicyLint({ filename: [file], output: 'text' }, out.streams)).toBe(3)
  expect(out.text).toContain(`remedy: ${remedy}`)
})

const commitmentMap = (text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kerf-commitments', namespace: 'kube-system' },
  data: { 'commitments.yaml': text },
})

test.each([
  ['a ConfigMap that is not among the files', [], 'is not among the objects'],
  ['a ConfigMap without commitments', [commitmentMap('commitments: 3')], 'commitments: ConfigMap kerf-commitments'],
  [
    'a name that the policy has too',
    [commitmentMap(`commitments: [{name: reserved, prepaid: {instanceType: ${TYPE}, count: 2}}]`)],
    'remedy: remove or rename one of them',
  ],
])('kerf policy lint reports %s', async (_name, objects, problem) => {
  const { spec, ...rest } = policy(prepaid(1))
  const withSource = { ...rest, spec: { ...spec, commitmentSource: { configMap: {} } } }
  const file = await writeObjects([nodePool('general', {}), withSource, ...objects])
  const out = texts()
  expect(await runPolicyLint({ filename: [file], output: 'text' }, out.streams)).toBe(3)
  expect(out.text).toContain(problem)
})

test('kerf policy lint says that the provider reads no account', async () => {
  const file = await writeObjects([
    nodePool('general', {}),
    { ...policy(), spec: { commitmentSource: { account: {} } } },
  ])
  const out = texts()
  expect(await runPolicyLint({ filename: [file], output: 'text' }, out.streams)).toBe(3)
  expect(out.text).toContain('the provider of the NodePools reads no commitments from the account')
})

test('kerf policy lint accepts a commitment that has an effect', async () => {
  const file = await writeObjects([nodePool('general', {}), policy(prepaid(1))])
  const out = texts()
  expect([await runPolicyLint({ filename: [file], output: 'text' }, out.streams), out.text]).toEqual([
    0,
    'no problems\n',
  ])
})

test('a report counts covered nodes as free, and has the amortised prices', async () => {
  const reported = async (...objects: readonly object[]) => {
    const file = await writeObjects([nodePool('general', {}), covered('m'), covered('n'), ...objects])
    return reportDocument(await loadReportCluster({ paths: [file] }, {}, new VirtualClock()), '2026-11-30')
  }
  const without = await reported()
  const report = await reported(policy(prepaid(1, { usdPerHour: '0.25' })))
  expect(report.now.cost).toBeCloseTo(without.now.cost / 2, 6)
  expect(report.commitments).toEqual([
    {
      ...{ name: 'reserved', instanceTypes: [TYPE], state: 'Active', unit: 'instances' },
      ...{ covers: 1, used: 1, unused: 0, amortised: 0.25, unusedCost: 0 },
    },
  ])
  expect(reportMarkdown(report)).toMatch(
    /\| reserved \| s-16x-amd64-linux \| 1 \| 1 \| 0 \| \$0\.2500\/h \| \$0\.0000\/h \|/,
  )
  expect(without.commitments).toBeUndefined()
})

test('kerf simulate charges nothing for covered nodes, and discounts once', async () => {
  const cost = async (...commitments: readonly object[]): Promise<number> => {
    const objects = [nodePool('general', {}), pod('a', { requests: { cpu: '900m' } })]
    const file = await writeObjects(commitments.length === 0 ? objects : [...objects, policy(...commitments)])
    const out = texts()
    await runSimulate(
      { filename: [file], for: '1h', seed: 1, output: 'json', schema: false },
      { ...out.streams, now: () => 0 },
    )
    return JSON.parse(out.text).cost
  }
  const full = await cost()
  expect(full).toBeGreaterThan(0)
  expect(await cost(prepaid(1))).toBeLessThan(full / 10)
  expect(await cost({ name: 'a', prepaid: { vcpus: 16 } })).toBeLessThan(full / 10)
  const half = { name: 'half', discount: { factor: '0.5', capacityTypes: ['spot', 'on-demand'] } }
  expect((await cost(half)) / full).toBeCloseTo(0.5, 1)
})
