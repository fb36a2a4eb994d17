import { formatTime, type Pod, type PodStatus } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { DEFAULT_KUBELET_OPTIONS, parseDurationOr } from './kubelet-options.ts'
import { type PodSurroundings, podStep } from './pod-lifecycle.ts'

const start = Date.UTC(2026, 0, 1)

const podOf = (more: {
  readonly annotations?: Readonly<Record<string, string>>
  readonly metadata?: Partial<Pod['metadata']>
  readonly spec?: Partial<Pod['spec']>
  readonly status?: PodStatus
}): Pod =>
  pod('pod', {
    requests: {},
    nodeName: 'node',
    phase: 'Pending',
    spec: more.spec,
    status: more.status,
    metadata: { uid: 'uid', annotations: more.annotations ?? {}, ...more.metadata },
  })

const at = (seconds: number, more: Partial<PodSurroundings> = {}): PodSurroundings => ({
  now: start + seconds * 1000,
  boundAt: start,
  podIP: '100.0.0.1',
  hostIP: '10.0.0.1',
  volumesReady: true,
  ...more,
})

/** Runs a pod's steps until it is stable. Returns the time of each change of its phase or readiness. */
const course = (pod: Pod, seconds: number): string[] => {
  const log: string[] = []
  let now = 0
  while (now <= seconds) {
    const step = podStep(pod, at(now), DEFAULT_KUBELET_OPTIONS)
    if (step.kind === 'remove') return [...log, `${now} removed`]
    if (step.kind === 'wait') {
      if (!Number.isFinite(step.until)) return log
      now = (step.until - start) / 1000
      continue
    }
    pod = { ...pod, status: { ...pod.status, ...step.status } }
    const ready = pod.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True')
    const restarts = pod.status?.containerStatuses?.[0]?.restartCount ?? 0
    log.push(`${now} ${pod.status?.phase}${ready ? ' ready' : ''}${restarts > 0 ? ` restart ${restarts}` : ''}`)
  }
  return log
}

test.each<[string, Parameters<typeof podOf>[0], string[]]>([
  ['a plain pod', {}, ['1 Running ready']],
  [
    'a pod that is slow to start and to get ready',
    { annotations: { 'sandbox.kerf.sh/start-after': '20', 'sandbox.kerf.sh/ready-after': '1m' } },
    ['20 Running', '80 Running ready'],
  ],
  ['a pod that never gets ready', { annotations: { 'sandbox.kerf.sh/ready-after': 'never' } }, ['1 Running']],
  [
    'a pod that ends',
    { annotations: { 'sandbox.kerf.sh/run-for': '30s' }, spec: { restartPolicy: 'Never' } },
    ['1 Running ready', '31 Succeeded'],
  ],
  [
    'a pod that fails',
    {
      annotations: { 'sandbox.kerf.sh/run-for': '30s', 'sandbox.kerf.sh/exit-code': '3' },
      spec: { restartPolicy: 'Never' },
    },
    ['1 Running ready', '31 Failed'],
  ],
  [
    'a pod that is restarted after it failed',
    {
      annotations: { 'sandbox.kerf.sh/run-for': '30s', 'sandbox.kerf.sh/exit-code': '3' },
      spec: { restartPolicy: 'OnFailure' },
    },
    ['1 Running ready', '31 Running ready restart 1', '61 Running ready restart 2', '91 Running ready restart 3'],
  ],
  [
    'a pod of a job',
    {
      metadata: { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true }] },
      spec: { restartPolicy: 'Never' },
    },
    ['1 Running ready', '11 Succeeded'],
  ],
])('%s', (_, shape, expected) => {
  expect(course(podOf(shape), 100)).toEqual(expected)
})

test('a pod waits for its volumes', () => {
  const step = podStep(podOf({}), at(60, { volumesReady: false }), DEFAULT_KUBELET_OPTIONS)
  expect(step).toEqual({ kind: 'wait', until: Number.POSITIVE_INFINITY })
})

test('a deleted pod stops within its grace period and waits for other finalizers', () => {
  const deleting = (grace: number, annotations: Readonly<Record<string, string>> = {}, finalizers: string[] = []) =>
    podOf({
      annotations,
      metadata: {
        deletionTimestamp: formatTime(start + grace * 1000),
        deletionGracePeriodSeconds: grace,
        finalizers,
      },
      status: { phase: 'Running' },
    })
  expect(course(deleting(30), 100)).toEqual(['0.5 removed'])
  expect(course(deleting(30, { 'sandbox.kerf.sh/stop-after': '12' }), 100)).toEqual(['12 removed'])
  expect(course(deleting(30, { 'sandbox.kerf.sh/stop-after': 'never' }), 100)).toEqual(['30 removed'])
  expect(course(deleting(0, {}, ['example.com/wait']), 100)).toEqual([])
})

test.each([
  ['1.5', 1500],
  ['250ms', 250],
  ['1h30m', 5_400_000],
  ['never', Number.POSITIVE_INFINITY],
  ['soon', 7],
  [undefined, 7],
])('the duration %s', (text, expected) => {
  expect(parseDurationOr(text, 7)).toBe(expected)
})
