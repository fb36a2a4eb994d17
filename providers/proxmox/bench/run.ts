// npm run bench:calls -- proxmox [--size N …] [--record]: counts Kerf's requests to Proxmox.
import { runCallsBench } from '../../../tests/benchmarks/run-calls-bench.ts'
import { callsBench } from './calls-bench.ts'

await runCallsBench(callsBench)
