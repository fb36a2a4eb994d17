import { afterEach, expect, test } from 'vitest'
import { createPendingPod, createPoolOfType, Harness } from '../testing/harness/index.ts'

let harness: Harness | undefined
afterEach(() => {
  harness?.stop()
  harness = undefined
})

/** Built-in properties of objects and functions whose names are valid label keys. */
const KEYS = [
  ...new Set([...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Function.prototype)]),
].filter((name) => /^[A-Za-z]/.test(name))

test('pods that select labels named after built-in properties do not affect the placement of other pods', async () => {
  const w = await Harness.create({})
  harness = w
  await createPoolOfType(w, 's-16x-amd64-linux')
  for (const key of KEYS) {
    await createPendingPod(w, `asks-${key.toLowerCase()}`, { spec: { nodeSelector: { [key]: 'a' } } })
    await createPendingPod(w, `has-${key.toLowerCase()}`, {
      labels: { [key]: 'a' },
      requests: { cpu: '10m' },
      spec: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            matchLabelKeys: [key],
          },
        ],
      },
    })
  }
  await createPendingPod(w, 'plain', { requests: { cpu: '15' } })
  await w.pass(1_500)
  const planned = new Set(w.messages('Nominated', 'plain'))
  expect(planned.size).toBe(1)
  expect(w.messages('FailedScheduling').filter((message) => message.includes('has no known values'))).toHaveLength(
    KEYS.length,
  )
})
