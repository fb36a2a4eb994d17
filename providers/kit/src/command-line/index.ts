export * from './cli-error.ts'
export { collect } from './collect.ts'
export * from './terraform-json.ts'
