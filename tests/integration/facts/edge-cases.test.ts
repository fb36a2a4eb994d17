import { coreVocabulary } from '@kerf/apis'
import { LabelRules } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { harness, podRequest } from './harness.ts'
import { type, usualTypes, zone1, zone2, zone3 } from './instance-types.ts'
import { key } from './keys.ts'
import {
  daemon,
  is,
  type PodTraits,
  persistentVolume,
  pod,
  running,
  spread,
  taint,
  term,
  volume,
  volumeClaim,
  web,
} from './objects.ts'
import type { Outcome } from './outcome.ts'

/**
 * This file tests the cases of `docs/spec/scheduling-edge-cases.md` that the engine's own tests do not cover. `numbered-cases.ts` lists all
 * cases by number, and docs/conformance.md says where each is tested.
 */

const rules = new LabelRules(coreVocabulary)
const both = (...specs: readonly ReturnType<typeof is>[]) => rules.requirements(specs).toString()
const full = { cpu: '0', maxPods: '0' } as const
const codes = (plan: Outcome, name: string) =>
  plan.plan.unschedulable.find((each) => each.pod.metadata.name === name)?.reasons.map(({ code }) => code) ?? []

describe('requirements', () => {
  test('a label that an instance type declares as absent satisfies requirements that exclude values', () => {
    const of = (operator: 'NotIn' | 'In' | 'Exists' | 'DoesNotExist', ...values: readonly string[]) =>
      harness()
        .only({ requirements: [is(key.instanceType, 'In', 'small')] })
        .pod('a', { needs: [is(key.special, operator, ...values)] })
        .plan().left.length === 0
    expect([of('NotIn', 'x'), of('DoesNotExist'), of('In', 'x'), of('Exists')]).toEqual([true, true, false, false])
  })

  test('a bound keeps only the numbers within it from a list of words and numbers', () => {
    expect(both(is('k', 'In', 'a', '7'), is('k', 'Gt', '5'))).toBe('k In [7]')
  })

  test('an exclusion that the bound makes unnecessary is removed', () => {
    expect(both(is('k', 'NotIn', '5'), is('k', 'Gte', '6'))).toBe('k Exists >=6')
  })

  test('the larger minValues is kept, even if no value is left', () => {
    const [a, b] = [2, 3].map((minValues) => rules.requirements([{ ...is('k', 'In', `v${minValues}`), minValues }]))
    expect(a?.merge(b ?? a).toString()).toBe('k DoesNotExist minValues 3')
  })

  test('every node satisfies an alternative without requirements', () => {
    const odd = harness().knowingly('kube-scheduler has such an alternative match nothing')
    expect(odd.pod('a', { either: [[]] }).plan().left).toEqual([])
    expect(
      odd
        .node('n')
        .pod('a', { either: [[], [is(key.zone, 'In', 'x')]] })
        .plan()
        .placeOf('a'),
    ).toBe('n')
  })

  test('of preferences with equal weights the first counts, and the pod object does not change', () => {
    const wish = (zone: string) => ({ weight: 5, of: [is(key.zone, 'In', zone)] })
    const asked = pod('a', { prefers: [{ weight: 1, of: [is(key.zone, 'In', zone1)] }, wish(zone3), wish(zone2)] })
    const before = JSON.stringify(asked)
    expect(harness().waiting(asked).plan().zoneOf('a')).toBe(zone3)
    expect(JSON.stringify(asked)).toBe(before)
  })
})

