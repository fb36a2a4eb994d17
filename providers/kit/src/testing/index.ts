export * from './drawing.ts'
export { type Fault, Faults, type RequestLimits } from './faults.ts'
export { withFaults } from './faulty-specs.ts'
export { type Ending, Inventory } from './inventory.ts'
export * from './recorded-requests.ts'
export {
  type KindVerdicts,
  ownVerdict,
  type RecordedVerdict,
  recordedVerdicts,
  verdictFile,
} from './recorded-verdicts.ts'
export { type LoopbackServer, serveLoopback } from './serve-loopback.ts'
export { type BucketSize, TokenBucket } from './token-bucket.ts'
export { type Verdict, verdictLine } from './verdict-line.ts'
