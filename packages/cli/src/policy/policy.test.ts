import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node, nodeClaim, nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runExplainPod } from '../explain/run-explain-pod.ts'
import { runPlan } from '../plan/run-plan.ts'
import { runPolicyExplain } from './run-explain.ts'
import { runPolicyLint } from './run-lint.ts'
import { runPolicyList } from './run-list.ts'

const writeObjects = async (objects: readonly object[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'policy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  return file
}

/** Runs a command on these objects. Returns the exit code and what it wrote to standard output. */
const run = async (
  command: typeof runPolicyExplain | typeof runPolicyLint | typeof runPolicyList,
  objects: readonly object[],
  output: 'text' | 'json' = 'text',
) => {
  const file = await writeObjects(objects)
  let text = ''
  const stdout = { write: (part: string) => (text += part) }
  const code = await command({ filename: [file], output }, { stdout, stderr: { write: () => {} }, env: {} })
  return { code, text }
}

const policy = (ceilings: object, name = 'default') => ({
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'ClusterPolicy',
  metadata: { name },
  spec: { ceilings },
})

const running = (name: string) =>
  node(name, {
    labels: {
      'karpenter.sh/nodepool': 'general',
      'karpenter.sh/capacity-type': 'on-demand',
      'topology.kubernetes.io/zone': 'test-zone-a',
      'node.kubernetes.io/instance-type': 'c-4x-amd64-linux',
    },
    providerID: `kwok://${name}`,
    spec: { taints: [{ key: 'busy', effect: 'NoSchedule' }] },
    status: { capacity: { cpu: '4', memory: '8Gi', pods: '64' }, allocatable: { cpu: '4', memory: '8Gi', pods: '64' } },
  })

const cluster = [nodePool('general', {}), running('node-a')]
const waiting = (name: string, priority = 0) => pod(name, { requests: { cpu: '900m' }, spec: { priority } })

test('explain shows what each ceiling leaves, and which pods wait', async () => {
  const ceilings = { nodes: 2, resources: { cpu: '6', memory: '1Ti' }, usdPerHour: '0.15' }
  const { code, text } = await run(runPolicyExplain, [
    ...cluster,
    policy(ceilings),
    waiting('first', 10),
    ...['b', 'c', 'd'].map((name) => waiting(name)),
  ])
  expect(code).toBe(3)
  expect(text).toMatchInlineSnapshot(`
    "ClusterPolicy default: ceilings over all NodePools

    CEILING       OF    USED  HEADROOM
    nodes          2       1         1
    cpu            6       4         2
    memory       1Ti     8Gi    1016Gi
    usdPerHour  0.15  0.1086    0.0414

    1 replacement may exceed the ceilings while the nodes that they replace still run.
    3 pods wait for a ceiling:
      default/b  nodepool/general: a new node would exceed the ceiling of the ClusterPolicy on nodes (0 left), usdPerHour ($0.0143 left)
      default/c  nodepool/general: a new node would exceed the ceiling of the ClusterPolicy on nodes (0 left), usdPerHour ($0.0143 left)
      default/d  nodepool/general: a new node would exceed the ceiling of the ClusterPolicy on nodes (0 left), usdPerHour ($0.0143 left)
    "
  `)
})

test('explain without ceilings says so', async () => {
  const { code, text } = await run(runPolicyExplain, [...cluster, waiting('a')])
  expect([code, text]).toEqual([0, 'no ceilings: the cluster has no ClusterPolicy named default\n'])
})

test('explain counts a NodeClaim without an instance with its largest type', async () => {
  const values = ['c-2x-amd64-linux', 'c-8x-amd64-linux']
  const claim = nodeClaim('general-new', {
    labels: { 'karpenter.sh/nodepool': 'general' },
    spec: { requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values }] },
  })
  const { text } = await run(
    runPolicyExplain,
    [...cluster, claim, policy({ nodes: 5, resources: { cpu: 100 } })],
    'json',
  )
  expect(JSON.parse(text).ceilings).toEqual([
    { name: 'nodes', ceiling: '5', used: '2', headroom: '3' },
    { name: 'cpu', ceiling: '100', used: '12', headroom: '88' },
  ])
})

