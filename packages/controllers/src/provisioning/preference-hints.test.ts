import { afterEach, expect, test } from 'vitest'
import { createPendingPod, createPool, World, type WorldOptions } from '../testing/world/index.ts'

let world: World
afterEach(() => world.stop())

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

/** Creates pods that fit on no machine, so that every pass plans them again. */
const waiting = async (options: WorldOptions = {}): Promise<void> => {
  world = await World.create(options)
  await createPool(world)
  const requests = { cpu: '4000' }
  for (const name of ['apart-0', 'apart-1']) await createPendingPod(world, name, { requests, spec: antiAffinity })
  await createPendingPod(world, 'soft', { requests, spec: spread('ScheduleAnyway') })
  await createPendingPod(world, 'hard', { requests, spec: spread('DoNotSchedule') })
  await world.pass(5_000)
}
const hints = () =>
  world.log.lines
    .filter(({ message }) => message.includes('prevent consolidation'))
    .map(({ message, fields }) => [message, fields?.['Pods']])

test('preferences that spread pods are logged once an hour for each pod', async () => {
  await waiting()
  const first = [
    ['pod(s) have a preferred Anti-Affinity which can prevent consolidation', 'default/apart-0, default/apart-1'],
    ['pod(s) have a preferred TopologySpreadConstraint which can prevent consolidation', 'default/soft'],
  ]
  expect(hints()).toEqual(first)
  await world.pass(1_800_000)
  await createPendingPod(world, 'apart-2', { requests: { cpu: '4000' }, spec: antiAffinity })
  await world.pass(60_000)
  expect(hints()).toEqual([
    ...first,
    ['pod(s) have a preferred Anti-Affinity which can prevent consolidation', 'default/apart-2'],
  ])
  await world.pass(1_800_000)
  expect(hints().slice(3)).toEqual(first)
})

test('nothing is logged if preferences are ignored', async () => {
  await waiting({ settings: { preferencePolicy: 'Ignore' } })
  expect(hints()).toEqual([])
})
