import { defineCallsTest } from '../../../tests/benchmarks/define-calls-test.ts'
import { callsBench } from './calls-bench.ts'

// A fake request is signed by the SDK, so the default number of nodes would take long.
defineCallsTest(callsBench, { certain: 'ListInstances', nodes: 50 })