test('list shows each policy, its sections, and whether it is applied', async () => {
  const condition = {
    type: 'Accepted',
    status: 'True',
    reason: 'Accepted',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const applied = { ...policy({ nodes: 2 }), status: { conditions: [condition] } }
  expect((await run(runPolicyList, [...cluster, applied])).text).toMatchInlineSnapshot(`
    "KIND           NAME     SECTIONS  ACCEPTED  MESSAGE
    ClusterPolicy  default  ceilings  True
    "
  `)
  expect((await run(runPolicyList, cluster)).text).toBe('no policies\n')
  expect(JSON.parse((await run(runPolicyList, [policy({ nodes: 2 })], 'json')).text)).toMatchObject({
    policies: [{ name: 'default', sections: ['ceilings'], accepted: 'Unknown' }],
  })
})

test.each([
  ['a ceiling below what runs', { nodes: 0 }, 'is below what runs: 1. Kerf removes no node'],
  ['a resource that no type has', { resources: { 'example.com/gpuu': 3 } }, 'has no effect: no instance type'],
  ['a price below every type', { usdPerHour: '0.12' }, undefined],
  ['no surge', { nodes: 3, surge: 0 }, 'surge is 0'],
  ['an amount that is no quantity', { resources: { cpu: '1e1.5' } }, 'spec.ceilings.resources.cpu is not a quantity'],
])('lint: %s', async (_name, ceilings, problem) => {
  const { code, text } = await run(runPolicyLint, [...cluster, policy(ceilings)])
  expect(code).toBe(problem === undefined ? 0 : 3)
  expect(text).toContain(problem ?? 'no problems')
})

test('lint: a ceiling below the smallest type, and static pools that ask for more nodes than the ceiling', async () => {
  const still = nodePool('still', { replicas: 4 })
  const { text } = await run(runPolicyLint, [
    nodePool('general', {}),
    still,
    policy({ nodes: 3, usdPerHour: '0.0001' }),
  ])
  expect(text).toContain('is below the smallest instance type')
  expect(text).toContain('the static NodePools require 4 nodes, and the ceiling on nodes is 3')
})

test('lint reports a policy that two files define differently, with what the second one removes', async () => {
  const lint = async (...files: readonly (readonly object[])[]) => {
    const filename = await Promise.all(files.map(writeObjects))
    let text = ''
    const streams = { stdout: { write: (part: string) => (text += part) }, stderr: { write: () => {} }, env: {} }
    return { code: await runPolicyLint({ filename, output: 'text' }, streams), text, filename }
  }
  const priced = { ...policy({}), spec: { commitments: [{ name: 'a', prepaid: { vcpus: 16 } }] } }
  const { code, text, filename } = await lint([...cluster, policy({ nodes: 5 })], [priced])
  expect(code).toBe(3)
  expect(text).toBe(
    `ClusterPolicy default: is defined 2 times (${filename[0]}:1, ${filename[1]}:1), and kubectl apply keeps only the last one, which has no spec.ceilings\n  remedy: merge the sections into one object in one file, or check and apply each file alone, with kubectl apply --server-side and a --field-manager of its own\n`,
  )
  const hours = (timeZone: string) => ({
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name: 'hours' },
    spec: {
      targetRefs: [{ group: 'karpenter.sh', kind: 'NodePool', name: 'general' }],
      sleep: { timeZone, awake: [{ days: ['Mon'], start: '07:00', end: '19:00' }] },
    },
  })
  // Two documents of one file, with the same sections.
  expect((await lint([...cluster, hours('UTC'), hours('Europe/Berlin')])).text).toMatch(
    /NodePoolPolicy hours: is defined 2 times \(.*:1, .*:1\), and kubectl apply keeps only the last one\n/,
  )
  expect((await lint([...cluster, policy({ nodes: 5 })], [policy({ nodes: 5 })])).code).toBe(0)
})

test('plan and explain pod give the reason, and explain pod says to which amount to raise the ceiling', async () => {
  const file = await writeObjects([...cluster, policy({ nodes: 1 }), waiting('a')])
  let text = ''
  const streams = { stdout: { write: (part: string) => (text += part) }, stderr: { write: () => {} }, env: {} }
  await runPlan({ filename: [file], output: 'json', diff: false, explainCost: false }, streams)
  expect(text).toContain('a new node would exceed the ceiling of the ClusterPolicy on nodes (0 left)')
  text = ''
  expect(await runExplainPod('default/a', { filename: [file], output: 'text' }, streams)).toBe(3)
  expect(text).toContain('a new node would exceed the ceiling of the ClusterPolicy on nodes (0 left)')
  expect(text).toContain('  raise spec.ceilings.nodes of ClusterPolicy default to 2\n')
})
