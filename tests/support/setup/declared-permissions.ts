import { afterEach } from 'vitest'
import { takeRefusals } from '../../../packages/runtime/src/testing/refusals.ts'

/** Fails the test if Kerf made a call without a declared permission, even if a controller catches the client's error and retries. */
afterEach(() => {
  const [first] = takeRefusals()
  if (first !== undefined) throw first
})
