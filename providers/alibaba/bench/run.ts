// npm run bench:calls -- alibaba [--size N …] [--record]: counts Kerf's requests to Alibaba Cloud.
import { runCallsBench } from '../../../tests/benchmarks/run-calls-bench.ts'
import { callsBench } from './calls-bench.ts'

await runCallsBench(callsBench)
