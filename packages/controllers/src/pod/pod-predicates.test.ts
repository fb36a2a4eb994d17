import { annotations, isActive, type Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import {
  isDisruptable,
  isDrainable,
  isEvictable,
  isProvisionable,
  isReschedulable,
  isUntried,
  isWaitingEviction,
  readDoNotDisrupt,
  usesDevices,
} from './pod-predicates.ts'

const NOW = Date.parse('2026-01-01T01:00:00Z')
const ago = (seconds: number): string => new Date(NOW - seconds * 1_000).toISOString()

const running = (change: Parameters<typeof pod>[1] = {}): Pod => pod('p', { nodeName: 'a', ...change })
const owned = (apiVersion: string, kind: string): Pod => running({ owner: { apiVersion, kind } })
const terminating = (seconds: number, change: Parameters<typeof pod>[1] = {}): Pod =>
  running({ ...change, metadata: { ...change?.metadata, deletionTimestamp: ago(seconds) } })
const ended = running({ phase: 'Succeeded' })
const tolerant = running({ spec: { tolerations: [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }] } })
const marked = (value: string, startedAgo?: number): Pod =>
  running({
    metadata: { annotations: { [annotations.doNotDisrupt]: value } },
    ...(startedAgo === undefined ? {} : { status: { startTime: ago(startedAgo) } }),
  })

describe('whether Kerf may launch a node for a pod', () => {
  const gaveUp = pod('p').status?.conditions ?? []
  test.each<[string, Pod, boolean]>([
    ['that kube-scheduler refused', pod('p'), true],
    [
      'whatever the status of the condition',
      pod('p', {
        status: { conditions: [{ ...gaveUp[0], type: 'PodScheduled', status: 'True', reason: 'Unschedulable' }] },
      }),
      true,
    ],
    ['that is bound', running(), false],
    ['that preempts others', pod('p', { status: { conditions: gaveUp, nominatedNodeName: 'a' } }), false],
    ['that kube-scheduler has not tried', pod('p', { status: { conditions: [] } }), false],
    ['of a DaemonSet', pod('p', { owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } }), false],
    ['of a Node (static pod)', pod('p', { owner: { apiVersion: 'v1', kind: 'Node' } }), false],
    [
      'of a DaemonSet in another API group',
      pod('p', { owner: { apiVersion: 'example.com/v1', kind: 'DaemonSet' } }),
      true,
    ],
  ])('%s', (_, of, expected) => expect(isProvisionable(of)).toBe(expected))
})

describe('whether kube-scheduler has not tried a pod yet', () => {
  const fresh = (change: Parameters<typeof pod>[1] = {}): Pod =>
    pod('p', { ...change, status: { conditions: [], ...change?.status } })
  test.each<[string, Pod, boolean]>([
    ['that is new', fresh(), true],
    ['with another condition', fresh({ status: { conditions: [{ type: 'Initialized', status: 'True' }] } }), true],
    ['that kube-scheduler refused', pod('p'), false],
    ['that is bound', running({ status: { conditions: [] } }), false],
    ['that is nominated', fresh({ status: { nominatedNodeName: 'a' } }), false],
    ['that is terminating', fresh({ metadata: { deletionTimestamp: ago(1) } }), false],
    ['with a scheduling gate', fresh({ spec: { schedulingGates: [{ name: 'example.com/wait' }] } }), false],
    ['of a group', fresh({ spec: { schedulingGroup: { podGroupName: 'gang' } } }), false],
    ['of a group, before Kubernetes 1.36', fresh({ spec: { workloadRef: { name: 'gang' } } }), false],
    ['with a resource claim', fresh({ spec: { resourceClaims: [{ name: 'gpu' }] } }), false],
    ['of a DaemonSet', fresh({ owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } }), false],
    ['of a Node (static pod)', fresh({ owner: { apiVersion: 'v1', kind: 'Node' } }), false],
  ])('%s', (_, of, expected) => expect(isUntried(of)).toBe(expected))
})

