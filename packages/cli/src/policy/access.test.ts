import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node, nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { runPlan } from '../plan/run-plan.ts'
import { parseAt } from '../plan/sleeping-snapshot.ts'
import { runPolicyExplain } from './run-explain.ts'
import { runPolicyFence } from './run-fence.ts'
import { runPolicyLint } from './run-lint.ts'
import { runPolicyList } from './run-list.ts'

const writeObjects = async (objects: readonly object[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'policy-access-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  return file
}

type Streams = Parameters<typeof runPolicyList>[1]

/** Runs a command on these objects. Returns the exit code and what it wrote. */
const run = async (
  command: (filename: readonly string[], streams: Streams) => Promise<unknown>,
  objects: readonly object[],
) => {
  let text = ''
  let notes = ''
  const stdout = { write: (part: string) => (text += part) }
  const stderr = { write: (part: string) => (notes += part) }
  const code = await command([await writeObjects(objects)], { stdout, stderr, env: {} })
  return { code, text, notes }
}
const as =
  (command: typeof runPolicyExplain | typeof runPolicyLint | typeof runPolicyList, output: 'text' | 'json' = 'text') =>
  (filename: readonly string[], streams: Streams) =>
    command({ filename, output }, streams)
const asFence = (filename: readonly string[], streams: Streams) => runPolicyFence({ filename }, streams)

const taints = [{ key: 'team', value: 'a', effect: 'NoSchedule' as const }]
const policy = (name: string, spec: object) => ({
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'NodePoolPolicy',
  metadata: { name },
  spec: { targetRefs: [{ group: 'karpenter.sh', kind: 'NodePool', name: 'team-a' }], ...spec },
})
const namespace = (name: string, labels: object) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
})
const access = { namespaceSelector: { matchLabels: { team: 'a' } } }
const inNamespace = (name: string, of: string) => {
  const made = pod(name, { requests: { cpu: '900m' }, spec: { tolerations: [{ operator: 'Exists' }] } })
  return { ...made, metadata: { ...made.metadata, namespace: of } }
}
const pool = nodePool('team-a', { templateSpec: { taints } })
const cluster = [
  pool,
  policy('team-a', { access }),
  namespace('a', { team: 'a' }),
  namespace('b', { team: 'b' }),
  inNamespace('one', 'a'),
  inNamespace('two', 'b'),
]

test('list and explain show who may use a NodePool, and which pods wait', async () => {
  expect((await run(as(runPolicyList), cluster)).text).toMatchInlineSnapshot(`
    "KIND            NAME    SECTIONS  ACCEPTED  MESSAGE
    NodePoolPolicy  team-a  access    Unknown
    "
  `)
  const { code, text } = await run(as(runPolicyExplain), cluster)
  expect(code).toBe(3)
  expect(text).toMatchInlineSnapshot(`
    "no ceilings: the cluster has no ClusterPolicy named default

    NodePool team-a: only pods of namespaces with team=a, by NodePoolPolicy team-a
    1 pod waits for access to a NodePool:
      b/two  nodepool/team-a: not open to pods of namespace b
    "
  `)
  const json = JSON.parse((await run(as(runPolicyExplain, 'json'), cluster)).text)
  expect(json).toMatchObject({ access: [{ nodePool: 'team-a', policy: 'team-a', hasTaint: true, ...access }] })
})

test('plan launches a node only for the pod that may use the NodePool', async () => {
  const plan = (filename: readonly string[], streams: Streams) =>
    runPlan({ filename, output: 'json', diff: false, explainCost: false }, streams)
  const { text } = await run(plan, cluster)
  expect(text).toContain('not open to pods of namespace b')
  expect(text).not.toContain('not open to pods of namespace a')
})

test('fence prints an admission policy for each NodePool, and names the pods that it would refuse', async () => {
  const { code, text, notes } = await run(asFence, cluster)
  expect(code).toBe(0)
  const kinds = parseAllDocuments(text).map((document) => document.toJS())
  expect(kinds).toMatchObject([
    { kind: 'ValidatingAdmissionPolicy', metadata: { name: 'kerf-fence-team-a' } },
    { kind: 'ValidatingAdmissionPolicyBinding', spec: { policyName: 'kerf-fence-team-a' } },
  ])
  expect(notes).toContain('1 running or waiting pod could not be created again, because of the fence: b/two')
})

test('without a taint there is no fence, and lint says so', async () => {
  const open = [nodePool('team-a', {}), policy('team-a', { access }), namespace('a', { team: 'a' })]
  const { code, text, notes } = await run(asFence, open)
  expect([code, text]).toEqual([3, ''])
  expect(notes).toContain('NodePool team-a: no fence')
  expect((await run(as(runPolicyLint), open)).text).toContain('access to NodePool "team-a" is not enforced')
})

test.each([
  ['a NodePool that does not exist', [policy('p', { access })], 'the NodePool does not exist'],
  [
    'a selector without NodePools',
    [pool, policy('p', { targetRefs: undefined, targetSelector: { matchLabels: { a: 'b' } }, access })],
    'has no effect: no NodePool has the labels',
  ],
  [
    'two policies for one section',
    [pool, policy('a', { access }), policy('b', { access })],
    'NodePoolPolicy "a" comes first by name and applies instead',
  ],
  ['a selector without namespaces', [pool, policy('p', { access })], 'no namespace has the labels team=a'],
])('lint: %s', async (_name, objects, problem) => {
  const { code, text } = await run(as(runPolicyLint), objects)
  expect(code).toBe(3)
  expect(text).toContain(problem)
})

