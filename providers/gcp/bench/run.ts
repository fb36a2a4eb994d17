// npm run bench:calls -- gcp [--size N …] [--record]: counts Kerf's requests to Google Cloud.
import { runCallsBench } from '../../../tests/benchmarks/run-calls-bench.ts'
import { callsBench } from './calls-bench.ts'

await runCallsBench(callsBench)
