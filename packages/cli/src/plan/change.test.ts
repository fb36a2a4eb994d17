import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  annotations,
  HASH_VERSION,
  type Node,
  type NodeClaim,
  type NodePool,
  nodePoolHash,
  nodePoolResource,
  resourceAdmission,
} from '@kerf/apis'
import { VirtualClock } from '@kerf/runtime'
import { node as buildNode, pod as buildPod, condition, nodeClaim, nodePool } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { type ChangeOptions, runChange } from './run-change.ts'

const TYPE = 'c-4x-amd64-linux'
const labels = {
  'karpenter.sh/nodepool': 'general',
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
  'karpenter.sh/capacity-type': 'on-demand',
  'topology.kubernetes.io/zone': 'test-zone-a',
  'node.kubernetes.io/instance-type': TYPE,
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
}
const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })
const onDemand = isIn('karpenter.sh/capacity-type', 'on-demand')

const pool = (types: readonly string[] = [TYPE], more: Parameters<typeof nodePool>[1] = {}): NodePool => {
  const requirements = [isIn('node.kubernetes.io/instance-type', ...types), onDemand]
  return nodePool('general', { requirements, disruption: { budgets: [{ nodes: '100%' }] }, ...more })
}
/** Returns the hash of the NodePool after the API server has stored it. */
const storedHash = (of: NodePool): string => nodePoolHash(resourceAdmission(nodePoolResource).withDefaults(of))