const hours = (timeZone = 'Etc/UTC') => ({
  sleep: { timeZone, awake: [{ days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], start: '07:00', end: '19:00' }] },
})

test('plan --at: a NodePool that sleeps at that time launches nothing, and the reason contains the end of the sleep', async () => {
  const objects = [nodePool('team-a', {}), policy('night', hours('Europe/Berlin')), pod('web', {})]
  const planAt = async (at: string) => {
    const plan = (filename: readonly string[], streams: Streams) =>
      runPlan({ filename, output: 'json', diff: false, explainCost: false, at: parseAt(at) }, streams)
    return (await run(plan, objects)).text
  }
  // These times are Thursday, 24 December 2026, 21:00 in Berlin, then Friday noon, then Saturday.
  expect(await planAt('2026-12-24T20:00Z')).toContain('sleeps until 07:00 Europe/Berlin')
  expect(await planAt('2026-12-25T12:00:00+01:00')).not.toContain('sleeps until')
  expect(await planAt('2026-12-26T12:00Z')).toContain('sleeps until Mon 07:00 Europe/Berlin')
  expect(() => parseAt('tomorrow')).toThrow('--at: tomorrow is not a time')
})

test('plan --at says what happens to the running pods of a NodePool that sleeps at that time', async () => {
  const size = { cpu: '16', memory: '64Gi', pods: '110' }
  const runs = (name: string, nodePoolName: string, cpu: string) => [
    node(name, { pool: nodePoolName, providerID: `kwok://${name}`, capacity: size }),
    pod(`on-${name}`, { requests: { cpu }, nodeName: name }),
  ]
  const objects = [
    ...[nodePool('team-a', { limits: { cpu: '100' } }), nodePool('shared', { limits: { cpu: '16' } })],
    policy('night', hours()),
    ...['a', 'b'].flatMap((name) => runs(name, 'team-a', '9')),
    ...runs('c', 'shared', '1'),
  ]
  const planAt = async (at: string, output: 'json' | 'table') =>
    await run(
      (filename, streams) => runPlan({ filename, output, diff: false, explainCost: false, at: parseAt(at) }, streams),
      objects,
    )
  // The node of the NodePool that stays awake has room for one of the two pods, and its limit allows no further node.
  const { code, text } = await planAt('2026-12-24T20:00Z', 'table')
  expect([code, text]).toEqual([
    0,
    `No new node is needed for pending pods.

NodePool team-a sleeps until 07:00 Etc/UTC. Kerf removes its 2 nodes and evicts 2 running pods: 1 waits until then, 1 gets another node.
`,
  ])
  expect(JSON.parse((await planAt('2026-12-24T20:00Z', 'json')).text).asleep).toEqual([
    { nodePool: 'team-a', until: '07:00 Etc/UTC', nodes: 2, pods: 2, waiting: 1 },
  ])
  expect((await planAt('2026-12-24T12:00Z', 'table')).text).toBe('No new node is needed.\n')
})

test('explain shows which NodePools have hours, and lint refuses hours on a static NodePool and unknown zones', async () => {
  const { text } = await run(as(runPolicyExplain), [nodePool('team-a', {}), policy('night', hours())])
  expect(text).toMatch(/NodePool team-a (sleeps until .*|is awake within its hours), by NodePoolPolicy night/)
  const fixed = await run(as(runPolicyLint), [nodePool('team-a', { replicas: 1 }), policy('night', hours())])
  expect(fixed.text).toContain('a static NodePool does not sleep')
  const nowhere = await run(as(runPolicyLint), [nodePool('team-a', {}), policy('night', hours('Mars/Base'))])
  expect(nowhere.text).toContain('the time zone database has no "Mars/Base"')
  const withDeadline = (deadline: string) => ({ sleep: { ...hours().sleep, deadline } })
  const late = await run(as(runPolicyLint), [nodePool('team-a', {}), policy('night', withDeadline('60h'))])
  expect(late.text).toContain('spec.sleep.deadline 60h has no effect: no sleep is that long')
  const soon = await run(as(runPolicyLint), [nodePool('team-a', {}), policy('night', withDeadline('59h'))])
  expect(soon.text).not.toContain('deadline')
})

const everyDay = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

test.each([
  [
    'a sleep of a minute',
    { days: everyDay, start: '07:00', end: '06:59' },
    'the NodePools are asleep for at most 1 min',
  ],
  ['ten minutes awake', { days: ['Mon'], start: '07:00', end: '07:10' }, undefined],
  ['nine minutes awake', { days: ['Mon', 'Tue'], start: '07:00', end: '07:09' }, 'are awake for at most 9 min'],
])('lint: %s', async (_name, awake, problem) => {
  const objects = [nodePool('team-a', {}), policy('night', { sleep: { timeZone: 'Etc/UTC', awake: [awake] } })]
  const { code, text } = await run(as(runPolicyLint), objects)
  expect(code).toBe(problem === undefined ? 0 : 3)
  expect(text).toContain(problem ?? 'no problems')
})

test.each([
  ['tomorrow', 'kerf.sh/awake-until of NodePool "team-a" has no effect, because "tomorrow" is not a time'],
  ['2026-12-24T23:00:00Z', undefined],
])('lint: a NodePool that is kept awake until %s', async (until, problem) => {
  const woken = nodePool('team-a', { annotations: { 'kerf.sh/awake-until': until } })
  const { code, text } = await run(as(runPolicyLint), [woken, policy('night', hours())])
  expect(code).toBe(problem === undefined ? 0 : 3)
  expect(text).toContain(problem ?? 'no problems')
})
