export * from './case-definition.ts'
export * from './crd-schema.ts'
export * from './dashboard-case.ts'
export * from './resource-schema.ts'
