import { afterEach, expect, test } from 'vitest'
import { createPendingPod, createPool, Harness, type HarnessOptions } from '../testing/harness/index.ts'

let harness: Harness
afterEach(() => harness.stop())

const labelSelector = { matchLabels: { app: 'web' } }
const antiAffinity = {
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector } },
      ],
    },
  },
}
const spread = (whenUnsatisfiable: 'ScheduleAnyway' | 'DoNotSchedule') => ({
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable, labelSelector }],
})

/** Creates pods that fit on no instance type, so that every pass plans them again. */
const waiting = async (options: HarnessOptions = {}): Promise<void> => {
  harness = await Harness.create(options)
  await createPool(harness)
  const requests = { cpu: '4000' }
  for (const name of ['apart-0', 'apart-1']) await createPendingPod(harness, name, { requests, spec: antiAffinity })
  await createPendingPod(harness, 'soft', { requests, spec: spread('ScheduleAnyway') })
  await createPendingPod(harness, 'hard', { requests, spec: spread('DoNotSchedule') })
  await harness.pass(5_000)
}
const hints = () =>
  harness.log.lines
    .filter(({ message }) => message.includes('prevent consolidation'))
    .map(({ message, fields }) => [message, fields?.['Pods']])

test('a preference that spreads pods is logged once an hour for each pod', async () => {
  await waiting()
  const first = [
    ['pod(s) have a preferred Anti-Affinity which can prevent consolidation', 'default/apart-0, default/apart-1'],
    ['pod(s) have a preferred TopologySpreadConstraint which can prevent consolidation', 'default/soft'],
  ]
  expect(hints()).toEqual(first)
  await harness.pass(1_800_000)
  await createPendingPod(harness, 'apart-2', { requests: { cpu: '4000' }, spec: antiAffinity })
  await harness.pass(60_000)
  expect(hints()).toEqual([
    ...first,
    ['pod(s) have a preferred Anti-Affinity which can prevent consolidation', 'default/apart-2'],
  ])
  await harness.pass(1_800_000)
  expect(hints().slice(3)).toEqual(first)
})

test('nothing is logged if preferences are ignored', async () => {
  await waiting({ settings: { preferencePolicy: 'Ignore' } })
  expect(hints()).toEqual([])
})
