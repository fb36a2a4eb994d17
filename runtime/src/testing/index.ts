export * from './certificates.ts'
export { declaredOnly, takeRefusals } from './declared-only.ts'
export { installCustomResources } from './install-custom-resources.ts'
export { type AttackedServer, rawSocketSuite } from './raw-socket-suite.ts'
