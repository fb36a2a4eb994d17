import { afterEach } from 'vitest'
import { takeRefusals } from '../../../packages/runtime/src/testing/refusals.ts'

/** Fails the test even if a controller catches the error of the client and retries. */
afterEach(() => {
  const [first] = takeRefusals()
  if (first !== undefined) throw first
})
