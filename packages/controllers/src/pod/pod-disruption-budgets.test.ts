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

describe('the PodDisruptionBudgets that block a pod', () => {
  test.each<[string, readonly PodDisruptionBudget[], ReturnType<typeof ask>]>([
    ['there is no budget', [], free],
    ['a budget that allows a disruption', [budget('b', { maxUnavailable: 1 })], free],
    ['a budget that allows none at this moment', [budget('b', { maxUnavailable: 1 }, 0)], { ...free, now: ['b'] }],
    ['a budget that never allows any: 0', [budget('b', { maxUnavailable: 0 }, 0)], blocked],
    ['a budget that never allows any: 0%', [budget('b', { maxUnavailable: '0%' }, 0)], blocked],
    ['a budget that never allows any: 100%', [budget('b', { minAvailable: '100%' }, 0)], blocked],
    ['a count that equals the number of replicas', [budget('b', { minAvailable: 3 }, 0)], { ...free, now: ['b'] }],
    ['a budget in another namespace', [budget('b', { maxUnavailable: 0 }, 0, 'other')], free],
    ['a budget that selects nothing', [{ ...budget('b', {}, 0), spec: { maxUnavailable: 0 } }], free],
    [
      'a budget that selects another label',
      [budget('b', { maxUnavailable: 0, selector: { matchLabels: { team: 'web' } } }, 0)],
      free,
    ],
    [
      'a budget that selects two labels, of which the pod has one',
      [budget('b', { maxUnavailable: 0, selector: { matchLabels: { app: 'web', team: 'a' } } }, 0)],
      free,
    ],
    [
      'a budget that selects by an expression',
      [budget('b', { maxUnavailable: 0, selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }, 0)],
      blocked,
    ],
    ['a budget that selects everything', [budget('b', { maxUnavailable: 0, selector: {} }, 0)], blocked],
  ])('%s', (_, budgets, expected) => expect(ask(budgets)).toEqual(expected))

  test('all budgets if there are several, because the eviction API refuses such a pod', () => {
    const two = [budget('b', { maxUnavailable: 5 }), budget('c', { maxUnavailable: 5 })]
    expect(ask(two)).toEqual({ now: ['b', 'c'], ever: ['b', 'c'], reschedulable: false })
  })

  test('none if the pod is unhealthy and the budget allows the eviction of unhealthy pods', () => {
    const spec = { maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' } as const
    expect(ask([budget('b', spec, 0)], unready)).toEqual(free)
    expect(ask([budget('b', { maxUnavailable: 0 }, 0)], unready)).toEqual(blocked)
    expect(ask([budget('b', spec, 0)])).toEqual(blocked)
  })
})

test('versions increase when a result may change, and not with every pod that a status counts', () => {
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
