export { type Fault, Faults, type RequestLimits } from './faults.ts'
export { type BucketSize, TokenBucket } from './token-bucket.ts'
