import { coreVocabulary as core } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import type { EditedObjects } from './edit-forecast.ts'
import { nodesKeptByBudgets } from './eviction-budgets.ts'
import { poolChange } from './pool-change.ts'
import { claim, condition, objects, pod, pool, shownTypes, unscheduled } from './testing/cluster-objects.ts'

const selecting = (app: string, status: object, spec: object = {}, name = app) => ({
  metadata: { name, namespace: 'default' },
  spec: { selector: { matchLabels: { app } }, ...spec },
  status,
})
const FULL = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }
const running = pod('one', { nodeName: 'a' })

describe('the nodes that PodDisruptionBudgets keep', () => {
  const kept = (pods: readonly object[], budgets: readonly object[], unplaced: readonly string[] = []) => [
    ...nodesKeptByBudgets(pods, budgets, new Set(unplaced)),
  ]

  test('are those with a pod whose budget allows no disruption, or which several budgets select', () => {
    expect(kept([running], [])).toEqual([])
    expect(kept([running], [selecting('one', FULL)])).toEqual(['a'])
    expect(kept([running], [selecting('other', FULL)])).toEqual([])
    expect(kept([running], [{ ...selecting('one', FULL), metadata: { name: 'x', namespace: 'other' } }])).toEqual([])
    const open = { ...FULL, disruptionsAllowed: 1, currentHealthy: 2 }
    expect(kept([running], [selecting('one', open)])).toEqual([])
    expect(kept([running], [selecting('one', open), selecting('one', open, {}, 'second')])).toEqual(['a'])
    expect(kept([running], [selecting('one', { disruptionsAllowed: 1 })])).toEqual([])
    // The disruption controller has not computed the budget yet.
    expect(kept([running], [selecting('one', {})])).toEqual(['a'])
  })

  test('are not those whose pods the eviction API accepts, or which a drain leaves alone', () => {
    const budget = selecting('one', FULL)
    expect(kept([pod('one', { nodeName: 'a' }, { phase: 'Succeeded' })], [budget])).toEqual([])
    const tolerations = [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }]
    expect(kept([pod('one', { nodeName: 'a', tolerations })], [budget])).toEqual([])
    const mirror = { ...running, metadata: { ...running.metadata, ownerReferences: [{ kind: 'Node', name: 'a' }] } }
    expect(kept([mirror], [budget])).toEqual([])
    const unready = pod('one', { nodeName: 'a' }, { phase: 'Running', conditions: [condition('Ready', 'False')] })
    expect(kept([unready], [budget])).toEqual(['a'])
    expect(kept([unready], [selecting('one', FULL, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })])).toEqual([])
  })

  test('are not those whose budget only waits for pods that get a node', () => {
    const starting = { ...pod('two', {}, unscheduled), metadata: { ...running.metadata, name: 'two', uid: 'pod-two' } }
    const budget = selecting('one', { ...FULL, expectedPods: 2 })
    expect(kept([running, starting], [budget])).toEqual([])
    expect(kept([running, starting], [budget], ['pod-two'])).toEqual(['a'])
  })
})

test('an edit does not replace a node that a PodDisruptionBudget keeps, except with a terminationGracePeriod', () => {
  const after = structuredClone(pool())
  after.spec.template.metadata.labels.team = 'b'
  const effect = (more: Partial<EditedObjects>) => {
    const all = { ...objects(more), ...more }
    return poolChange(after, all, shownTypes(all), core)
  }
  const disruptionBudgets = [selecting('one', FULL)]
  expect(effect({})).toMatchObject({ kept: { after: 0 }, nodes: { after: 1 } })
  expect(effect({ disruptionBudgets })).toMatchObject({
    ...{ drifting: { length: 2 }, kept: { before: 0, after: 1 }, nodes: { after: 1 }, unschedulable: [] },
  })
  const graced = (name: string, zone: string) => {
    const own = claim(name, zone)
    return { ...own, spec: { ...own.spec, terminationGracePeriod: '1h' } }
  }
  expect(effect({ disruptionBudgets, claims: [graced('a', 'z1'), graced('b', 'z2')] }).kept.after).toBe(0)
  const waiting = { ...pod('two', {}, unscheduled), metadata: { ...running.metadata, name: 'two', uid: 'pod-two' } }
  const pods = [running, pod('big', { nodeName: 'b' }), waiting]
  const open = [selecting('one', { ...FULL, expectedPods: 2 })]
  expect(effect({ disruptionBudgets: open, pods }).kept.after).toBe(0)
  const nowhere = { ...waiting, spec: { ...waiting.spec, nodeSelector: { team: 'none' } } }
  expect(effect({ disruptionBudgets: open, pods: [running, nowhere] }).kept.after).toBe(1)
})
