import { formatTime, type Pod } from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { deletionOrder } from './deletion-order.ts'

const now = Date.UTC(2026, 0, 2)

const pod = (
  name: string,
  more: {
    readonly node?: string
    readonly phase?: 'Pending' | 'Running'
    readonly readyFor?: number
    readonly cost?: string
    readonly restarts?: number
    readonly age?: number
  } = {},
): Pod => {
  const { node = name, phase = 'Running', readyFor = 10_000, cost, restarts = 0, age = 20_000 } = more
  const lastTransitionTime = formatTime(now - readyFor * 1000)
  return buildPod(name, {
    spec: { containers: [], ...(node === '' ? {} : { nodeName: node }) },
    phase,
    status: {
      conditions: [{ type: 'Ready', status: readyFor < 0 ? 'False' : 'True', lastTransitionTime }],
      containerStatuses: [{ name: 'main', restartCount: restarts }],
    },
    annotations: cost === undefined ? undefined : { 'controller.kubernetes.io/pod-deletion-cost': cost },
    metadata: { uid: name, creationTimestamp: formatTime(now - age * 1000) },
  })
}

test('pods are deleted in the order of the real controller', () => {
  const pods = [
    pod('dear', { cost: '10' }),
    pod('plain'),
    pod('young', { age: 1000 }),
    pod('restarted', { restarts: 3 }),
    pod('fresh', { readyFor: 10 }),
    pod('doubled-1', { node: 'same' }),
    pod('doubled-2', { node: 'same' }),
    pod('cheap', { cost: '-5' }),
    pod('unready', { readyFor: -1 }),
    pod('pending', { phase: 'Pending', readyFor: -1 }),
    pod('unassigned', { node: '', phase: 'Pending', readyFor: -1 }),
    pod('unreadable', { cost: '+1.5' }),
  ]
  expect(deletionOrder(pods, now).map((one) => one.metadata.name)).toEqual([
    'unassigned',
    'pending',
    'unready',
    'cheap',
    'doubled-1',
    'doubled-2',
    'fresh',
    'restarted',
    'young',
    'plain',
    'unreadable',
    'dear',
  ])
})
