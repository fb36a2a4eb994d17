import { awayFrom, spreadOver } from '@kerf/testing'
import { expect, test } from 'vitest'
import { reasonSentence } from '../reasons/reason.ts'
import { cluster, HOST, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'
import { explainCost, explainPod } from '../testing/core-labels.ts'

const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

test('an explanation has the funnel of each pool, and the only change that helps', () => {
  const pools = cluster()
    .pool('general', { requirements: [isIn(ZONE, 'zone-1', 'zone-2')] })
    .pool('gpu', { taints: [{ key: 'gpu', effect: 'NoSchedule' }], requirements: [isIn(ZONE, 'zone-1')] })
  const big = pod('big', { cpu: '20', spec: { nodeSelector: { [ZONE]: 'zone-1' } } })
  const explained = explainPod(pools.snapshot, [big], big)
  expect(explained.place).toEqual({ kind: 'none' })
  expect(explained.reasons.map(reasonSentence)).toMatchInlineSnapshot(`
    [
      "nodepool/general: cpu is short by 4.1 on m-16",
      "nodepool/gpu: taint gpu:NoSchedule is not tolerated",
    ]
  `)
  expect(
    explained.funnels.map(({ nodePool, stages }) => [
      nodePool,
      ...stages.map((each) => `${each.constraint}: ${each.offeringsLeft}`),
    ]),
  ).toMatchInlineSnapshot(`
    [
      [
        "gpu",
        "offerings: 8",
        "taint gpu:NoSchedule: 0",
      ],
      [
        "general",
        "offerings: 16",
        "topology.kubernetes.io/zone In [zone-1]: 8",
        "resources: 0",
      ],
    ]
  `)
  expect(explained.remedies).toEqual([{ kind: 'lower-request', text: 'lower the request of cpu to 15900m' }])
})

test('remedies are verified: a selector to drop, a taint to tolerate, a limit to raise', () => {
  const lost = pod('lost', { spec: { nodeSelector: { [ZONE]: 'mars' } } })
  const general = cluster().pool('general')
  expect(explainPod(general.snapshot, [lost], lost).remedies.map(({ text }) => text)).toEqual([
    'nodeSelector topology.kubernetes.io/zone=mars',
  ])
  const tainted = cluster().pool('general', { taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] })
  const plain = pod('plain')
  expect(explainPod(tainted.snapshot, [plain], plain).remedies.map(({ kind }) => kind)).toEqual(['tolerate'])
  const limited = cluster().pool('general', { limits: { cpu: '0' } })
  expect(explainPod(limited.snapshot, [plain], plain).remedies.map(({ kind }) => kind)).toEqual(['raise-limit'])
  const crowd = replicas(4, 'crowd', { spec: awayFrom(ZONE, 'crowd') })
  const last = crowd[3]
  if (last === undefined) throw new Error('four pods')
  expect(explainPod(general.snapshot, crowd, last).remedies.map(({ kind }) => kind)).toEqual(['drop'])
})

test('a raised limit is enough for all pods of the batch and the running nodes, and other limits stay unchanged', () => {
  const limited = cluster()
    .pool('general', { limits: { cpu: '2500m', memory: '1Ti', nodes: '1' }, requirements: [isIn(ZONE, 'zone-1')] })
    .nodes(node('old', { cpu: '1' }))
  const apart = replicas(3, 'apart', { cpu: '1500m', spec: awayFrom(HOST, 'apart') })
  const [first] = apart
  if (first === undefined) throw new Error('three pods')
  const { remedies } = explainPod(limited.snapshot, apart, first)
  expect(remedies.find(({ kind }) => kind === 'raise-limit')?.raise).toEqual({
    nodePool: 'general',
    limits: { cpu: '7', memory: '1Ti', nodes: '4' },
  })
})

