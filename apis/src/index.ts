export * from './kubernetes/index.ts'
export type * from './quantity.ts'
