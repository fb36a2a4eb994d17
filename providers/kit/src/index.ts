export * from './batching/batcher.ts'
