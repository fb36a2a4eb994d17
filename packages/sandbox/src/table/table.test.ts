import { describe, expect, test } from 'vitest'
import { humanDuration } from './human-duration.ts'
import { jsonPath } from './json-path.ts'
import { podSummary } from './pod-cells.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each([
  [-5 * second, '<invalid>'],
  [0, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [2 * minute + 5 * second, '2m5s'],
  [10 * minute + 5 * second, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [3 * hour + 4 * minute, '3h4m'],
  [8 * hour + 59 * minute, '8h'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [3 * day + 7 * hour, '3d7h'],
  [8 * day + 7 * hour, '8d'],
  [729 * day, '729d'],
  [730 * day, '2y'],
  [3 * 365 * day + 9 * day, '3y9d'],
  [9 * 365 * day, '9y'],
])('%d ms are shown as %s', (duration, text) => expect(humanDuration(duration)).toBe(text))

describe('the status of a pod', () => {
  const now = Date.UTC(2026, 0, 1, 1)
  const running = (ready: boolean) => ({ name: 'a', ready, restartCount: 0, state: { running: {} } })
  test.each<[string, object, { ready: string; status: string; restarts: string }]>([
    ['pending', { status: { phase: 'Pending' } }, { ready: '0/1', status: 'Pending', restarts: '0' }],
    [
      'running',
      { status: { phase: 'Running', containerStatuses: [running(true)] } },
      { ready: '1/1', status: 'Running', restarts: '0' },
    ],
    [
      'waiting',
      {
        status: {
          phase: 'Pending',
          containerStatuses: [{ name: 'a', restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }],
        },
      },
      { ready: '0/1', status: 'ContainerCreating', restarts: '0' },
    ],
    [
      'restarted',
      {
        status: {
          phase: 'Running',
          containerStatuses: [
            { ...running(true), restartCount: 2, lastState: { terminated: { finishedAt: '2026-01-01T00:55:00Z' } } },
          ],
        },
      },
      { ready: '1/1', status: 'Running', restarts: '2 (5m ago)' },
    ],
    [
      'stopping',
      {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
        status: { phase: 'Running', containerStatuses: [running(true)] },
      },
      { ready: '1/1', status: 'Terminating', restarts: '0' },
    ],
    [
      'gated',
      {
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
        },
      },
      { ready: '0/1', status: 'SchedulingGated', restarts: '0' },
    ],
    [
      'ended',
      {
        status: {
          phase: 'Succeeded',
          containerStatuses: [
            { name: 'a', restartCount: 0, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          ],
        },
      },
      { ready: '0/1', status: 'Completed', restarts: '0' },
    ],
    [
      'initialising',
      {
        spec: { containers: [{ name: 'a' }], initContainers: [{ name: 'i' }, { name: 'j' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            { name: 'i', state: { terminated: { exitCode: 0 } } },
            { name: 'j', state: { running: {} } },
          ],
        },
      },
      { ready: '0/1', status: 'Init:1/2', restarts: '0' },
    ],
  ])('%s', (_, pod, expected) =>
    expect(podSummary({ spec: { containers: [{ name: 'a' }] }, ...pod }, now)).toEqual(expected),
  )
})

test.each<[string, unknown[]]>([
  ['.a.b', [1]],
  ['.list[1].n', [2]],
  ['.list[*].n', [1, 2]],
  ['.list[?(@.t=="x")].n', [2]],
  ['.list[?(@.t == "none")].n', []],
  [".labels['a.b/c']", ['v']],
  ['.labels.a\\.b/c', ['v']],
  ['.none.at.all', []],
])('%s reads %j', (path, expected) => {
  const object = { a: { b: 1 }, list: [{ n: 1 }, { n: 2, t: 'x' }], labels: { 'a.b/c': 'v' } }
  expect(jsonPath(object, path)).toEqual(expected)
})
