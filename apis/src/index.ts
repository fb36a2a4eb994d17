export * from './duration.ts'
export * from './kubernetes/index.ts'
export * from './quantity.ts'
export * from './resource-list.ts'
