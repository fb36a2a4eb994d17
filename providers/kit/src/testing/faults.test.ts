import { expect, test } from 'vitest'
import { type Fault, Faults, type RequestLimits } from './faults.ts'

const never = new AbortController().signal
const unlimited: RequestLimits = { admit: () => undefined, admitPages: () => undefined }
const faultError = ({ code }: Fault): Error => new Error(code)

/** Returns a function that runs a call. The function returns the result or the error message, and whether the work was done. */
const harness = (limits = unlimited) => {
  const faults = new Faults(limits, faultError)
  let done = 0
  const run = (call: string): Promise<number | string> =>
    faults.run(call, never, () => ++done).catch((error: Error) => error.message)
  return { faults, run, done: () => done }
}

test('`next` fails one call, `standing` fails all calls until recovery; calls with other names succeed', async () => {
  const { faults, run } = harness()
  faults.next('launch', { code: 'first' })
  faults.standing('launch', { code: 'always' })
  expect([await run('launch'), await run('launch'), await run('list')]).toEqual(['first', 'always', 1])
  faults.recover()
  expect(await run('launch')).toBe(2)
  expect([faults.count('launch'), faults.count('launch', 'list')]).toEqual([3, 4])
})

test('a fault prevents the work, unless only the response is lost', async () => {
  const { faults, run, done } = harness()
  faults.next('launch', { code: 'before' })
  faults.next('launch', { code: 'lost', afterwards: true })
  expect([await run('launch'), done()]).toEqual(['before', 0])
  expect([await run('launch'), done()]).toEqual(['lost', 1])
})

test('`chance` decides if no fault is set', async () => {
  const { faults, run } = harness()
  faults.chance = (call) => (call === 'list' ? { code: 'by chance' } : undefined)
  expect([await run('launch'), await run('list')]).toEqual([1, 'by chance'])
})

test('a call above the limit does no work and consumes no fault; a page above the limit is refused after the work', async () => {
  let isFull = true
  const { faults, run, done } = harness({
    admit: () => (isFull ? { code: 'throttled' } : undefined),
    admitPages: () => ({ code: 'throttled page' }),
  })
  faults.next('list', { code: 'ordered' })
  expect([await run('list'), done()]).toEqual(['throttled', 0])
  isFull = false
  expect([await run('list'), done()]).toEqual(['ordered', 0])
  expect([await run('list'), done()]).toEqual(['throttled page', 1])
})

test('an aborted call is not counted', async () => {
  const { faults } = harness()
  const stop = new AbortController()
  stop.abort(new Error('enough'))
  await expect(faults.run('list', stop.signal, () => 1)).rejects.toThrow('enough')
  expect(faults.calls).toEqual([])
})
