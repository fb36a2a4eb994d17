export * from './cloud-provider.ts'
export * from './errors.ts'