describe('loop, order, limits', () => {
  test('failed pods are tried again after every success', () => {
    const link = (name: string, to: string, cpu: number): PodTraits => ({
      labels: { app: name },
      near: [term(key.zone, { app: to })],
      cpu: `${cpu}m`,
    })
    const plan = harness()
      .pod('e', link('e', 'd', 500))
      .pod('d', link('d', 'c', 400))
      .pod('c', link('c', 'b', 300))
      .pod('b', link('b', 'a', 200))
      .pod('a', { labels: { app: 'a' }, cpu: '100m' })
      .pod('lost', link('lost', 'nobody', 600))
      .plan()
    expect(plan.left).toEqual(['lost'])
  })

  test('the claim with the fewest pods is tried first, in stable order', () => {
    // `free-0` joins b. Then c has fewer pods than b, so c is tried first. When both have two pods, c is still tried first.
    const plan = harness()
      .only({ types: [type('big', { cpu: '32', memory: '64Gi', pods: '50' })] })
      .pods(3, { cpu: '500m', selector: { [key.zone]: zone1 } }, 'a')
      .pod('b', { cpu: '400m', selector: { [key.zone]: zone2 } })
      .pod('c', { cpu: '300m', selector: { [key.zone]: zone3 } })
      .pods(3, { cpu: '100m' }, 'free')
      .plan()
    expect(plan.groups).toEqual([
      ['a-0', 'a-1', 'a-2'],
      ['b', 'free-0'],
      ['c', 'free-1', 'free-2'],
    ])
  })

  test('limits count the capacity of nodes, not the allocatable or requested amounts', () => {
    const left = (limit: string) =>
      harness()
        .only({ types: [type('default')], limits: { cpu: limit } })
        .node('n', { pool: 'default', cpu: '16', state: { allocatable: {} } })
        .pod('a')
        .plan().left
    expect([left('19'), left('20')]).toEqual([['a'], []])
  })

  describe('in simulations, a recently changed node accepts only pods that must move', () => {
    const of = (asked: ReturnType<typeof pod>, consolidation: boolean) =>
      harness()
        .node('settling', { pool: 'default', state: { underConsolidateAfter: true } })
        .node('candidate', { ...full, pods: [asked] })
        .node('going', { ...full, state: { markedForDeletion: true } })
        .waiting(asked)
        .plan({ consolidation })
        .placeOf('a')
    test.each<[string, ReturnType<typeof pod>, string]>([
      ['a pod that runs', running(pod('a'), 'candidate'), 'claim 0'],
      ['a pod that waits', pod('a'), 'settling'],
      ['a pod of a node that is being deleted', running(pod('a'), 'going'), 'settling'],
    ])('%s', (_, asked, place) => {
      expect(of(asked, true)).toBe(place)
      expect(of(asked, false)).toBe('settling')
    })
  })

  const reserved = { capacityType: 'reserved', zone: zone1, reservation: 'r', capacity: 1, price: 0.01 }
  const bookable = [type('m', { offerings: [reserved, { zone: zone1, price: 1 }] })]
  const alone: PodTraits = { labels: web, away: [term(key.host)] }

  test('a claim that would lose its reservation does not accept the pod, and the next claim is tried', () => {
    const plan = harness()
      .only({ types: bookable })
      .pod('a', { cpu: '1' })
      .pod('b', { selector: { [key.capacityType]: 'on-demand' } })
      .plan()
    expect([plan.left, plan.groups]).toEqual([[], [['a'], ['b']]])
  })

  test('if the reservation of the first pool is used up, the pod waits and keeps its preferences', () => {
    const plan = harness()
      .pool('heavy', { weight: 9, types: bookable })
      .pool('light', { types: usualTypes })
      .pods(2, { ...alone, prefers: [[is(key.arch, 'In', 'amd64')]] })
      .plan()
    expect([plan.placed, codes(plan, plan.left[0] ?? '')]).toEqual([1, ['reservation.exhausted']])
  })

  test('the same holds if an earlier pool refused for another reason', () => {
    const plan = harness()
      .pool('heavy', { weight: 9, taints: [taint('team')] })
      .pool('light', { types: bookable })
      .pods(2, { ...alone, prefers: [[is(key.arch, 'In', 'amd64')]] })
      .plan()
    expect([plan.placed, codes(plan, plan.left[0] ?? '')]).toEqual([1, ['reservation.exhausted']])
  })

  test('pools may share their lists of types, which do not change', () => {
    const frozen = <T>(value: T): T => {
      if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
        Object.freeze(value)
        Object.values(value).forEach(frozen)
      }
      return value
    }
    const types = frozen([type('b', { price: 2 }), type('a', { price: 1 }), type('c', { price: 3 })])
    const plan = harness()
      .pool('one', { types, labels: { team: 'one' } })
      .pool('two', { types, labels: { team: 'two' } })
      .pod('p', { selector: { team: 'one' } })
      .pod('q', { selector: { team: 'two' }, needs: [is(key.instanceType, 'NotIn', 'a')] })
      .plan()
    expect([plan.claimOf('p').instanceTypes, plan.claimOf('q').instanceTypes]).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ])
  })
})

describe('daemons and existing nodes', () => {
  test('a daemon’s node affinity by field is ignored; an affinity by label restricts it to that node', () => {
    const pinned = {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [is('metadata.name', 'In', 'elsewhere')] }],
          },
        },
      },
    }
    expect(
      harness()
        .daemons(daemon('d', { cpu: '15900m', spec: pinned }))
        .pod('a', { cpu: '1' })
        .plan().left,
    ).toEqual(['a'])
    const byLabel = daemon('d', { cpu: '10', needs: [is(key.host, 'In', 'n1')] })
    const cluster = harness().daemons(byLabel).node('n1', { cpu: '16' }).node('n2', { cpu: '16' })
    const plan = cluster.pods(2, { cpu: '10' }).plan()
    expect([plan.podsOn('n1').length, plan.podsOn('n2').length, plan.sizes]).toEqual([0, 1, [1]])
  })

  test('host ports of init containers do not count, and a pod does not conflict with itself', () => {
    const port = { containerPort: 80, hostPort: 8080 }
    const init: PodTraits = { initContainers: [{ name: 'i', ports: [port] }] }
    expect(harness().pods(2, init).plan().sizes).toEqual([2])
    const moving = pod('moving', { ports: [{ hostPort: 8080 }] })
    expect(
      harness()
        .node('n', { pods: [moving] })
        .waiting(moving)
        .plan()
        .placeOf('moving'),
    ).toBe('n')
  })
})

