import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { PodTimings } from './pod-timings.ts'

test('only the first decision about a pod is timed', () => {
  const spans: number[] = []
  const timings = new PodTimings((span) => spans.push(span))
  const one = pod('one')
  timings.acknowledge(one, 1_000)
  timings.acknowledge(one, 9_000)
  timings.markUnschedulable(one, 3_000)
  timings.markSchedulable(one, 5_000, true)
  expect(spans).toEqual([2_000])
  timings.markSchedulable(pod('unnoticed'), 5_000, true)
  expect(spans).toEqual([2_000])
})

test('the time when a pod became schedulable is set once and cleared by a refusal; the health is that of the pool', () => {
  const timings = new PodTimings(() => {})
  const one = pod('one')
  timings.markSchedulable(one, 1_000, false)
  expect([timings.schedulableAt(one), timings.healthySchedulableAt(one)]).toEqual([1_000, undefined])
  timings.markSchedulable(one, 2_000, true)
  expect([timings.schedulableAt(one), timings.healthySchedulableAt(one)]).toEqual([1_000, 2_000])
  timings.markSchedulable(one, 3_000, true)
  expect(timings.healthySchedulableAt(one)).toBe(2_000)
  timings.markUnschedulable(one, 4_000)
  expect([timings.schedulableAt(one), timings.healthySchedulableAt(one)]).toEqual([undefined, undefined])
})

test('bound pods are not timed, and timings of deleted pods are dropped', () => {
  const timings = new PodTimings(() => {})
  timings.markSchedulable(pod('bound', { nodeName: 'a' }), 1_000, true)
  expect(timings.size).toBe(0)
  timings.acknowledge(pod('one'), 1_000)
  timings.forget(pod('one'))
  expect(timings.size).toBe(0)
})
