import { kinds, type PodDisruptionBudget } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { ManualInformers } from '../testing/by-hand/manual-informers.ts'
import { PodDisruptionBudgets } from './pod-disruption-budgets.ts'

const budget = (
  name: string,
  spec: PodDisruptionBudget['spec'],
  allowed = 1,
  namespace = 'default',
): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  status: { disruptionsAllowed: allowed },
})

const web = pod('web', { nodeName: 'a', metadata: { labels: { app: 'web' } } })
const unready = { ...web, status: { ...web.status, conditions: [{ type: 'Ready', status: 'False' as const }] } }

const ask = (budgets: readonly PodDisruptionBudget[], of = web) => {
  const informers = new ManualInformers()
  informers.put(kinds.PodDisruptionBudget, ...budgets)
  const asked = new PodDisruptionBudgets(informers)
  const names = (when: 'now' | 'ever') => asked.blocking(of, when, 0).map(({ metadata }) => metadata.name)
  return { now: names('now'), ever: names('ever'), reschedulable: asked.isCurrentlyReschedulable(of, 0) }
}
const free = { now: [], ever: [], reschedulable: true }
const blocked = { now: ['b'], ever: ['b'], reschedulable: false }

describe('a pod is blocked by', () => {
  test.each<[string, readonly PodDisruptionBudget[], ReturnType<typeof ask>]>([
    ['no budget', [], free],
    ['one with room', [budget('b', { maxUnavailable: 1 })], free],
    ['one without room now', [budget('b', { maxUnavailable: 1 }, 0)], { ...free, now: ['b'] }],
    ['one that never has room: 0', [budget('b', { maxUnavailable: 0 }, 0)], blocked],
    ['one that never has room: 0%', [budget('b', { maxUnavailable: '0%' }, 0)], blocked],
    ['one that never has room: 100%', [budget('b', { minAvailable: '100%' }, 0)], blocked],
    ['a count equal to the replicas is not for ever', [budget('b', { minAvailable: 3 }, 0)], { ...free, now: ['b'] }],
    ['one of another namespace', [budget('b', { maxUnavailable: 0 }, 0, 'other')], free],
    ['one that selects nothing', [{ ...budget('b', {}, 0), spec: { maxUnavailable: 0 } }], free],
    ['one of another label', [budget('b', { maxUnavailable: 0, selector: { matchLabels: { team: 'web' } } }, 0)], free],
    [
      'one of two labels of which it has one',
      [budget('b', { maxUnavailable: 0, selector: { matchLabels: { app: 'web', team: 'a' } } }, 0)],
      free,
    ],
    [
      'one that selects by an expression',
      [budget('b', { maxUnavailable: 0, selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }, 0)],
      blocked,
    ],
    ['one that selects everything', [budget('b', { maxUnavailable: 0, selector: {} }, 0)], blocked],
  ])('%s', (_, budgets, expected) => expect(ask(budgets)).toEqual(expected))

  test('several budgets, whatever they say: the eviction API refuses', () => {
    const two = [budget('b', { maxUnavailable: 5 }), budget('c', { maxUnavailable: 5 })]
    expect(ask(two)).toEqual({ now: ['b', 'c'], ever: ['b', 'c'], reschedulable: false })
  })

  test('no budget if it is unhealthy and may be evicted then', () => {
    const spec = { maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' } as const
    expect(ask([budget('b', spec, 0)], unready)).toEqual(free)
    expect(ask([budget('b', { maxUnavailable: 0 }, 0)], unready)).toEqual(blocked)
    expect(ask([budget('b', spec, 0)])).toEqual(blocked)
  })
})

test('versions increase when an answer may change, not with every counted pod', () => {
  const informers = new ManualInformers()
  const budgets = new PodDisruptionBudgets(informers)
  const versions = (): readonly number[] => [budgets.version, budgets.specVersion]
  const steps = [
    budget('b', { maxUnavailable: 3 }, 3),
    budget('b', { maxUnavailable: 3 }, 2),
    budget('b', { maxUnavailable: 3 }, 0),
    budget('b', { maxUnavailable: 0 }, 0),
  ].map((each) => {
    informers.put(kinds.PodDisruptionBudget, each)
    return versions()
  })
  expect(steps).toEqual([
    [1, 1],
    [1, 1],
    [2, 1],
    [3, 2],
  ])
  informers.of(kinds.PodDisruptionBudget).delete('default/b')
  expect(versions()).toEqual([4, 3])
})
