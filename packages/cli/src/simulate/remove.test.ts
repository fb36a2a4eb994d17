import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node as buildNode, pod as buildPod, condition, nodeClaim, nodePool } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { type RemoveOptions, runRemove } from './run-remove.ts'

const labels = {
  'karpenter.sh/nodepool': 'general',
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
  'karpenter.sh/capacity-type': 'on-demand',
  'topology.kubernetes.io/zone': 'test-zone-a',
  'node.kubernetes.io/instance-type': 'c-4x-amd64-linux',
}
const pool = nodePool('general', {
  requirements: [
    { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c-4x-amd64-linux'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
  ],
})
const running = (name: string): readonly object[] => [
  nodeClaim(`claim-${name}`, {
    labels,
    providerID: `kwok://${name}`,
    nodeName: name,
    conditions: ['Launched', 'Registered', 'Initialized'].map((type) => condition(type)),
  }),
  buildNode(name, {
    labels: { ...labels, 'kubernetes.io/hostname': name },
    providerID: `kwok://${name}`,
    status: {
      capacity: { cpu: '4', memory: '8Gi', pods: '64' },
      allocatable: { cpu: '3900m', memory: '8Gi', pods: '64' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }),
]
const on = (name: string, node: string, cpu: string, more: object = {}) =>
  buildPod(name, { namespace: 'shop', nodeName: node, requests: { cpu }, ...more })

const remove = async (
  names: readonly string[],
  objects: readonly object[],
  output: RemoveOptions['output'] = 'text',
) => {
  const folder = await mkdtemp(join(tmpdir(), 'removal-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  let text = ''
  const stdout = { write: (part: string) => (text += part) }
  const code = await runRemove(names, { filename: [file], output }, { stdout, stderr: { write: () => {} }, env: {} })
  return { code, text }
}
const two = [pool, ...running('node-a'), ...running('node-b')]

test('pods first fill the free capacity of other nodes; the others go to a new node', async () => {
  const pods = [on('web', 'node-a', '2'), on('api', 'node-a', '1'), on('stays', 'node-b', '2')]
  const { code, text } = await remove(['node-a'], [...two, ...pods])
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "Without node-a
      $0.2172/h → $0.2172/h, 2 → 2 nodes

    POD       FROM    TO
    shop/web  node-a  new node 1: c-4x-amd64-linux (on-demand) of NodePool general
    shop/api  node-a  node-b
    "
  `)
})

test('several nodes are removed together, by node name or by claim name', async () => {
  const pods = [on('web', 'node-a', '1'), on('api', 'node-b', '1')]
  const { text } = await remove(['node-a', 'claim-node-b'], [...two, ...pods], 'json')
  const forecast = JSON.parse(text)
  expect(forecast.removed).toEqual(['node-a', 'node-b'])
  expect(forecast.moves.map(({ pod, to }: { pod: string; to: unknown }) => [pod, to])).toEqual([
    ['shop/api', 1],
    ['shop/web', 1],
  ])
  expect([forecast.cost.before.nodes, forecast.cost.after.nodes]).toEqual([2, 1])
})

test('reports a pod that fits nowhere, and a pod that cannot be evicted', async () => {
  const pods = [
    on('lost', 'node-a', '1', { spec: { nodeSelector: { 'topology.kubernetes.io/zone': 'mars' } } }),
    on('job', 'node-a', '1', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
  ]
  const { code, text } = await remove(['node-a'], [...two, ...pods], 'json')
  expect(code).toBe(3)
  expect(JSON.parse(text)).toMatchObject({
    moves: [],
    cost: { before: { nodes: 2 }, after: { nodes: 2 } },
    withoutPlace: [{ pod: 'shop/lost', node: 'node-a', why: expect.stringContaining('topology.kubernetes.io/zone') }],
    held: [{ pod: 'shop/job', why: expect.stringContaining('do-not-disrupt') }],
  })
})

const budget = (disruptionsAllowed: number) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  status: { disruptionsAllowed },
})
const web = { labels: { app: 'web' } }

test('if a PodDisruptionBudget allows no eviction, the pod stays with its node, and its planned node is shown', async () => {
  const pods = [on('web', 'node-a', '1', web), on('api', 'node-a', '2')]
  const { code, text } = await remove(['node-a'], [...two, budget(0), ...pods])
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "Without node-a
      $0.2172/h → $0.2172/h, 2 → 2 nodes
      node-a stays until every pod can be evicted; the cost includes that time

    POD       FROM    TO
    shop/api  node-a  node-b
    shop/web  node-a  stays: pdb prevents pod evictions (PodDisruptionBudget=[shop/web]); then node-b
    "
  `)
  const free = JSON.parse((await remove(['node-a'], [...two, budget(1), ...pods], 'json')).text)
  expect(free.held).toEqual([])
  expect(free.cost.after.nodes).toBe(1)
})

test('budgets and annotations protect a pod until its terminationGracePeriod forces it out, which may be at once', async () => {
  const withGrace = (terminationGracePeriod: string) =>
    two.map((object) => {
      const claim = object as ReturnType<typeof nodeClaim>
      return claim.kind === 'NodeClaim' ? { ...claim, spec: { ...claim.spec, terminationGracePeriod } } : object
    })
  const patient = {
    spec: { terminationGracePeriodSeconds: 60 },
    annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
  }
  const pods = [on('job', 'node-a', '1', patient)]
  const later = JSON.parse((await remove(['node-a'], [...withGrace('1h'), ...pods], 'json')).text)
  expect(later).toMatchObject({ moves: [], held: [{ pod: 'shop/job', node: 'node-a' }], cost: { after: { nodes: 2 } } })
  expect(Date.parse(later.held[0].forcedAt) - Date.now()).toBeGreaterThan(58 * 60_000)
  const atOnce = JSON.parse((await remove(['node-a'], [...withGrace('1m'), ...pods], 'json')).text)
  expect(atOnce).toMatchObject({ held: [], moves: [{ pod: 'shop/job', to: 'node-b' }], cost: { after: { nodes: 1 } } })
})

test('static pods and daemons never move; a do-not-disrupt daemon keeps the node, and critical pods stay with it', async () => {
  const owned = (kind: string, apiVersion: string) => ({
    ownerReferences: [{ apiVersion, kind, name: 'owner', uid: 'owner', controller: true }],
  })
  const protection = { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }
  const daemon = (more: object) => on('agent', 'node-a', '100m', { metadata: owned('DaemonSet', 'apps/v1'), ...more })
  const mirror = on('proxy', 'node-a', '100m', { metadata: owned('Node', 'v1'), ...protection })
  const dns = on('dns', 'node-a', '1', { spec: { priorityClassName: 'system-cluster-critical' } })
  const web = on('web', 'node-a', '1')
  const seen = async (more: object) => {
    const { moves, held, cost } = JSON.parse(
      (await remove(['node-a'], [...two, daemon(more), mirror, dns, web], 'json')).text,
    )
    const names = (list: readonly { pod: string }[]) => list.map(({ pod }) => pod)
    return { moves: names(moves), held: names(held), nodes: cost.after.nodes }
  }
  expect(await seen({})).toEqual({ moves: ['shop/dns', 'shop/web'], held: [], nodes: 1 })
  expect(await seen(protection)).toEqual({ moves: ['shop/web'], held: ['shop/agent', 'shop/dns'], nodes: 2 })
})

test('refuses an unknown name', async () => {
  await expect(remove(['nobody'], two)).rejects.toThrow('no Node, and no NodeClaim with an instance, is named nobody')
})
