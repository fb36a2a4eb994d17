export * from './fate.ts'
export * from './group-options.ts'
export * from './group-size.ts'
export * from './node-fields.ts'
