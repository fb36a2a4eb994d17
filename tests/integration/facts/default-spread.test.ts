import type { Service } from '@kerf/apis'
import type { ClusterSnapshot } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { zone1 } from './instance-types.ts'
import { key } from './keys.ts'
import { is, type LabelMap, type PodTraits, pod, spread } from './objects.ts'

type Owner = NonNullable<ClusterSnapshot['podOwners']>[number]
type Default = Parameters<ReturnType<typeof harness>['options']>[0]['defaultSpreadConstraints']

const byHost: Default = [{ topologyKey: key.host, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }]
const byZone: Default = [{ topologyKey: key.zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }]
const web: LabelMap = { app: 'web' }

const owner = (kind: string, selector: Owner['spec']['selector'] | undefined, name = 'owner'): Owner => ({
  apiVersion: kind === 'ReplicationController' ? 'v1' : 'apps/v1',
  kind,
  metadata: { name, namespace: 'default', uid: name },
  spec: selector === undefined ? {} : { selector },
})
const inOther = (of: Owner): Owner => ({ ...of, metadata: { ...of.metadata, namespace: 'other' } })
const ownedBy = (kind: string, name = 'owner', controller = true): NonNullable<PodTraits['owner']> => ({
  apiVersion: kind === 'ReplicationController' ? 'v1' : 'apps/v1',
  kind,
  name,
  uid: name,
  controller,
})
const service = (name: string, selector: LabelMap | undefined, namespace = 'default'): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace },
  spec: selector === undefined ? {} : { selector },
})

const replicaSet = harness()
  .options({ defaultSpreadConstraints: byHost })
  .owners(owner('ReplicaSet', { matchLabels: web }))
const mine: PodTraits = { labels: web, owner: ownedBy('ReplicaSet') }

describe('Default constraints', () => {
  test('Default constraints: apply to zone and host if the pod has no spread constraints', () => {
    expect(replicaSet.pods(3, mine).plan().sizes).toEqual([1, 1, 1])
    const zonal = replicaSet.options({ defaultSpreadConstraints: byZone }).pods(6, mine).plan()
    expect(zonal.skew(key.zone)).toEqual([2, 2, 2])
  })
  test('Default constraints: the pod’s spread constraints replace all of them', () => {
    const own = { ...mine, spread: [spread(key.zone, { maxSkew: 5 })] }
    expect(replicaSet.pods(3, own).plan().sizes).toEqual([3])
  })
  test('Default constraints: minDomains and impossible constraints have the same effect as in a pod', () => {
    const zonal = (more: object) =>
      replicaSet
        .options({ defaultSpreadConstraints: byZone.map((each) => ({ ...each, ...more })) })
        .only({ requirements: [is(key.zone, 'In', zone1)] })
        .pods(2, mine)
        .plan()
    expect(zonal({ minDomains: 3 }).left).toHaveLength(1)
    const unknown = { topologyKey: 'unknown' }
    expect(zonal(unknown).left).toHaveLength(2)
    expect(zonal({ ...unknown, whenUnsatisfiable: 'ScheduleAnyway' }).left).toEqual([])
  })
  test('Default constraints: without them, or for pods without owner and service, nothing changes', () => {
    expect(replicaSet.options({ defaultSpreadConstraints: [] }).pods(3, mine).plan().sizes).toEqual([3])
    expect(replicaSet.pods(3, { labels: web }).plan().sizes).toEqual([3])
  })
  test('Default constraints: pods that already run are counted', () => {
    const plan = replicaSet
      .node('n', { pods: [pod('there', mine)] })
      .pod('a', mine)
      .plan()
    expect(plan.placeOf('a')).toBe('claim 0')
  })
  test('Default constraints: workloads, and revisions of a workload, spread separately', () => {
    const revision = (hash: string): PodTraits => ({
      labels: { ...web, 'pod-template-hash': hash },
      owner: ownedBy('ReplicaSet', hash),
    })
    const plan = harness()
      .options({ defaultSpreadConstraints: byHost })
      .owners(
        ...['a', 'b'].map((hash) => owner('ReplicaSet', { matchLabels: { ...web, 'pod-template-hash': hash } }, hash)),
      )
      .pods(2, revision('a'), 'a')
      .pods(2, revision('b'), 'b')
      .plan()
    expect(plan.sizes).toEqual([2, 2])
  })
  test('Default constraints: a service is enough to determine which pods to count', () => {
    const plan = harness()
      .options({ defaultSpreadConstraints: byHost })
      .services(service('s', web))
      .pods(3, { labels: web })
      .plan()
    expect(plan.sizes).toEqual([1, 1, 1])
  })
})

/**
 * Returns the number of nodes that three pods get if the default is one pod per host: 3 if the derived selector selects the pods, otherwise
 * 1.
 */
const nodes = (more: {
  readonly owners?: readonly Owner[]
  readonly services?: readonly Service[]
  readonly traits: PodTraits
}): number =>
  harness()
    .options({ defaultSpreadConstraints: byHost })
    .namespace('default')
    .namespace('other')
    .owners(...(more.owners ?? []))
    .services(...(more.services ?? []))
    .pods(3, more.traits)
    .plan().sizes.length

