import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import { VirtualClock } from '@kerf/runtime'
import { condition, node, nodeClaim, nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { runChange } from '../../../../packages/cli/src/plan/run-change.ts'
import { type PlanOptions, runPlan } from '../../../../packages/cli/src/plan/run-plan.ts'
import { OFFLINE_SPOT_FACTOR } from '../../src/instance-type/offline-market.ts'
import { firstPrices } from '../../src/tables/first-prices.ts'

const example = fileURLToPath(new URL('../../../../examples/ec2/', import.meta.url))

const fileOf = async (objects: readonly object[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  return file
}

const planOf = async (options: Partial<PlanOptions> & Pick<PlanOptions, 'filename'>) => {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runPlan(
    { diff: false, explainCost: false, output: 'table', ...options },
    {
      stdout: { write: (part: string) => out.push(part) },
      stderr: { write: (part: string) => err.push(part) },
      env: {},
    },
  )
  return { code, text: out.join(''), err: err.join('') }
}

test('pools select by labels of EC2 instances, and a note says which prices are estimates', async () => {
  const filename = [example]
  const { code, text } = await planOf({ filename, instanceTypes: 'aws' })
  expect(code).toBe(0)
  const price = (firstPrices('us-east-1').onDemand.get('r7g.xlarge') ?? Number.NaN) * OFFLINE_SPOT_FACTOR
  const withoutPrices = text.replaceAll(price.toFixed(4), '0.XXXX').replace((price * 730).toFixed(2), 'XX.XX')
  expect(withoutPrices).toMatchInlineSnapshot(`
    "NEW  NODEPOOL  TYPE        ZONE      CAPACITY      PRICE   CPU  MEMORY  TYPES  PODS
      1  general   r7g.xlarge  any of 5  spot      $0.XXXX/h  3.50  18.0Gi     60     3  shop/cache-1, shop/web-1, shop/web-2

    $0.XXXX/h more ($XX.XX/month) for 1 new node with 3 pods.

    prices: on-demand as published by AWS for us-east-1; spot is estimated at 40 % of that
    "
  `)
  const { nodeClaims } = JSON.parse((await planOf({ filename, instanceTypes: 'aws', output: 'json' })).text)
  for (const { instanceTypes } of nodeClaims)
    for (const name of instanceTypes) expect(name).toMatch(/^[cmr][7-9]g[a-z]*\./)
})

test('NodePools of EC2 are not planned with the types of another provider, and select their own without a flag', async () => {
  await expect(planOf({ filename: [example], instanceTypes: 'kwok' })).rejects.toThrow('--instance-types aws')
  expect((await planOf({ filename: [example] })).err).toContain('instance types of aws, from the node classes')
})

test('a node class in the files sets the size of its nodes, and what is unknown is reported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const nodeClass = join(folder, 'class.yaml')
  const term = '[{tags: {a: b}}]'
  await writeFile(
    nodeClass,
    `{apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: {name: default}, spec: {role: r, amiSelectorTerms: [{alias: al2023@latest}], subnetSelectorTerms: ${term}, securityGroupSelectorTerms: ${term}, kubelet: {maxPods: 1}}}`,
  )
  const plain = await planOf({ filename: [example], instanceTypes: 'aws' })
  expect(plain.text).toContain('1 new node with 3 pods')
  expect(plain.err).toBe(
    'using region us-east-1 (no region found; set --region)\nnot checked: the subnets of EC2NodeClass default (assuming every zone)\n',
  )
  const { text, err } = await planOf({ filename: [example, nodeClass], instanceTypes: 'aws' })
  expect(text).toContain('3 new nodes with 3 pods')
  expect(err.split('\n')).toEqual([
    'using region us-east-1 (no region found; set --region)',
    `EC2NodeClass default is defined 2 times (${example}cluster.yaml:27, ${nodeClass}:1): Kerf uses the last one, as kubectl apply does`,
    'not checked: the subnets of EC2NodeClass default (assuming every zone)',
    '',
  ])
})

test('a cluster without NodePools is planned with a suggested one, of the provider of its nodes', async () => {
  const labels = {
    'eks.amazonaws.com/capacityType': 'SPOT',
    'topology.kubernetes.io/zone': 'eu-central-1a',
    'kubernetes.io/arch': 'arm64',
    'kubernetes.io/os': 'linux',
  }
  const taints = [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' as const }]
  const worker = node('n', { labels, providerID: 'aws:///eu-central-1a/i-1' })
  const there = { ...worker, spec: { ...worker.spec, taints } }
  const control = { 'node-role.kubernetes.io/control-plane': '', 'kubernetes.io/arch': 'amd64' }
  const objects = [
    there,
    node('control', { labels: control, providerID: 'aws:///eu-central-1a/i-2' }),
    pod('p', { requests: { cpu: '1' } }),
  ]
  const file = await fileOf(objects)
  const { text: json, code, err } = await planOf({ filename: [file], output: 'json' })
  const document = JSON.parse(json)
  expect(code).toBe(0)
  expect(err).toContain('instance types of aws, from the nodes')
  expect(document.nodeClaims).toHaveLength(1)
  expect(document.suggestedNodePools).toHaveLength(1)
  expect(document.suggestedNodePools[0].spec.template.spec).toEqual({
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [
      { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
      { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
      { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eu-central-1a'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
    ],
  })
  const { text } = await planOf({ filename: [file] })
  expect(parse(/^# The cluster has no NodePool.*?\n\n/ms.exec(text)?.[0] ?? '')).toEqual(document.suggestedNodePools[0])
})

test('a field of an EC2NodeClass drifts its nodes, a selector only possibly', async () => {
  const ref = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }
  const labels = {
    'karpenter.sh/nodepool': 'general',
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
    'karpenter.sh/capacity-type': 'on-demand',
    'topology.kubernetes.io/zone': 'us-east-1a',
    'node.kubernetes.io/instance-type': 'm5.xlarge',
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
  }
  const isIn = (key: string, value: string) => ({ key, operator: 'In' as const, values: [value] })
  const requirements = [
    isIn('node.kubernetes.io/instance-type', 'm5.xlarge'),
    isIn('karpenter.sh/capacity-type', 'on-demand'),
  ]
  const pool = nodePool('general', {
    requirements,
    disruption: { budgets: [{ nodes: '100%' }] },
    templateSpec: { nodeClassRef: ref },
  })
  const providerID = 'aws:///us-east-1a/i-1'
  const amounts = { cpu: '4', memory: '16Gi', pods: '58' }
  const cluster = [
    ec2NodeClass('default'),
    pool,
    nodeClaim('claim', {
      labels,
      providerID,
      nodeName: 'node-a',
      conditions: ['Launched', 'Registered', 'Initialized'].map((type) => condition(type)),
      spec: { nodeClassRef: ref },
    }),
    node('node-a', {
      labels: { ...labels, 'kubernetes.io/hostname': 'node-a' },
      providerID,
      status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] },
    }),
    pod('web', { namespace: 'shop', nodeName: 'node-a', requests: { cpu: '1' }, status: { phase: 'Running' } }),
  ]
  const file = await fileOf(cluster)
  const changed = async (spec: Parameters<typeof ec2NodeClass>[1]) => {
    const out: string[] = []
    await runChange(
      {
        filename: [file],
        change: [await fileOf([ec2NodeClass('default', spec)])],
        diff: false,
        explainCost: false,
        output: 'json',
        instanceTypes: 'aws',
      },
      { stdout: { write: (part: string) => out.push(part) }, stderr: { write: () => true }, env: {} },
      new VirtualClock({ start: Date.parse('2026-01-02T10:30:00Z') }),
    )
    return JSON.parse(out.join(''))
  }
  const userData = await changed({ spec: { userData: 'echo changed' } })
  expect(userData.drifting).toMatchObject([{ node: 'node-a', reason: 'NodeClassDrift' }])
  expect(userData.notLookedAt).toEqual([])
  const selector = await changed({ spec: { subnetSelectorTerms: [{ tags: { other: 'one' } }] } })
  expect(selector.drifting).toEqual([])
  expect(selector.notLookedAt).toMatchObject([
    expect.stringContaining('what EC2NodeClass default selects by subnetSelectorTerms'),
  ])
})
