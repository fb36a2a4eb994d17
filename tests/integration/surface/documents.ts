import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { VirtualClock } from '@kerf/runtime'
import { condition, nodeClaim, nodePool, pod } from '@kerf/testing'
import { runExplainNode } from '../../../packages/cli/src/explain/run-explain-node.ts'
import { runExplainPod } from '../../../packages/cli/src/explain/run-explain-pod.ts'
import { runExplainPool } from '../../../packages/cli/src/explain/run-explain-pool.ts'
import { runMigrate } from '../../../packages/cli/src/migrate/run-migrate.ts'
import { runChange } from '../../../packages/cli/src/plan/run-change.ts'
import { runPlan } from '../../../packages/cli/src/plan/run-plan.ts'
import { runRemove } from '../../../packages/cli/src/simulate/run-remove.ts'
import { runSimulate } from '../../../packages/cli/src/simulate/run-simulate.ts'
import { printedJson as json } from './printed-json.ts'
import { type JsonDocument, surfaces } from './provider-surface.ts'

const root = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const scenario = (name: string) => ({
  filename: [root(`tests/scenarios/${name}/cluster.yaml`)],
  instanceTypes: root(`tests/scenarios/${name}/instance-types.json`),
})

const plan = (name: string) =>
  json((streams) =>
    runPlan(
      {
        ...scenario(name),
        output: 'json',
        diff: true,
        explainCost: true,
        preferencePolicy: 'Respect',
        minValuesPolicy: 'Strict',
      },
      streams,
    ),
  )

const explainPod = (name: string, pod: string) =>
  json((streams) => runExplainPod(pod, { ...scenario(name), output: 'json' }, streams))

const explainPool = (name: string, pool: string) =>
  json((streams) => runExplainPool(pool, { ...scenario(name), output: 'json' }, streams))

/** Returns a node that cannot be disrupted because of a PodDisruptionBudget, a pod and a NodePool's budget. */
const keptNode = (start: string): readonly object[] => [
  {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'general', uid: 'pool-uid' },
    spec: {
      disruption: { consolidateAfter: '30m', budgets: [{ nodes: '0', schedule: '0 9 * * *', duration: '8h' }] },
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
          requirements: [],
        },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'node-a',
      uid: 'node-uid',
      labels: {
        'karpenter.sh/nodepool': 'general',
        'karpenter.sh/registered': 'true',
        'karpenter.sh/initialized': 'true',
        'node.kubernetes.io/instance-type': 'c-4x-amd64-linux',
        'topology.kubernetes.io/zone': 'test-zone-a',
        'karpenter.sh/capacity-type': 'on-demand',
      },
    },
    spec: { providerID: 'kwok://node-a' },
    status: {
      capacity: { cpu: '4', memory: '8Gi', pods: '64' },
      allocatable: { cpu: '3900m', memory: '8Gi', pods: '64' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: 'web',
      labels: { app: 'web' },
      annotations: { 'karpenter.sh/do-not-disrupt': '48h' },
    },
    spec: { nodeName: 'node-a', containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] },
    status: { phase: 'Running', startTime: start },
  },
]

const changedPool = (types: readonly string[]): object =>
  nodePool('general', {
    requirements: [
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [...types] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
    ],
    disruption: { budgets: [{ nodes: '0' }] },
  })

/** Returns the node with its NodeClaim and two more pods. One of them can run on no other node, and one is pending. */
const launchedNode = (start: string): readonly object[] => {
  const [, node, guarded] = keptNode(start)
  return [
    changedPool(['c-4x-amd64-linux']),
    nodeClaim('claim-a', {
      pool: 'general',
      labels: { 'node.kubernetes.io/instance-type': 'c-4x-amd64-linux', 'karpenter.sh/capacity-type': 'on-demand' },
      providerID: 'kwok://node-a',
      nodeName: 'node-a',
      conditions: ['Launched', 'Registered', 'Initialized'].map((type) => condition(type)),
    }),
    ...[node, guarded].filter((each) => each !== undefined),
    pod('moving', { nodeName: 'node-a' }),
    pod('lost', { nodeName: 'node-a', spec: { nodeSelector: { 'topology.kubernetes.io/zone': 'mars' } } }),
    pod('waits', {}),
  ]
}