describe('Default spread: which pods are counted because of the owner', () => {
  const labels = { app: 'web', hash: 'x' }
  test.each<[string, Owner | undefined, PodTraits, number]>([
    ['a ReplicaSet’s selector', owner('ReplicaSet', { matchLabels: web }), { labels, owner: ownedBy('ReplicaSet') }, 3],
    ['a StatefulSet’s', owner('StatefulSet', { matchLabels: web }), { labels, owner: ownedBy('StatefulSet') }, 3],
    [
      'expressions as they are',
      owner('ReplicaSet', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }),
      { labels, owner: ownedBy('ReplicaSet') },
      3,
    ],
    [
      'a ReplicationController’s',
      owner('ReplicationController', web),
      { labels, owner: ownedBy('ReplicationController') },
      3,
    ],
    [
      'no other kind',
      owner('Job', { matchLabels: web }),
      { labels, owner: { ...ownedBy('Job'), apiVersion: 'batch/v1' } },
      1,
    ],
    [
      'nobody but the controller',
      owner('ReplicaSet', { matchLabels: web }),
      { labels, owner: ownedBy('ReplicaSet', 'owner', false) },
      1,
    ],
    [
      'no owner of the same name in another namespace',
      inOther(owner('ReplicaSet', { matchLabels: web })),
      { labels, owner: ownedBy('ReplicaSet') },
      1,
    ],
    ['no owner that is gone', undefined, { labels, owner: ownedBy('ReplicaSet') }, 1],
  ])('%s', (_, of, traits, expected) => {
    expect(nodes({ traits, ...(of === undefined ? {} : { owners: [of] }) })).toBe(expected)
  })
  test('labels that differ from pod to pod do not matter', () => {
    const plan = harness()
      .options({ defaultSpreadConstraints: byHost })
      .owners(owner('StatefulSet', { matchLabels: web }))
      .pod('a', { labels: { ...web, ordinal: '0' }, owner: ownedBy('StatefulSet') })
      .pod('b', { labels: { ...web, ordinal: '1' }, owner: ownedBy('StatefulSet') })
      .plan()
    expect(plan.sizes).toEqual([1, 1])
  })
})

describe('Default spread: which pods are counted because of services', () => {
  const labels = { app: 'web', tier: 'front' }
  test.each<[string, readonly Service[], number]>([
    ['one that matches', [service('s', web)], 3],
    ['all that match, together', [service('s', web), service('t', { tier: 'front' })], 3],
    ['none that does not match', [service('s', { app: 'other' })], 1],
    ['none without a selector', [service('s', undefined)], 1],
    ['an empty selector adds nothing', [service('s', {})], 1],
    ['none of another namespace', [service('s', web, 'other')], 1],
  ])('%s', (_, services, expected) => expect(nodes({ services, traits: { labels } })).toBe(expected))

  test('the selectors of the services and of the owner must all match', () => {
    const of = (pods: readonly PodTraits[]) => {
      let cluster = harness()
        .options({ defaultSpreadConstraints: byHost })
        .owners(owner('ReplicaSet', { matchLabels: web }))
        .services(service('s', { tier: 'front' }))
      for (const [index, traits] of pods.entries()) cluster = cluster.pod(`p${index}`, traits)
      return cluster.plan().sizes.length
    }
    const front = { labels, owner: ownedBy('ReplicaSet') }
    const back = { labels: { app: 'web', tier: 'back' }, owner: ownedBy('ReplicaSet') }
    // A pod with tier `front` counts only pods with tier `front`. The `back` pod requests more CPU, so it is planned first, and the `front`
    // pod may then run on its node.
    expect(of([front, front])).toBe(2)
    expect(of([front, { ...back, cpu: '1m' }])).toBe(1)
  })

  test('a ReplicationController overrides a service; if a ReplicaSet contradicts a service, no pods are counted', () => {
    const services = [service('s', web)]
    const traits: PodTraits = { labels: web, owner: ownedBy('ReplicationController') }
    expect(nodes({ services, owners: [owner('ReplicationController', { app: 'other' })], traits })).toBe(1)
    const contradicting = owner('ReplicaSet', { matchLabels: { app: 'other' } })
    expect(nodes({ services, owners: [contradicting], traits: { labels: web, owner: ownedBy('ReplicaSet') } })).toBe(1)
  })
})

test('Default spread: selectors are found for each set of labels and each namespace separately', () => {
  const plan = harness()
    .options({ defaultSpreadConstraints: byHost })
    .namespace('default')
    .namespace('other')
    .services(service('s', web), service('t', { app: 'b' }, 'other'))
    .pods(2, { labels: web }, 'web')
    .pods(2, { labels: web, namespace: 'other' }, 'elsewhere')
    .pods(2, { labels: { app: 'b' }, namespace: 'other' }, 'b')
    .plan()
  expect(plan.placeOf('web-0')).not.toBe(plan.placeOf('web-1'))
  expect(plan.placeOf('b-0')).not.toBe(plan.placeOf('b-1'))
  expect(plan.sizes).toHaveLength(2)
})

test('Default spread: injected constraints do not modify the pod object, and keep all fields of the default', () => {
  const asked = pod('a', { labels: web })
  const before = JSON.stringify(asked)
  const soft: Default = [{ topologyKey: key.host, maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule' }]
  const plan = harness()
    .options({ defaultSpreadConstraints: soft })
    .services(service('s', web))
    .waiting(asked)
    .pods(4, { labels: web })
    .plan()
  expect(plan.sizes).toEqual([2, 2, 1])
  expect(JSON.stringify(asked)).toBe(before)
})
