// npm run bench:calls -- oci [--size N …] [--record]: counts Kerf's requests to Oracle Cloud.
import { runCallsBench } from '../../../tests/benchmarks/run-calls-bench.ts'
import { callsBench } from './calls-bench.ts'

await runCallsBench(callsBench)
