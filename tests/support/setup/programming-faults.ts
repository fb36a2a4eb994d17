import { afterEach } from 'vitest'
import { takeNotedFaults } from '../../../packages/engine/src/isolation/noted-faults.ts'
import { takeProgrammingFaults } from '../../../packages/runtime/src/logging/programming-faults.ts'

/**
 * Fails the test after a TypeError, even if the controller is retried and reaches the expected state, or the decision skips the
 * object that caused the error.
 */
afterEach(() => {
  const [first] = [...takeProgrammingFaults(), ...takeNotedFaults()]
  if (first !== undefined) throw first
})
