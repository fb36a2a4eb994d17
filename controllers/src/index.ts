export * from './deps.ts'
