import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VirtualClock } from '@kerf/runtime'
import { node as buildNode, pod as buildPod, condition, nodeClaim, nodePool } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runExplainNode } from './run-explain-node.ts'

const START = '2026-01-01T00:00:00Z'
const labels = {
  'karpenter.sh/nodepool': 'general',
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
  'karpenter.sh/capacity-type': 'on-demand',
  'topology.kubernetes.io/zone': 'test-zone-a',
  'node.kubernetes.io/instance-type': 'c-4x-amd64-linux',
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/hostname': 'node-a',
}
const conditions = ['Launched', 'Registered', 'Initialized', 'Consolidatable'].map((type) => condition(type))

const pool = (disruption: object = {}, types: readonly string[] = ['c-4x-amd64-linux']) =>
  nodePool('general', {
    requirements: [
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: types },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
    ],
    templateSpec: { expireAfter: 'Never' },
    disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }], ...disruption },
  })
const claim = nodeClaim('general-a', {
  labels,
  providerID: 'kwok://a',
  nodeName: 'node-a',
  conditions,
})
const node = (metadata: object = {}, spec: object = {}) =>
  buildNode('node-a', {
    labels,
    providerID: 'kwok://a',
    spec,
    status: {
      capacity: { cpu: '4', memory: '8Gi', pods: '64' },
      allocatable: { cpu: '3900m', memory: '8Gi', pods: '64' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
    metadata,
  })
const pod = (metadata: object = {}) =>
  buildPod('web', {
    namespace: 'shop',
    labels: { app: 'web' },
    nodeName: 'node-a',
    status: { startTime: START },
    metadata,
  })
const pdb = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'keep', namespace: 'shop' },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  status: { disruptionsAllowed: 0 },
}

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const explain = async (objects: readonly object[], name = 'node-a', output: 'table' | 'json' | 'yaml' = 'table') => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-node-'))
  folders.push(folder)
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  let text = ''
  const stdout = { write: (part: string) => (text += part) }
  const streams = { stdout, stderr: { write: () => {} }, env: {} }
  const clock = new VirtualClock({ start: Date.parse('2026-01-02T10:30:00Z') })
  const code = await runExplainNode(name, { filename: [file], output }, streams, clock)
  return { code, text }
}

test('names a blocking PodDisruptionBudget, and shows a disruption budget with its numbers and when it opens', async () => {
  const budgets = [{ nodes: '0', schedule: '0 9 * * *', duration: '8h' }, { nodes: '100%' }]
  const { code, text } = await explain([pool({ budgets }), claim, node(), pod(), pdb])
  expect(code).toBe(3)
  expect(text).toMatchInlineSnapshot(`
    "node-a is kept  (NodePool general, $0.1086/h)

    WHAT BLOCKS EVERY METHOD                                      WHAT WOULD CHANGE IT
    Pdb prevents pod evictions (PodDisruptionBudget=[shop/keep])  let PodDisruptionBudget shop/keep allow a disruption: more healthy replicas, or a higher maxUnavailable

    METHOD         WHAT BLOCKS IT                                                                             WHAT WOULD CHANGE IT
    emptiness      Node has 1 pod that would have to move                                                     wait until its pods are gone
                   Budget of NodePool "general" allows 0 for Empty, and 0 are disrupted or not ready          wait until 2026-01-02T17:00:00Z, or raise spec.disruption.budgets[0] of NodePool general
    drift          Node is not drifted                                                                        no action required: this changes by itself
                   Budget of NodePool "general" allows 0 for Drifted, and 0 are disrupted or not ready        wait until 2026-01-02T17:00:00Z, or raise spec.disruption.budgets[0] of NodePool general
    consolidation  Budget of NodePool "general" allows 0 for Underutilized, and 0 are disrupted or not ready  wait until 2026-01-02T17:00:00Z, or raise spec.disruption.budgets[0] of NodePool general
    "
  `)
})

