import type { Pod, PodSpec } from '@kerf/apis'
import { expect, test } from 'vitest'
import type { ClusterSnapshot, PoolAccess } from '../snapshot.ts'
import { cluster, node, pod } from '../testing/cluster-builders.ts'
import { indexSnapshot } from '../testing/core-labels.ts'

// docs/spec/policies.md#access

const namespace = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
})
const inNamespace = (name: string, of: string, spec: Partial<PodSpec> = {}): Pod => {
  const made = pod(name, { spec })
  return { ...made, metadata: { ...made.metadata, namespace: of } }
}
const restricted = (access: PoolAccess): Partial<ClusterSnapshot> => ({
  access: new Map([['team-a', access]]),
  namespaces: [namespace('a', { team: 'a' }), namespace('b', { team: 'b' })],
})
const teamA: PoolAccess = { namespaceSelector: { matchLabels: { team: 'a' } } }
const pools = cluster().pool('team-a', { weight: 10 }).pool('shared')

test('only pods of selected namespaces get nodes of the NodePool; pods with the same spec in other namespaces get others', () => {
  const outcome = pools.with(restricted(teamA)).schedule([inNamespace('one', 'a'), inNamespace('two', 'b')])
  const placed = outcome.plan.claims.map(({ nodePool, pods }) => [nodePool, pods.map(({ metadata }) => metadata.name)])
  expect(placed).toEqual([
    ['team-a', ['one']],
    ['shared', ['two']],
  ])
})

test('a toleration of every taint does not open the NodePool', () => {
  const tolerations = [{ operator: 'Exists' as const }]
  const alone = cluster().pool('team-a').with(restricted(teamA))
  const outcome = alone.schedule([inNamespace('two', 'b', { tolerations })])
  expect(outcome.plan.claims).toEqual([])
  expect(outcome.plan.unschedulable[0]?.reasons).toMatchObject([
    { code: 'access.namespace', subject: 'nodepool/team-a', detail: { namespace: 'b' } },
  ])
})

test('a pod whose namespace is not known waits, unless the selector is absent', () => {
  const unknown = inNamespace('new', 'c')
  const alone = cluster().pool('team-a')
  expect(alone.with(restricted({ namespaceSelector: {} })).schedule([unknown]).failed).toHaveLength(1)
  expect(alone.with(restricted({ schedulerNames: ['default-scheduler'] })).schedule([unknown]).failed).toEqual([])
})

test('only pods with a listed scheduler name get nodes of the NodePool', () => {
  const alone = cluster()
    .pool('team-a')
    .with(restricted({ schedulerNames: ['volcano'] }))
  const outcome = alone.schedule([inNamespace('batch', 'a', { schedulerName: 'volcano' }), inNamespace('web', 'a')])
  expect(outcome.plan.claims.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['batch'])
  expect(outcome.plan.unschedulable[0]?.reasons).toMatchObject([
    { code: 'access.scheduler', detail: { schedulerName: 'default-scheduler' } },
  ])
})

test('existing nodes of the NodePool take no other pods, also if an earlier decision planned a pod there', () => {
  const running = [node('n1', { nodePool: 'team-a' })]
  const two = inNamespace('two', 'b')
  const plannedFor = new Map([[two.metadata.uid ?? '', 'n1']])
  const outcome = pools
    .with({ ...restricted(teamA), nodes: running, plannedFor })
    .schedule([inNamespace('one', 'a'), two])
  expect(outcome.plan.placements.map(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual([['one']])
  expect(outcome.plan.claims.map(({ nodePool }) => nodePool)).toEqual(['shared'])
})

test('a pod that leaves a removed node gets no node of the NodePool', () => {
  const leaving = inNamespace('two', 'b', { nodeName: 'n1' })
  const nodes = [node('n1', { nodePool: 'shared', pods: [leaving] }), node('n2', { nodePool: 'team-a' })]
  const { snapshot } = pools.with({ ...restricted(teamA), nodes })
  const plan = indexSnapshot(snapshot, [], [[leaving]]).whatIf(['n1'])
  expect(plan.placements).toEqual([])
  expect(plan.claims.map(({ nodePool }) => nodePool)).toEqual(['shared'])
})