test('a device that no type has is not reported as a shortage, and a request of 0 is not suggested', () => {
  const wanting = pod('wanting', { requests: { 'nvidia.com/gpu': '1' } })
  const pools = cluster()
    .pool('general')
    .pool('zonal', { requirements: [isIn(ZONE, 'zone-1')] })
  const { reasons, remedies } = explainPod(pools.snapshot, [wanting], wanting)
  expect(reasons.map(reasonSentence)).toEqual([
    'nodepool/general: no instance type of this NodePool offers nvidia.com/gpu',
    'nodepool/zonal: no instance type of this NodePool offers nvidia.com/gpu',
  ])
  expect(remedies).toEqual([])
})

test('remedies that keep the requests come before remedies that lower them', () => {
  const tainted = cluster()
    .pool('small', { requirements: [isIn('node.kubernetes.io/instance-type', 'm-1')] })
    .pool('large', { taints: [{ key: 'team', effect: 'NoSchedule' }] })
  const big = pod('big', { cpu: '4' })
  expect(explainPod(tainted.snapshot, [big], big).remedies.map(({ kind }) => kind)).toEqual([
    'tolerate',
    'lower-request',
  ])
})

test.each([
  ['cpu', '117030m', '117.03'],
  ['cpu', '1', '1'],
  ['memory', '9472Mi', '9.3Gi'],
  ['memory', '1900Ki', '2Mi'],
  ['nvidia.com/gpu', '3', '3'],
])('a shortage of %s by %s is reported as %s', (resource, short, said) => {
  const detail = { resource, requested: '1000', available: '7', short, largest: 'm-16' }
  expect(reasonSentence({ code: 'resources.exceeded', subject: '', detail })).toBe(
    `${resource} is short by ${said} on m-16`,
  )
})

test('a placed pod is explained by its node, or by the claim that is launched for it', () => {
  const a = pod('a')
  const general = cluster().pool('general')
  expect(explainPod(general.snapshot, [a], a).place).toMatchObject({
    kind: 'claim',
    instanceType: 'm-1',
    capacityType: 'spot',
  })
  const there = explainPod(general.nodes(node('n')).snapshot, [a], a)
  expect(there.reasons.map(reasonSentence)).toEqual(['node/n: has enough free capacity and came first in the order'])
})

test('an unknown label is explained with a hint', () => {
  const typo = pod('typo', { spec: { nodeSelector: { 'topology.kubernetes.io/zon': 'zone-1' } } })
  const { reasons } = explainPod(cluster().pool('general').snapshot, [typo], typo)
  expect(reasons.map(reasonSentence)).toEqual([
    'nodepool/general: label topology.kubernetes.io/zon has no known values (typo of "topology.kubernetes.io/zone"?)',
  ])
})

test('the cost of each constraint, and a valid lower bound', () => {
  const pools = cluster().pool('general')
  const pods = [
    ...replicas(6, 'apart', { cpu: '400m', spec: awayFrom(HOST, 'apart') }),
    ...replicas(6, 'free', { cpu: '400m', spec: spreadOver(ZONE, 'free', { maxSkew: 6 }) }),
    pod('pinned', { cpu: '3', spec: { nodeSelector: { 'karpenter.sh/capacity-type': 'on-demand' } } }),
  ]
  const explained = explainCost(pools.snapshot, pods)
  expect(explained.hourlyCost).toBeLessThanOrEqual(explained.firstPassCost)
  expect(explained.lowerBound).toBeGreaterThan(0)
  expect(explained.lowerBound).toBeLessThanOrEqual(explained.hourlyCost)
  expect(explained.constraints[0]).toMatchObject({
    workload: 'Pod default/pinned',
    constraint: 'nodeSelector karpenter.sh/capacity-type=on-demand',
  })
})

test('a claim is described without its zone, which the provider chooses among offerings of equal price', () => {
  const detail = { instanceType: 'm-4', zone: 'zone-1', capacityType: 'spot', types: 12 }
  const why = (pods: number, types = 12) =>
    reasonSentence({ code: 'price.cheapest', subject: 'nodepool/general', detail: { ...detail, types, pods } })
  expect([why(1), why(7), why(7, 1)]).toEqual([
    'm-4 (spot) is the cheapest of 12 instance types that fit 1 pod',
    'm-4 (spot) is the cheapest of 12 instance types that fit 7 pods',
    'm-4 (spot) is the only instance type that fits 7 pods',
  ])
})
