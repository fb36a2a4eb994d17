import { defineCallsTest } from '../../../tests/benchmarks/define-calls-test.ts'
import { callsBench } from './calls-bench.ts'

defineCallsTest(callsBench, { certain: 'servers' })
