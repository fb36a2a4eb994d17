import type { Milliseconds, Pod } from '@kerf/apis'
import { type PodOptions, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { SchedulingQueue } from './scheduling-queue.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString()
const now = (seconds: number): Milliseconds => START + seconds * 1_000

type Spec = NonNullable<PodOptions['spec']>

/** Creates a pod that kube-scheduler has not tried yet. */
const untried = (name: string, created: number, spec: Spec = {}): Pod =>
  pod(name, { metadata: { creationTimestamp: at(created) }, spec, status: { phase: 'Pending', conditions: [] } })

const answered = (name: string, created: number, when: number, spec: Spec = {}, reason = 'Unschedulable'): Pod => {
  const condition = { type: 'PodScheduled', status: 'False', reason, lastTransitionTime: at(when) } as const
  return pod(name, { metadata: { creationTimestamp: at(created) }, spec, status: { conditions: [condition] } })
}

const queueAfter = (...pods: readonly Pod[]): SchedulingQueue => {
  const queue = new SchedulingQueue()
  for (const each of pods) queue.put(each)
  return queue
}
const names = (pods: Iterable<Pod>): readonly string[] => Array.from(pods, ({ metadata }) => metadata.name)

test('pods that are newer than the tried pods are in the queue, if the oldest of them has waited two seconds', () => {
  const queue = queueAfter(answered('a', 0, 10))
  expect(names(queue.waitingIn([untried('b', 1), untried('c', 9)], now(10)))).toEqual(['b', 'c'])
  expect(names(queue.waitingIn([untried('b', 9), untried('c', 9)], now(10)))).toEqual([])
})

test('a pod that is older than a tried pod is not in the queue', () => {
  const queue = queueAfter(answered('a', 6, 10))
  expect(names(queue.waitingIn([untried('held', 0), untried('b', 7)], now(10)))).toEqual(['b'])
})

test('the order of two pods that were created within a second is unknown', () => {
  expect(names(queueAfter(answered('a', 6, 10)).waitingIn([untried('b', 5)], now(10)))).toEqual(['b'])
})

test('the queue counts as empty if kube-scheduler has tried no pod for ten seconds', () => {
  const queue = queueAfter(answered('impossible', 0, 1))
  expect(names(queue.waitingIn([untried('held', 5)], now(12)))).toEqual([])
  queue.put(answered('b', 3, 8))
  expect(names(queue.waitingIn([untried('held', 5)], now(12)))).toEqual(['held'])
})

test('pods of higher priority are tried first, so they show nothing about pods of lower priority', () => {
  const queue = queueAfter(answered('a', 0, 9), answered('urgent', 8, 10, { priority: 100 }))
  expect(names(queue.waitingIn([untried('b', 1), untried('held', 1, { priority: 100 })], now(10)))).toEqual(['b'])
})

test('if a pod of lower priority was tried, no pod of higher priority is in the queue', () => {
  const queue = queueAfter(answered('a', 8, 10))
  expect(names(queue.waitingIn([untried('held', 1, { priority: 100 })], now(10)))).toEqual([])
})

test('each scheduler has its own queue', () => {
  const queue = queueAfter(answered('a', 0, 10))
  const others = { schedulerName: 'batch' }
  expect(names(queue.waitingIn([untried('b', 1, others)], now(10)))).toEqual([])
  queue.put(answered('c', 0, 10, others))
  expect(names(queue.waitingIn([untried('b', 1, others), untried('new', 10)], now(10)))).toEqual(['b'])
})

test('bound pods count as tried, and pods with scheduling gates or without times are ignored', () => {
  const gated = answered('gated', 8, 10, {}, 'SchedulingGated')
  const timeless = pod('timeless', { status: { conditions: [{ type: 'PodScheduled', status: 'False' }] } })
  expect(names(queueAfter(gated, timeless).waitingIn([untried('b', 1)], now(10)))).toEqual([])
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: at(10) } as const
  const bound = pod('bound', {
    nodeName: 'n',
    metadata: { creationTimestamp: at(0) },
    status: { conditions: [scheduled] },
  })
  expect(names(queueAfter(bound).waitingIn([untried('b', 1)], now(10)))).toEqual(['b'])
})

test('only the first pods are read to find that the queue is long', () => {
  let read = 0
  const many = function* (): Iterable<Pod> {
    for (; read < 1_000; read++) yield untried(`b-${read}`, read < 2 ? 9 : 1)
  }
  const found = queueAfter(answered('a', 0, 10))
    .waitingIn(many(), now(10))
    [Symbol.iterator]()
  expect(found.next().value?.metadata.name).toBe('b-0')
  expect(read).toBe(2)
  expect(names({ [Symbol.iterator]: () => found }).length).toBe(999)
})

test('if kube-scheduler has tried no pod, none is read', () => {
  const never: Iterable<Pod> = {
    [Symbol.iterator]: () => {
      throw new Error('looked at')
    },
  }
  expect(names(queueAfter(answered('a', 0, 1)).waitingIn(never, now(12)))).toEqual([])
})
