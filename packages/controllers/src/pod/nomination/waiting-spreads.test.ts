import type { Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { WaitingSpreads } from './waiting-spreads.ts'

const labelled = (app: string, spec: Partial<Pod['spec']> = {}): Pod => {
  const base = pod(`pod-${app}`)
  return { ...base, metadata: { ...base.metadata, labels: { app } }, spec: { ...base.spec, ...spec } }
}
const spread = (whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway', maxSkew = 1): Partial<Pod['spec']> => ({
  topologySpreadConstraints: [
    {
      maxSkew,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable,
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ],
})

test('at most maxSkew pods per node may be nominated if a hard constraint of a waiting pod selects them', () => {
  const spreads = new WaitingSpreads()
  const waiting = labelled('web', spread('DoNotSchedule', 2))
  const elsewhere = {
    ...labelled('web'),
    metadata: { name: 'elsewhere', namespace: 'elsewhere', labels: { app: 'web' } },
  }
  spreads.change(undefined, waiting)
  expect(spreads.allows(labelled('web'), () => [])).toBe(true)
  expect(spreads.allows(labelled('web'), () => [waiting])).toBe(true)
  expect(spreads.allows(labelled('web'), () => [waiting, labelled('other'), elsewhere])).toBe(true)
  expect(spreads.allows(labelled('web'), () => [waiting, labelled('web')])).toBe(false)
  expect(spreads.allows(labelled('other'), () => [waiting, labelled('web')])).toBe(true)
  expect(spreads.allows(elsewhere, () => [waiting, labelled('web')])).toBe(true)
  spreads.change(waiting, { ...waiting, spec: { ...waiting.spec, nodeName: 'node-a' } })
  expect(spreads.allows(labelled('web'), () => [waiting, labelled('web')])).toBe(true)
})

test('of two constraints the stricter one applies', () => {
  const spreads = new WaitingSpreads()
  const strict = labelled('web', spread('DoNotSchedule', 1))
  spreads.change(undefined, labelled('web', spread('DoNotSchedule', 3)))
  expect(spreads.allows(labelled('web'), () => [strict])).toBe(true)
  spreads.change(undefined, strict)
  expect(spreads.allows(labelled('web'), () => [strict])).toBe(false)
})

test('soft constraints do not count, because they affect only scores', () => {
  const spreads = new WaitingSpreads()
  const waiting = labelled('web', spread('ScheduleAnyway'))
  spreads.change(undefined, waiting)
  expect(spreads.allows(labelled('web'), () => [waiting])).toBe(true)
})
