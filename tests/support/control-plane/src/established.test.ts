import { expect, test } from 'vitest'
import { untilCrdsEstablished } from './established.ts'

/** A clock whose pauses end immediately. */
const clock = { now: () => 0, pause: async () => undefined }

const noConditions = '.status.conditions accessor error: <nil> is of the type <nil>, expected []interface{}'

test('waits for a CRD whose conditions are still null', async () => {
  const codes = [1, 1, 0]
  const asked: (readonly string[])[] = []
  await untilCrdsEstablished(async (args) => {
    asked.push(args)
    const code = codes[asked.length - 1] ?? 2
    return { code, stdout: '', stderr: code === 0 ? '' : noConditions }
  }, clock)
  expect(asked.length).toBe(3)
  expect(asked[0]).toContain('--for=condition=Established')
})

test('runs kubectl again if it rejects', async () => {
  let count = 0
  await untilCrdsEstablished(async () => {
    count += 1
    if (count === 1) throw new Error(noConditions)
    return ''
  }, clock)
  expect(count).toBe(2)
})
