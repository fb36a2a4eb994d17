export { declaredOnly, takeRefusals } from './declared-only.ts'
export { installCustomResources } from './install-custom-resources.ts'
