import { RecordingLogger } from '@kerf/runtime'
import { takeProgrammingFaults } from '@kerf/runtime/testing'
import { expect, test } from 'vitest'
import { programmingErrorsIn } from './programming-errors.ts'

test('finds only programming errors in a log, including causes of other errors', () => {
  const log = new RecordingLogger()
  const bug = new TypeError('x is not a function')
  const hidden = new ReferenceError('y is not defined')
  log.error('Reconciler error', { error: new Error('the cloud is away') })
  log.child('disruption').error('Reconciler error', { error: bug })
  log.error('Reconciler error', { error: new Error('wrapped', { cause: hidden }) })
  expect(programmingErrorsIn(log)).toEqual([bug, hidden])
  // Without this call, these errors would make the setup file fail this test.
  expect(takeProgrammingFaults()).toEqual([bug])
})
