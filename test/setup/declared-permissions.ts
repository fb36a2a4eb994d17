import { takeRefusals } from '@kerf/runtime/testing'
import { afterEach } from 'vitest'

/** A controller may catch what a client throws and try again; the test fails all the same. */
afterEach(() => {
  const [first] = takeRefusals()
  if (first !== undefined) throw first
})