test('a pod is active if it is neither finished nor terminating', () => {
  expect([running(), ended, running({ phase: 'Failed' }), terminating(1)].map(isActive)).toEqual([
    true,
    false,
    false,
    false,
  ])
})

describe('whether a pod is reschedulable when its node is deleted', () => {
  const stateful = { owner: { apiVersion: 'apps/v1', kind: 'StatefulSet' } }
  test.each<[string, Pod, boolean]>([
    ['that is running', running(), true],
    ['that has finished', ended, false],
    ['that is terminating', terminating(1), false],
    ['of a StatefulSet that is terminating', terminating(1, stateful), true],
    ['of a DaemonSet', owned('apps/v1', 'DaemonSet'), false],
    ['of a Node (mirror pod)', owned('v1', 'Node'), false],
  ])('%s', (_, of, expected) => expect(isReschedulable(of)).toBe(expected))
})

describe('do-not-disrupt', () => {
  test.each<[string, Pod, ReturnType<typeof readDoNotDisrupt>]>([
    ['absent', running(), { kind: 'absent' }],
    ['true', marked('true'), { kind: 'forever' }],
    ['false', marked('false'), { kind: 'invalid', text: 'false' }],
    ['zero', marked('0s', 5), { kind: 'invalid', text: '0s' }],
    ['negative', marked('-5m', 5), { kind: 'invalid', text: '-5m' }],
    ['a duration on a pod that has not started', marked('10m'), { kind: 'until', at: undefined }],
    ['a duration that has not ended', marked('1h30m', 60), { kind: 'until', at: NOW - 60_000 + 5_400_000 }],
    ['a duration that ends now', marked('10m', 600), { kind: 'elapsed' }],
    ['a duration that has ended', marked('10m', 601), { kind: 'elapsed' }],
  ])('%s', (_, of, expected) => expect(readDoNotDisrupt(of, NOW)).toEqual(expected))

  test('protects only active pods', () => {
    expect(isDisruptable(marked('true'), NOW)).toBe(false)
    expect(isDisruptable({ ...marked('true'), status: { phase: 'Failed' } }, NOW)).toBe(true)
    expect(isDisruptable(marked('10m', 601), NOW)).toBe(true)
  })
})

describe('whether these may be evicted, and whether a drain waits for them', () => {
  test.each<[string, Pod, { evictable: boolean; drainable: boolean; waiting: boolean }]>([
    ['an ordinary pod', running(), { evictable: true, drainable: true, waiting: true }],
    ['a protected pod', marked('true'), { evictable: false, drainable: true, waiting: true }],
    ['a pod that stays on disrupted nodes', tolerant, { evictable: false, drainable: false, waiting: false }],
    ['a static pod', owned('v1', 'Node'), { evictable: false, drainable: false, waiting: false }],
    ['a daemon pod', owned('apps/v1', 'DaemonSet'), { evictable: true, drainable: true, waiting: true }],
    ['a pod that has finished', ended, { evictable: false, drainable: true, waiting: false }],
    ['a pod that is terminating', terminating(60), { evictable: false, drainable: true, waiting: true }],
    ['a pod that is stuck', terminating(61), { evictable: false, drainable: false, waiting: false }],
  ])('%s', (_, of, expected) => {
    expect({
      evictable: isEvictable(of, NOW),
      drainable: isDrainable(of, NOW),
      waiting: isWaitingEviction(of, NOW),
    }).toEqual(expected)
  })
})

test('the pod, a container or an init container may request devices', () => {
  const container = { name: 'c', resources: { claims: [{ name: 'gpu' }] } }
  const plain = { name: 'c' }
  expect(usesDevices(running())).toBe(false)
  expect(usesDevices(running({ spec: { resourceClaims: [{ name: 'gpu' }] } }))).toBe(true)
  expect(usesDevices(running({ spec: { containers: [container] } }))).toBe(true)
  expect(usesDevices(running({ spec: { containers: [plain], initContainers: [container] } }))).toBe(true)
})
