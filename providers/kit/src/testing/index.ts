export { type Fault, Faults, type RequestLimits } from './faults.ts'
export { type Ending, Inventory } from './inventory.ts'
export * from './recorded-requests.ts'
export { type BucketSize, TokenBucket } from './token-bucket.ts'
