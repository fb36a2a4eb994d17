import { afterEach } from 'vitest'
import { takeRefusals } from '../../runtime/src/testing/refusals.ts'

/** A controller may catch what a client throws and try again; the test fails all the same. */
afterEach(() => {
  const [first] = takeRefusals()
  if (first !== undefined) throw first
})
