import { takeProgrammingFaults } from '@kerf/runtime/testing'
import { afterEach } from 'vitest'

/** A controller that throws a TypeError is tried again and may end where it should; the test fails all the same. */
afterEach(() => {
  const [first] = takeProgrammingFaults()
  if (first !== undefined) throw first
})
