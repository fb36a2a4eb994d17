// npm run bench:calls -- bizfly [--size N …] [--record]: counts Kerf's requests to Bizfly Cloud.
import { runCallsBench } from '../../../tests/benchmarks/run-calls-bench.ts'
import { callsBench } from './calls-bench.ts'

await runCallsBench(callsBench)
