export { declaredOnly, takeRefusals } from './declared-only.ts'
