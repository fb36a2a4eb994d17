import { defineCallsTest } from '../../../tests/benchmarks/define-calls-test.ts'
import { callsBench } from './calls-bench.ts'

// The SDK signs every request to the fake, so the default number of nodes would take too long.
defineCallsTest(callsBench, { certain: 'ListInstances', nodes: 50 })