const explainNode = async (folder: string) => {
  const start = '2026-01-02T10:00:00Z'
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: keptNode(start) }))
  const clock = new VirtualClock({ start: Date.parse('2026-01-02T10:30:00Z') })
  return json((streams) => runExplainNode('node-a', { filename: [file], output: 'json' }, streams, clock))
}

/** Two changes of the NodePool: one after which a pod of the node fits nowhere, and one after which every pod fits. */
const change = async (folder: string) => {
  const start = '2026-01-02T10:00:00Z'
  const cluster = join(folder, 'changing.json')
  await writeFile(cluster, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: launchedNode(start) }))
  const after = async (types: readonly string[]) => {
    const file = join(folder, 'change.json')
    await writeFile(file, JSON.stringify(changedPool(types)))
    const options = { filename: [cluster], change: [file], diff: false, explainCost: false, output: 'json' } as const
    const clock = new VirtualClock({ start: Date.parse('2026-01-02T10:30:00Z') })
    return await json((streams) => runChange(options, streams, clock))
  }
  return [await after(['c-8x-amd64-linux']), await after(['no-such-type'])]
}

const removal = async (folder: string) => {
  const file = join(folder, 'removal.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: launchedNode('2026-01-02T10:00:00Z') }))
  return await json((streams) => runRemove(['node-a'], { filename: [file], output: 'json' }, streams))
}

const simulate = () =>
  json((streams) =>
    runSimulate(
      { filename: [root('examples/simulate/')], seed: 1, for: '40m', output: 'json', schema: false },
      { ...streams, now: () => 0 },
    ),
  )

/** Runs every verb that prints JSON, with input that shows its keys. */
export const jsonDocuments = async (): Promise<readonly JsonDocument[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-surface-'))
  try {
    return [
      {
        title: 'kerf plan --diff --explain-cost -o json',
        printed: await Promise.all(
          ['006-taints-tolerations', '026-existing-room', '024-pvc-zonal', '032-min-values'].map(plan),
        ),
        maps: ['nodeClaims[].requests', 'unschedulable[].reasons[].detail'],
      },
      {
        title: 'kerf explain pod -o json',
        printed: [
          await explainPod('006-taints-tolerations', 'wrongtol-g2dbqz6c2-4rp6n'),
          await explainPod('035-impossible', 'default/toobig-zd748wknm-mf97k'),
          await explainPod('026-existing-room', 'default/new-s86pw6cf9-2nhzp'),
          await explainPod('026-existing-room', 'default/new-s86pw6cf9-gshx8'),
        ],
        maps: ['reasons[].detail', 'funnels[].reason.detail', 'place.reasons[].detail'],
      },
      { title: 'kerf explain nodepool -o json', printed: [await explainPool('031-limits', 'default')], maps: [] },
      { title: 'kerf explain node -o json', printed: [await explainNode(folder)], maps: [] },
      { title: 'kerf plan --change -o json', printed: await change(folder), maps: ['newNodes[].requests'] },
      {
        title: 'kerf simulate remove node -o json',
        printed: [await removal(folder)],
        maps: ['newNodes[].requests'],
      },
      { title: 'kerf simulate -o json', printed: [await simulate()], maps: [] },
      {
        title: 'kerf migrate manifests -o json',
        printed: [await json((streams) => runMigrate([root('examples/older-guides')], { output: 'json' }, streams))],
        maps: ['objects[]', 'settings'],
      },
      ...(await Promise.all(surfaces.map(({ documents }) => documents(folder)))).flat(),
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}