test('names the owners that the node was launched for, and says what is known about pods that used it', async () => {
  const launchedFor = 'Job/shop/sums,ReplicaSet/shop/web'
  const ahead = {
    ...claim,
    metadata: { ...claim.metadata, annotations: { 'kerf.sh/launched-for': launchedFor } },
  }
  const unused = await explain([pool({ consolidateAfter: 'Never' }), ahead, node()])
  expect(unused.text.split('\n').slice(1, 5)).toEqual([
    'Launched for expected pods of Job shop/sums, ReplicaSet shop/web',
    'No pod except daemon pods is bound to it, and its NodeClaim records no earlier pod.',
    'If the controller knows of no earlier pod either, and plans none for it, the controller deletes it.',
    'Only the annotation karpenter.sh/do-not-disrupt on the node prevents this: neither consolidateAfter nor budgets do.',
  ])
  const used = await explain([pool({ consolidateAfter: 'Never' }), ahead, node(), pod()], 'node-a', 'json')
  expect(JSON.parse(used.text)).toMatchObject({ launchedFor: ['Job/shop/sums', 'ReplicaSet/shop/web'] })
  expect(JSON.parse(used.text)).not.toHaveProperty('unused')
  const recorded = { ...ahead, status: { ...ahead.status, lastPodEventTime: START } }
  const earlier = await explain([pool({ consolidateAfter: 'Never' }), recorded, node()], 'node-a', 'json')
  expect(JSON.parse(earlier.text)).not.toHaveProperty('unused')
})

test('names the blocking pods, with the time until which they are protected', async () => {
  const { code, text } = await explain([
    pool({ consolidateAfter: '30m' }),
    {
      ...claim,
      status: {
        ...claim.status,
        conditions: conditions.slice(0, 3),
        lastPodEventTime: '2026-01-02T10:20:00Z',
      },
    },
    node(),
    pod({ annotations: { 'karpenter.sh/do-not-disrupt': '48h' } }),
  ])
  expect(code).toBe(3)
  expect(text).toContain('Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=shop/web)')
  expect(text).toContain('wait until 2026-01-03T00:00:00Z')
  expect(text).toContain('Pods came or went too recently for consolidation')
  expect(text).toContain('wait until 2026-01-02T10:50:00Z')
})

test('if no offering is cheaper, shows the price of the closest offering', async () => {
  const { code, text } = await explain([pool(), claim, node(), pod()])
  expect(code).toBe(3)
  expect(text).toMatchInlineSnapshot(`
    "node-a is kept  (NodePool general, $0.1086/h)

    METHOD         WHAT BLOCKS IT                          WHAT WOULD CHANGE IT
    emptiness      Node has 1 pod that would have to move  wait until its pods are gone
    drift          Node is not drifted                     no action required: this changes by itself
    consolidation  Can't replace with a cheaper node       an offering below $0.1086 an hour; the closest costs $0.1086
    "
  `)
})

