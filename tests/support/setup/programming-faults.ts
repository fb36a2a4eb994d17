import { afterEach } from 'vitest'
import { takeNotedFaults } from '../../../packages/engine/src/isolation/noted-faults.ts'
import { takeProgrammingFaults } from '../../../packages/runtime/src/logging/programming-faults.ts'

/**
 * Fails the test if a TypeError occurred, even if the controller retries and reaches the expected state, or if the decision skips the
 * object that caused the error.
 */
afterEach(() => {
  const [first] = [...takeProgrammingFaults(), ...takeNotedFaults()]
  if (first !== undefined) throw first
})
