import { afterEach } from 'vitest'
import { takeRefusals } from '../../../packages/runtime/src/testing/refusals.ts'

/** If Kerf makes a call without a declared permission, the test fails, even if a controller catches the client's error and retries. */
afterEach(() => {
  const [first] = takeRefusals()
  if (first !== undefined) throw first
})