test('shows the command that would disrupt the node and what it saves; finds the node by the name of its NodeClaim', async () => {
  const { code, text } = await explain(
    [pool({}, ['c-4x-amd64-linux', 'c-2x-amd64-linux']), claim, node(), pod()],
    'general-a',
  )
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "node-a is being disrupted, or would be in the next pass  (NodePool general, $0.1086/h)

    METHOD         WHAT BLOCKS IT                                              WHAT WOULD CHANGE IT
    emptiness      Node has 1 pod that would have to move                      wait until its pods are gone
    drift          Node is not drifted                                         no action required: this changes by itself
    consolidation  would disrupt it now: replace: [node-a] -> [1 replacement]  saves $0.0543/h
    "
  `)
})

test('reports minValues that the cheaper types do not satisfy', async () => {
  const wanting = pool({}, ['c-4x-amd64-linux', 'c-2x-amd64-linux'])
  const [types, ...rest] = wanting.spec.template.spec.requirements
  const requirements = [{ ...types, minValues: 2 }, ...rest]
  const spec = { ...wanting.spec, template: { spec: { ...wanting.spec.template.spec, requirements } } }
  const { text } = await explain([{ ...wanting, spec }, claim, node(), pod()])
  expect(text).toContain('minValues requirement is not met')
  expect(text).toContain('lower minValues of node.kubernetes.io/instance-type to 1')
})

test.each([
  [
    'an annotation on the node',
    node({ annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
    'node.do-not-disrupt',
  ],
  ['not initialised', node({ labels: { ...labels, 'karpenter.sh/initialized': undefined } }), 'node.uninitialized'],
])('%s blocks every method', async (_name, made, code) => {
  const { text } = await explain([pool(), claim, made, pod()], 'node-a', 'json')
  expect(JSON.parse(text)).toMatchObject({ disrupted: false, goes: false, obstacles: [{ code }] })
})

test('if the NodeClaim has a terminationGracePeriod, a PodDisruptionBudget does not block drift', async () => {
  const forced = { ...claim, spec: { ...claim.spec, terminationGracePeriod: '1h' } }
  const drifted = {
    ...forced,
    status: { ...claim.status, conditions: [...conditions, condition('Drifted')] },
  }
  const { code, text } = await explain([pool(), drifted, node(), pod(), pdb], 'node-a', 'json')
  const document = JSON.parse(text)
  expect(document.obstacles).toEqual([])
  expect(document.methods.find(({ method }: { method: string }) => method === 'drift').obstacles).toEqual([])
  expect(code).toBe(0)
})

test('if the NodePool is deleted, drift has one row', async () => {
  const forced = { ...claim, spec: { ...claim.spec, terminationGracePeriod: '1h' } }
  const { text } = await explain([forced, node(), pod(), pdb])
  expect(text).toContain('NodePool not found (NodePool=general)')
  expect(text.match(/^drift/gm)).toHaveLength(1)
})

test('a node that a command has tainted is being disrupted', async () => {
  const marked = node({}, { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] })
  const { code, text } = await explain([pool(), claim, marked, pod()])
  expect(code).toBe(0)
  expect(text).toContain('Node is being disrupted')
})

test('for a deleted node, shows when termination began, when its pods are deleted by force, and what it waits for', async () => {
  const deletionTimestamp = '2026-01-02T10:00:00Z'
  const annotations = { 'karpenter.sh/nodeclaim-termination-timestamp': '2026-01-02T11:00:00Z' }
  const ended = [
    { ...claim, metadata: { ...claim.metadata, deletionTimestamp, annotations } },
    node({ deletionTimestamp, finalizers: ['karpenter.sh/termination'] }),
  ]
  const { code, text } = await explain([pool(), ...ended, pod(), pdb])
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "node-a was deleted and has been terminating since 2026-01-02T10:00:00Z; its remaining pods are deleted by 2026-01-02T11:00:00Z  (NodePool general, $0.1086/h)

    TERMINATION WAITS FOR                                         WHAT WOULD CHANGE IT
    Pdb prevents pod evictions (PodDisruptionBudget=[shop/keep])  let PodDisruptionBudget shop/keep allow a disruption: more healthy replicas, or a higher maxUnavailable
    "
  `)
  const json = JSON.parse((await explain([pool(), ...ended, pod(), pdb], 'general-a', 'json')).text)
  expect(json).toMatchObject({
    disrupted: true,
    goes: true,
    termination: {
      since: deletionTimestamp,
      deadline: '2026-01-02T11:00:00Z',
      waitsFor: [{ code: 'pdb.blocks', blocker: { budget: 'shop/keep' } }],
    },
  })
  expect(json.departure, 'the older name').toEqual(json.termination)
})

test('YAML output has the same content as JSON, without anchors, because not every parser supports them', async () => {
  const objects = [pool(), claim, node(), pod(), pdb]
  const yaml = (await explain(objects, 'node-a', 'yaml')).text
  expect(yaml).not.toMatch(/[&*]a\d/)
  expect(parse(yaml)).toEqual(JSON.parse((await explain(objects, 'node-a', 'json')).text))
})

test('refuses a node that Kerf does not manage, and an unknown node', async () => {
  const other = { ...node(), metadata: { name: 'node-a', uid: 'node' } }
  expect((await explain([pool(), other, pod()])).text).toMatchInlineSnapshot(`
    "node-a is kept

    WHAT BLOCKS EVERY METHOD         WHAT WOULD CHANGE IT
    Node isn't managed by karpenter  Kerf only disrupts nodes that it launched
    "
  `)
  await expect(explain([pool(), claim, node()], 'nobody')).rejects.toThrow(
    'no Node, and no NodeClaim with an instance, is named nobody; see: kubectl get nodes',
  )
})
