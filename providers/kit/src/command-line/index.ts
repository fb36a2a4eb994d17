export * from './cli-error.ts'
export { collect } from './collect.ts'
export { describeError } from './describe-error.ts'
export { addVerifyFlags, type VerifyProcess, verifyAction } from './verify-command.ts'
