import { afterEach } from 'vitest'
import { takeNotedFaults } from '../../engine/src/isolation/noted-faults.ts'
import { takeProgrammingFaults } from '../../runtime/src/logging/programming-faults.ts'

/**
 * A controller that throws a TypeError is tried again and may end where it should, and a decision sets aside the object that it
 * throws one for; the test fails all the same.
 */
afterEach(() => {
  const [first] = [...takeProgrammingFaults(), ...takeNotedFaults()]
  if (first !== undefined) throw first
})