/** Returns a node and its claim, in the state after the NodePool launched them. */
const running = (name: string, of: NodePool = pool()): readonly [NodeClaim, Node] => [
  nodeClaim(`claim-${name}`, {
    labels,
    annotations: { [annotations.nodePoolHash]: storedHash(of), [annotations.nodePoolHashVersion]: HASH_VERSION },
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
const on = (name: string, node: string, cpu = '1', more: object = {}) =>
  buildPod(name, { namespace: 'shop', nodeName: node, requests: { cpu }, status: { phase: 'Running' }, ...more })

const change = async (
  cluster: readonly object[],
  objects: readonly object[],
  output: ChangeOptions['output'] = 'json',
  more: Partial<ChangeOptions> = {},
  terminal: { readonly isTTY?: boolean; readonly columns?: number } = {},
) => {
  const folder = await mkdtemp(join(tmpdir(), 'change-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const writeItems = async (name: string, items: readonly object[]): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
    return file
  }
  let text = ''
  let err = ''
  const stdout = { ...terminal, write: (part: string) => (text += part) }
  const stderr = { write: (part: string) => (err += part) }
  const options = {
    filename: [await writeItems('cluster.json', cluster)],
    change: [await writeItems('change.json', objects)],
    diff: false,
    explainCost: false,
    output,
    ...more,
  }
  const clock = new VirtualClock({ start: Date.parse('2026-01-02T10:30:00Z') })
  const code = await runChange(options, { stdout, stderr, env: {} }, clock)
  return { code, text, err, ...(output === 'json' ? { forecast: JSON.parse(text) } : {}) }
}

test('after a change of the instance type, the node drifts, its pods move, and the cost before and after is shown', async () => {
  const cluster = [pool(), ...running('node-a'), on('web', 'node-a'), on('api', 'node-a')]
  const { code, text } = await change(cluster, [pool(['c-8x-amd64-linux'])], 'table')
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "NodePool general is changed.
    1 node drifts; 2 pods move.
    Every pod remains schedulable.
    Cost: $0.1086/h → $0.2172/h (+$0.1086/h, +$79.27/month), 1 → 1 node.

    Nodes that drift, in the order in which they are replaced
    NODE    NODEPOOL  PRICE      WHY                  PODS  BLOCKED BY
    node-a  general   $0.1086/h  RequirementsDrifted  2

    New nodes
    NEW  NODEPOOL  TYPE              CAPACITY   PRICE      PODS  WHICH
    1    general   c-8x-amd64-linux  on-demand  $0.2172/h  2     shop/api, shop/web
    "
  `)
})

test('the same report as Markdown for a pull request', async () => {
  const cluster = [pool(), ...running('node-a'), on('web', 'node-a')]
  const { text } = await change(cluster, [pool(['c-8x-amd64-linux'])], 'markdown')
  expect(text).toMatchInlineSnapshot(`
    "### Effect of this change on the cluster

    - NodePool general is changed.
    - 1 node drifts; 1 pod moves.
    - Every pod remains schedulable.
    - Cost: $0.1086/h → $0.2172/h (+$0.1086/h, +$79.27/month), 1 → 1 node.

    <details><summary>Nodes that drift, in the order in which they are replaced (1)</summary>

    | Node | Nodepool | Price | Why | Pods | Blocked by |
    | --- | --- | --- | --- | --- | --- |
    | node-a | general | $0.1086/h | RequirementsDrifted | 1 |  |

    </details>

    <details><summary>New nodes (1)</summary>

    | New | Nodepool | Type | Capacity | Price | Pods | Which |
    | --- | --- | --- | --- | --- | --- | --- |
    | 1 | general | c-8x-amd64-linux | on-demand | $0.2172/h | 1 | shop/web |

    </details>
    "
  `)
})

test('a new label in the template drifts every node; a field outside the template drifts none', async () => {
  const cluster = [pool(), ...running('node-a'), ...running('node-b')]
  const labelled = pool([TYPE], { templateMetadata: { labels: { team: 'shop' } } })
  const reasons = (await change(cluster, [labelled])).forecast.drifting.map(
    ({ node, reason }: { node: string; reason: string }) => [node, reason],
  )
  expect(reasons).toEqual([
    ['node-a', 'NodePoolDrifted'],
    ['node-b', 'NodePoolDrifted'],
  ])
  expect((await change(cluster, [pool([TYPE], { limits: { cpu: '100' } })])).forecast.drifting).toEqual([])
})

test('a manifest without the fields that the API server defaults changes nothing', async () => {
  const { apiVersion, kind, metadata, spec } = pool()
  const written = { apiVersion, kind, metadata: { name: metadata.name }, spec }
  const stored = { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, expireAfter: '720h' } } }
  const cluster = [{ ...pool(), spec: stored }, ...running('node-a', { ...pool(), spec: stored }), on('web', 'node-a')]
  const { code, forecast, text } = await change(cluster, [written])
  expect(forecast.objects).toEqual([{ object: 'NodePool general', change: 'unchanged' }])
  expect(forecast.drifting, text).toEqual([])
  expect(code).toBe(0)
})

test('the report names pods that would not fit, with the reason, and keeps their node', async () => {
  const cluster = [pool(), ...running('node-a'), on('big', 'node-a', '3')]
  const { code, forecast } = await change(cluster, [pool(['c-2x-amd64-linux'])])
  expect(code).toBe(3)
  expect(forecast.withoutPlace).toMatchObject([
    { pod: 'shop/big', node: 'node-a', why: expect.stringContaining('cpu is short by') },
  ])
  expect(forecast.stillPending).toEqual([])
  expect(forecast.drifting[0].keptBy).toMatchObject([{ code: 'pods.unschedulable' }])
  expect(forecast.cost.after).toEqual(forecast.cost.before)
})

test('a budget and a pod with do-not-disrupt keep a drifted node for now', async () => {
  const cluster = [
    pool(),
    ...running('node-a'),
    on('job', 'node-a', '1', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
  ]
  const closed = pool(['c-8x-amd64-linux'], { disruption: { budgets: [{ nodes: '0' }] } })
  const { code, forecast } = await change(cluster, [closed])
  const codes = forecast.drifting[0].keptBy.map(({ code: each }: { code: string }) => each)
  expect(codes).toEqual(['pod.do-not-disrupt', 'budget.exhausted'])
  expect(forecast.moves).toEqual([{ pod: 'shop/job', from: 'node-a', to: 1 }])
  expect(code).toBe(0)
})

test('a PodDisruptionBudget in the change counts as changed, and a missing status is computed', async () => {
  const owned = {
    metadata: {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true }],
    },
  }
  const pods = ['web-1', 'web-2'].map((name) => on(name, 'node-a', '1', { labels: { app: 'web' }, ...owned }))
  const budget = (spec: object, disruptionsAllowed?: number) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
    ...(disruptionsAllowed === undefined ? {} : { status: { disruptionsAllowed } }),
  })
  const unowned = pods.map(({ metadata: { ownerReferences: _, ...metadata }, ...rest }) => ({ ...rest, metadata }))
  const keptBy = async (
    stored: readonly object[],
    more: readonly object[] = [],
    on: readonly object[] = pods,
  ): Promise<readonly string[]> => {
    const cluster = [pool(), ...running('node-a'), ...on, ...stored]
    const { forecast } = await change(cluster, [pool(['c-8x-amd64-linux']), ...more])
    return forecast.drifting[0].keptBy.map(({ code }: { code: string }) => code)
  }
  expect(await keptBy([budget({ maxUnavailable: 1 }, 0)])).toEqual(['pdb.blocks', 'pdb.blocks'])
  expect(await keptBy([budget({ maxUnavailable: 1 })])).toEqual([])
  expect(await keptBy([budget({ maxUnavailable: 1 })], [], unowned)).toEqual(['pdb.blocks', 'pdb.blocks'])
  expect(await keptBy([budget({ minAvailable: 1 })], [], unowned)).toEqual([])
  expect(await keptBy([budget({ minAvailable: '51%' })])).toEqual(['pdb.blocks', 'pdb.blocks'])
  expect(await keptBy([budget({ minAvailable: 1 })])).toEqual([])
  expect(await keptBy([budget({ minAvailable: 2 }, 0)], [budget({ minAvailable: 1 })])).toEqual([])
  expect(await keptBy([budget({ minAvailable: 1 }, 1)], [budget({ maxUnavailable: 0 })])).toEqual([
    'pdb.blocks',
    'pdb.blocks',
  ])
})

test('a node that is already drifted is not attributed to the change', async () => {
  const before = pool([TYPE], { templateMetadata: { labels: { team: 'old' } } })
  const cluster = [pool(), ...running('node-a', before), ...running('node-b'), on('web', 'node-b')]
  const { forecast } = await change(cluster, [pool(['c-8x-amd64-linux'])])
  expect(forecast.drifting.map(({ node }: { node: string }) => node)).toEqual(['node-b'])
  const back = await change([pool(), ...running('node-a', before)], [before])
  expect(back.forecast.noLongerDrifted).toEqual(['claim-node-a'])
})

test('a changed template of a Deployment replaces its pods; more replicas only add pods', async () => {
  const deployment = (replicas: number, cpu: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'web', resources: { requests: { cpu } } }] },
      },
    },
  })
  const pods = ['web-1', 'web-2'].map((name) => on(name, 'node-a', '1', { labels: { app: 'web' } }))
  const cluster = [pool(), ...running('node-a'), deployment(2, '1'), ...pods]
  const places = async (changed: object) => {
    const { forecast } = await change(cluster, [changed])
    return forecast.moves.map(({ to }: { to: string | number }) => to)
  }
  expect(await places(deployment(2, '1'))).toEqual([])
  expect(await places(deployment(3, '1'))).toEqual(['node-a'])
  expect(await places(deployment(2, '3'))).toEqual([1, 'node-a'])
  expect(await places(deployment(1, '1'))).toEqual([])
})

test('a change is validated as the API server would validate it', async () => {
  const { apiVersion, kind, spec } = pool()
  const written = { apiVersion, kind, metadata: { name: 'general' }, spec: { ...spec, limit: { cpu: '10' } } }
  expect((await change([pool()], [written])).err).toContain('spec.limit: unknown field, did you mean limits?')
  await expect(change([pool()], [written], 'json', { validate: 'strict' })).rejects.toThrow('did you mean limits?')
  const wrong = { ...written, spec: { ...spec, limits: { cpu: 'ten' } } }
  await expect(change([pool()], [wrong])).rejects.toThrow('spec.limits.cpu')
})

test('the report names a pod that stays pending, but not as a pod that loses its node', async () => {
  const waiting = buildPod('huge', {
    namespace: 'shop',
    requests: { cpu: '500' },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  })
  const cluster = [pool(), ...running('node-a'), on('web', 'node-a'), waiting]
  const { code, text } = await change(cluster, [pool([TYPE], { weight: 5 })], 'table')
  expect(code).toBe(0)
  expect(text).toContain('Every pod remains schedulable.\n1 pod is pending today and would stay pending.')
  expect(text).toMatch(/Pods that stay pending\nPOD +WHY\nshop\/huge +\S/)
  const added = buildPod('new', { namespace: 'shop', requests: { cpu: '600' } })
  const { forecast } = await change(cluster, [pool([TYPE], { weight: 5 }), added])
  expect(forecast.stillPending.map(({ pod }: { pod: string }) => pod)).toEqual(['shop/huge'])
})

test('names from a cluster are escaped in Markdown, and keep the columns aligned in a terminal', async () => {
  const cluster = [pool(), ...running('node-a'), on('a|b_c', 'node-a', '3')]
  const { text } = await change(cluster, [pool(['c-2x-amd64-linux'])], 'markdown')
  expect(text).toContain('| shop/a\\|b\\_c |')
  const columns = 60
  const { text: table } = await change(cluster, [pool(['c-2x-amd64-linux'])], 'table', {}, { isTTY: true, columns })
  const rows = table.split('\n').filter((line) => line.startsWith('shop/'))
  expect(rows).not.toEqual([])
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns)
})

test('a change ignores CapacityBuffers, and the report says so', async () => {
  const template = { metadata: {}, spec: { containers: [{ name: 'main', image: 'x' }] } }
  const buffer = {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'b' },
    spec: { podTemplateRef: { name: 't' }, replicas: 1 },
  }
  const cluster = [pool(), { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 't' }, template }, buffer]
  const { err } = await change([...cluster, ...running('node-a')], [pool([TYPE], { weight: 5 })])
  expect(err).toContain('not counted: the capacity of CapacityBuffer default/b')
})