describe('volumes, requests, state', () => {
  test('while a pod shrinks, its old requests count; if a resize is infeasible, its current requests count', () => {
    const of = (spec: string, allocated: string, infeasible = false) =>
      podRequest(
        pod('p', {
          cpu: spec,
          status: {
            containerStatuses: [
              { name: 'main', resources: { requests: { cpu: allocated } }, allocatedResources: { cpu: allocated } },
            ],
            conditions: infeasible
              ? [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible', lastTransitionTime: '' }]
              : [],
          },
        }),
        'cpu',
      )
    expect([of('500m', '1'), of('4', '1'), of('4', '1', true)]).toEqual([1, 4, 1])
  })

  test('pod-level requests replace those of the containers, and overhead is added', () => {
    const three = [1, 2, 3].map((i) => ({ name: `c${i}`, resources: { requests: { cpu: '1', memory: '1Gi' } } }))
    const whole = pod('p', {
      spec: { containers: three, resources: { requests: { cpu: '1' } }, overhead: { cpu: '250m' } },
    })
    expect([podRequest(whole, 'cpu'), podRequest(whole, 'memory')]).toEqual([1.25, 3 * 2 ** 30])
  })

  test('nodes of a pool that is not ready can still accept new pods', () => {
    const plan = harness()
      .only({ notReady: true })
      .node('n', { pool: 'default', cpu: '1' })
      .pods(2, { cpu: '1' })
      .plan()
    expect([plan.podsOn('n').length, plan.left.length]).toEqual([1, 1])
  })

  test('nodes of a deleting pool can as well, but its zones count only where it has nodes', () => {
    const cluster = harness()
      .pool('stays', { requirements: [is(key.zone, 'In', zone1, zone2)] })
      .pool('goes', { requirements: [is(key.zone, 'In', zone3)], deleting: true })
    const zonal: PodTraits = { labels: web, spread: [spread(key.zone)] }
    expect(cluster.pods(4, zonal).plan().skew(key.zone)).toEqual([2, 2])
    const there = cluster
      .node('n', { pool: 'goes', zone: zone3, ...full })
      .pods(4, zonal)
      .plan()
    expect([there.skew(key.zone), there.left.length]).toEqual([[1, 1], 2])
    expect(cluster.node('n', { pool: 'goes', zone: zone3 }).pod('a').plan().placeOf('a')).toBe('n')
  })

  test('a pool without instance types adds no zones and launches nothing', () => {
    const plan = harness()
      .pool('empty', { types: [], requirements: [is(key.arch, 'Exists')], weight: 9 })
      .pool('full', { requirements: [is(key.zone, 'In', zone1)] })
      .pods(2, { labels: web, spread: [spread(key.zone)] })
      .plan()
    expect([plan.left, plan.claims.map(({ nodePool }) => nodePool)]).toEqual([[], ['full']])
  })

  test('minValues of a label that no instance type has cannot be satisfied', () => {
    const needs = [{ ...is('custom', 'Exists'), minValues: 1 }]
    expect(harness().only({ requirements: needs }).pod('a').plan().left).toEqual(['a'])
    const loose = harness().only({ requirements: needs }).pod('a').plan({ minValuesPolicy: 'BestEffort' })
    expect([loose.left, loose.claim.minValuesRelaxed]).toEqual([[], true])
  })

  test('if no instance type fits one alternative of a volume, the next alternative is used', () => {
    const plan = harness()
      .only({ types: [type('here', { zones: [zone1], cpu: '2' }), type('there', { zones: [zone3] })] })
      .storage({
        persistentVolumes: [persistentVolume('pv', [[is(key.zone, 'In', zone1)], [is(key.zone, 'In', zone3)]])],
        persistentVolumeClaims: [volumeClaim('data', { volume: 'pv' })],
      })
      .pod('a', { cpu: '3', volumes: [volume('data')] })
      .plan()
    expect([plan.zoneOf('a'), plan.typeOf('a')]).toEqual([zone3, 'there'])
  })

  test('a moving pod whose claim was deleted is placed without it, also on existing nodes', () => {
    const moving = running(pod('a', { volumes: [volume('gone')] }), 'old')
    const plan = harness()
      .node('old', { pods: [moving], state: { markedForDeletion: true } })
      .node('n')
      .waiting(moving)
      .plan()
    expect(plan.placeOf('a')).toBe('n')
  })

  test('priority does not determine the order, so virtual pods are mixed with real ones', () => {
    const one = harness().only({ limits: { cpu: '4' }, types: [type('default', { pods: '1' })] })
    const virtual = { uid: 'a', spec: { priority: -(2 ** 31) } }
    const plan = one
      .pod('virtual', virtual)
      .pod('real', { uid: 'b', spec: { priority: 1000 } })
      .plan()
    expect(plan.left).toEqual(['real'])
    const older = { created: '2025-12-31T00:00:00Z', uid: 'c' }
    expect(one.pod('virtual', virtual).pod('real', older).plan().left).toEqual(['virtual'])
  })
})
